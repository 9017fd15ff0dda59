"""A world for agents to live in: a town of 25 small lives (town.py, mind.py, party.py)."""
