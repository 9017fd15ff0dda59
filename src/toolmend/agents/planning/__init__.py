"""Agents that plan."""
