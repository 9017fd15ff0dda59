"""Runs and contestants compared on the same requests, and a gate for CI."""
