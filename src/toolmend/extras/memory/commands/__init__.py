"""The commands of memory, and what a chat shows of it."""
