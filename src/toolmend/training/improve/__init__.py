"""The flywheel: a suite is played, its mistakes are learned from, and the new model is kept only if it is better."""
