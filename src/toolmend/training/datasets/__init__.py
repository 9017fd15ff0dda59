"""Training data from what happened: stored conversations and corrections as lines of JSON. docs/datasets.md."""
