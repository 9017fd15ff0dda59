"""From stored samples to rates, roles, usage and outcomes. Reads events; asks nothing."""
