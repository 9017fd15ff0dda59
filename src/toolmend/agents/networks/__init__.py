"""Small nets trained here: the digits of the film, and a policy that learns within its talk. See docs/agents-worlds.md."""
