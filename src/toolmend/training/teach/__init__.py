"""A tiny model for somebody's own tools: examples → templates → dialogues with corrections → training → preset.

`Requests` (requests.py) makes sentences with their calls from any toolbox's specs; `talk` (dialogues.py) makes
conversations of them. Neither knows torch; teach.py puts it together.
"""
