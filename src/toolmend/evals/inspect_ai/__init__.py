"""Inspect AI's formats: suites as its tasks, runs as its logs, its logs as suites. Does not import it."""
