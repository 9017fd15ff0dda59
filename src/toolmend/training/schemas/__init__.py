"""Talks over many small toolboxes by every strategy: what `builtin/schema` is trained on."""
