"""Code from a sentence: written by a model, run in a sandbox, corrected by what its tests say."""
