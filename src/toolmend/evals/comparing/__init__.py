"""Runs and contestants compared on the same requests, a gate for CI, and stored runs graded again."""
