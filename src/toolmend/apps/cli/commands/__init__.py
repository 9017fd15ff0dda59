"""The commands: `toolmend NAME` is in NAME.py, its parts in NAME_part.py. Knows the doors of the rooms, no logic."""
