"""What a run costs: prices, estimates before it, input tokens of strategies. Asks no model."""
