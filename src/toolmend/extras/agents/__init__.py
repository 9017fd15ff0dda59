"""Agent systems: each a set of tasks, a way of solving them with any model, and a checker nobody can talk round.

`load_system("game24")` finds one by name; `toolmend run game24` plays it. A system is one class (system.py) and one
line in the registry; thinking/, coding/, planning/, worlds/ and networks/ hold those that ship. docs/agents.md.
"""

from __future__ import annotations

from toolmend.extras.agents.system import load_system

__all__ = ["load_system"]
