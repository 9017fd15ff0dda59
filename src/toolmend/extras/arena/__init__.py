"""The arena: two talks side by side, corrections, blind battles, votes, a queue for raters, and a leaderboard.

`Arena` is the door, `Desk` what one person has in front of them, views.py what may be shown. Knows no screen.
"""

from toolmend.extras.arena.arena import Arena
from toolmend.extras.arena.desk import Desk
from toolmend.extras.arena.views import Contestant, DeskView, Reveal

__all__ = ["Arena", "Contestant", "Desk", "DeskView", "Reveal"]
