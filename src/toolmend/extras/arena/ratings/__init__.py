"""Who is better, and how sure that is: ratings of contestants from votes on pairs. docs/ratings.md has the formulas.

    votes = tm.ratings.read_votes("votes.csv")
    print(tm.ratings.fit(votes, cluster="prompt"))

Knows votes and numbers only: no store, no suite, no screen. Needs numpy alone.
"""

from toolmend.base.plots import interval_plot
from toolmend.extras.arena.ratings.bradley_terry import gains
from toolmend.extras.arena.ratings.elo import elo
from toolmend.extras.arena.ratings.hygiene import check_votes
from toolmend.extras.arena.ratings.published import published_tables
from toolmend.extras.arena.ratings.rating import Rating, Ratings, fit
from toolmend.extras.arena.ratings.reader import read_votes
from toolmend.extras.arena.ratings.votes import WINNERS, Votes

__all__ = [
    "WINNERS",
    "Rating",
    "Ratings",
    "Votes",
    "check_votes",
    "elo",
    "fit",
    "gains",
    "interval_plot",
    "published_tables",
    "read_votes",
]
