"""The arena: two talks side by side, corrections, blind battles, votes, a queue for raters, and a leaderboard.

`Arena` is the door, `Desk` what one person has in front of them, views.py what may be shown. Knows no screen.
"""

from toolmend.arena.arena import Arena
from toolmend.arena.desk import Desk
from toolmend.arena.views import Contestant, DeskView, Reveal

__all__ = ["Arena", "Contestant", "Desk", "DeskView", "Reveal"]
