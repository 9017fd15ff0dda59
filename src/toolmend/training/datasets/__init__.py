"""Training data from what happened: stored conversations, corrections and votes as lines of JSON. docs/datasets.md."""
