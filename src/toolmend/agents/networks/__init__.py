"""Small nets trained here: the digits of the film, and a policy that learns within its talk. docs/agents-worlds.md"""
