"""Suites, published rows and labelled sets that ship: data files, no code."""
