"""Suites as data: their files read, worlds and references of their cases, and whether they are graded right."""
