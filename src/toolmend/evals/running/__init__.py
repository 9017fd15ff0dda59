"""A run: its plan, the simulated user, the scorer, and the runner that plays and commits each sample."""
