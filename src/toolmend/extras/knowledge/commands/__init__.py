"""The commands of knowledge, one per file."""
