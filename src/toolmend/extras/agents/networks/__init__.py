"""A small net that ships: a policy that learns within its talk, and the dark room it plays in. docs/agents-worlds.md"""
