"""Thinking in words: chains, votes over chains, trees of thoughts; trials with reflections; what goes wrong."""
