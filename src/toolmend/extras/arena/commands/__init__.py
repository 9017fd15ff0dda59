"""The arena's commands, one per file."""
