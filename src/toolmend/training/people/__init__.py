"""Sentences of people out of public sets, as talks that an adapter is taught on (docs/training.md)."""
