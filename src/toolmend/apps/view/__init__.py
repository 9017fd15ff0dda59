"""The log browser: runs of a store, their reports and talks, what differs between two, while a run goes on too."""
