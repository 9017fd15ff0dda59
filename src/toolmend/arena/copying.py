"""A mistake given to the other model: a talk up to a wrong reply, that reply given, its correction, so many attempts.

The third experiment of the Keras chatbot arena blog (2024-12-05, section 4.3). Every attempt is a talk of its own.
"""

from __future__ import annotations

from dataclasses import replace

from toolmend.arena.conversation import Conversation
from toolmend.arena.offer import Setup
from toolmend.arena.records import new_id
from toolmend.arena.side import Side, Tell, Work
from toolmend.arena.views import AttemptView, Turn, TurnView
from toolmend.arena.workshop import Workshop, row_of
from toolmend.errors import BadOption
from toolmend.mistakes import Correction
from toolmend.models import OnDelta


def copier(workshop: Workshop, desk: str, source: Conversation, k: int, turn: int | None, text: str) -> Work:
    """What copies a talk to the side it is given. Raises BadOption where there is no reply to give, or nothing to say
    to it."""
    place = wrong_turn(source) if turn is None else turn
    if not 0 <= place < len(source.turns):
        raise BadOption("there is no reply to give to the other side yet")
    said = Correction(text) if text else _correction(source, place)
    given = source.turns[: place + 1]

    async def work(side: Side, on_delta: OnDelta, tell: Tell) -> TurnView:
        setup, ids = _setup(side.talk.setup, source.setup), [new_id() for _ in range(k)]
        about = {"copied": source.id, "from": source.setup.contestant.name, "turn": place, "of": k, "attempts": ids}
        made: list[AttemptView] = []
        for number, id_ in enumerate(ids, 1):
            talk = await workshop.new(_seeded(setup, number), about | {"attempt": number}, id_)
            row = row_of(talk)
            if number == k:
                await workshop.db(workshop.records.replace_talk, desk, side.which, row)
                side.take(talk)
                side.attempts = tuple(made)
            else:
                side.asks_for(talk)
                await workshop.db(workshop.records.add_talk, desk, side.which, row)
            for each in given:
                await talk.give(each)
            shown = await talk.correct(said, on_delta)
            made.append(AttemptView(id_, shown))
            if number < k:
                side.partial = ""
                tell(Turn(side.which, shown, talk.world))
        side.attempts = tuple(made)
        return made[-1].turn

    return work


def wrong_turn(talk: Conversation) -> int:
    """The last reply that has mistakes, else the last that was corrected, else the last."""
    corrected = {turn.asked.amends for turn in talk.turns}
    wrong = [n for n, turn in enumerate(talk.turns) if turn.marked.mistakes]
    told = [n for n in range(len(talk.turns)) if n in corrected]
    return wrong[-1] if wrong else told[-1] if told else len(talk.turns) - 1


def _correction(source: Conversation, place: int) -> Correction:
    """What was said to that reply, else what would be suggested. Raises BadOption where neither is."""
    for turn in source.turns[place + 1 :]:
        if turn.asked.amends == place and turn.correction is not None:
            return turn.correction
    suggested = source.suggestions(place)
    if not suggested:
        raise BadOption("say what is wrong with that reply: the other model is told the same words")
    return suggested[0]


def _setup(mine: Setup, source: Setup) -> Setup:
    """The world, the words and the case of the source with the contestant and the sampling of this side."""
    return replace(mine, toolbox=source.toolbox, system=source.system, case=source.case)


def _seeded(setup: Setup, number: int) -> Setup:
    """Another seed for each attempt, where there is one: else all would be alike."""
    return setup if setup.seed is None else replace(setup, seed=setup.seed + number - 1)
