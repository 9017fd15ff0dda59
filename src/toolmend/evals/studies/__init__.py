"""Studies of one question each: how much is made up, and how well memory answers."""
