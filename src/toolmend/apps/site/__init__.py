"""What the local web pages share: one look, escaping, what changes as it changes, a port. Knows nothing shown."""
