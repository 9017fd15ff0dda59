"""Trained models in other programs' formats, and back: Hugging Face, GGUF, KerasHub. Each has a file of its own."""
