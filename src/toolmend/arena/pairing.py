"""A pair that was answered before, as a talk: the requests, and below the last one what the rater sees of a side."""

from __future__ import annotations

from toolmend.arena.stored_turns import KeptTurn
from toolmend.arena.views import WorldView
from toolmend.evals.judges.matches import Match
from toolmend.events import Asked, Replied


def pair_talk(match: Match, shown: str) -> list[KeptTurn]:
    """One side of a pair as turns: what was asked before has no reply here."""
    said = [(text, "") for text in match.earlier] + [(match.request, shown)]
    return [
        KeptTurn((Asked(number, text), Replied(number, reply, model="given")), WorldView(""))
        for number, (text, reply) in enumerate(said)
    ]
