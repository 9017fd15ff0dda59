"""What one person has in front of them: two sides, each with a talk of its own, and what can be done with them.

    await desk.send("both", "Add a lunch with Ada on May 3 at noon")

What asks a model goes on whether or not somebody waits for it: a reload must not end the reply that is being written.
A mistake can be given to the other model: the talk up to a wrong reply, that reply, its correction (the third
experiment of the Keras chatbot arena blog, 2024-12-05, section 4.3). For one event loop. Knows no cookie and no screen;
whose vote counts is the arena's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.mistakes import Correction
from toolmend.extras.arena.conversation import Conversation
from toolmend.extras.arena.side import Side, Work, verdict_of
from toolmend.extras.arena.talks import Talks, row_of
from toolmend.extras.arena.views import SIDES, Blind, Contestant, DeskView
from toolmend.models import OnDelta

LONGEST = 8_000
MOST_TURNS = 100
_RUNNING: set[asyncio.Future[Any]] = set()  # the loop itself holds tasks weakly


class Desk:
    """Two sides under an id. `blind` is there for a battle that has no vote yet, and taken away by the vote."""

    def __init__(
        self, talks: Talks, id_: str, person: str, kind: str, sides: Sequence[Conversation], blind: Blind | None = None
    ) -> None:
        self.id, self.person, self.kind = id_, person, kind
        terms = talks.terms if kind == "chat" else talks.terms.unasked()
        self.left, self.right = Side("left", sides[0], terms), Side("right", sides[1], terms)
        self.blind, self.prompt = blind, ""
        self.flow: asyncio.Future[Any] | None = None
        self._begun_with = (0, 0)
        self._talks = talks

    def view(self) -> DeskView:
        """Everything that may be shown now."""
        sides = [self.side(which).view() for which in SIDES]
        blind = self.blind
        if blind is not None:
            sides = [blind.side(side) for side in sides]
        names = None if self.kind == "chat" or blind is not None else (sides[0].name, sides[1].name)
        open_ = self.kind != "chat" and blind is not None
        return DeskView(self.id, self.kind, sides[0], sides[1], open_, self.prompt, names)

    def side(self, which: str) -> Side:
        """The side of that name. Raises BadOption."""
        if which not in SIDES:
            raise BadOption(f"a side is left or right, not {which!r}")
        return self.left if which == "left" else self.right

    @property
    def busy(self) -> bool:
        """Whether a side is still answering."""
        return self.left.busy or self.right.busy

    @property
    def standing(self) -> tuple[str, str, int, int]:
        """Its talks, and how far each is kept."""
        left, right = self.left.talk, self.right.talk
        return left.id, right.id, left.position, right.position

    @property
    def stamp(self) -> tuple[object, ...]:
        """Another one whenever something else is to be seen than one more piece of a reply; cheap to look at often."""
        return self.left.stamp, self.right.stamp, self.blind is None

    # what asks a model: begun when this returns, over when it was awaited ---------------------------------------------

    def send(self, to: str, text: str) -> Awaitable[object]:
        """Say something to one side or both. Raises BadOption for no text, too much of it, or a side that is busy."""
        said = checked(text)
        self._only_talks()
        return self._start(self._sides(to), lambda side, on_delta: side.talk.say(said, on_delta))

    def correct(self, side: str, text: str) -> Awaitable[object]:
        """Say what is wrong with the last reply of a side, while the other waits."""
        self._only_talks()
        if not self.side(side).talk.turns:
            raise BadOption("there is nothing to correct yet: say something first")
        correction = Correction(checked(text))
        return self._start([self.side(side)], lambda here, on_delta: here.talk.correct(correction, on_delta))

    def retry(self, side: str) -> Awaitable[object]:
        """Say the last thing again as if it had not been said, or what was stopped."""
        self._only_talks()
        talk = self.side(side).talk
        waiting = talk.waiting
        if waiting is None and not talk.turns:
            raise BadOption("there is nothing to try again yet")

        async def work(here: Side, on_delta: OnDelta) -> None:
            last = None if waiting else talk.turns[-1]
            text = await talk.undo()
            if waiting.correction if waiting else last is not None and last.correction is not None:
                correction = last.correction if last else None
                await talk.correct(correction or Correction(text), on_delta)
            else:
                await talk.say(text, on_delta)

        return self._start([self.side(side)], work)

    def edit(self, side: str, n: int, text: str) -> Awaitable[object]:
        """Say something else instead of message `n` (0 is the first) and go on from there; the talk before is kept."""
        said, old = checked(text), self.side(side).talk
        self._only_chats()
        if not 0 <= n < len(old.turns):
            raise BadOption(f"there is no message {n + 1}; this talk has {len(old.turns)}")

        async def work(here: Side, on_delta: OnDelta) -> None:
            talk = await self._talks.new(old.setup, {"edited": old.id, "turn": n})
            await self._put(here, talk)
            await talk.take_over(old.turns[:n])
            if n and old.turns[n].correction is not None:
                await talk.correct(Correction(said), on_delta)
            else:
                await talk.say(said, on_delta)

        return self._start([self.side(side)], work)

    def copy(self, from_side: str, *, turn: int | None = None, text: str = "") -> Awaitable[object]:
        """Give a wrong reply of one side to the model of the other, with the talk up to it and the correction.

        `turn` is the wrong reply, by default the last that was corrected; `text` what is said to it, by default what
        was said. Raises BadOption where there is no reply to give, or nothing to say to it.
        """
        self._only_chats()
        source = self.side(from_side).talk
        place = _wrong_turn(source) if turn is None else turn
        if not 0 <= place < len(source.turns):
            raise BadOption("there is no reply to give to the other side yet")
        correction = Correction(text.strip()) if text.strip() else _said_to(source, place)
        given = source.turns[: place + 1]

        async def work(here: Side, on_delta: OnDelta) -> None:
            about = source.setup  # its world and words, with the contestant and the sampling of this side
            setup = replace(here.talk.setup, toolbox=about.toolbox, system=about.system)
            origin = {"copied": source.id, "from": about.contestant.name, "turn": place}
            talk = await self._talks.new(setup, origin)
            await self._put(here, talk)
            for turn in given:
                await talk.give(turn)
            await talk.correct(correction, on_delta)

        return self._start([self.right if from_side == "left" else self.left], work)

    # what asks nobody ------------------------------------------------------------------------------------------------

    def answer(self, side: str, number: str, allowed: bool, reason: str = "") -> None:
        """Allow or deny the call that waits on a side; the reason of a no is told to the model. Where the process that
        asked has ended its turn goes on here. Raises BadOption where the question of that number does not wait (any
        more)."""
        here, verdict = self.side(side), verdict_of(allowed, reason)
        if here.busy or here.question is None or here.question.id != number:
            here.answer(number, verdict)
            return
        here.question = None
        self._start([here], lambda there, on_delta: there.talk.go_on(verdict, on_delta))

    @property
    def waits(self) -> bool:
        """Whether somebody must answer before anything goes on: every side that is busy has a call that waits."""
        busy = [side for side in (self.left, self.right) if side.busy]
        return bool(busy) and all(side.question for side in busy)

    async def stop(self, to: str = "both") -> None:
        """End what is being written. A call that waits is not run, and its turn is taken back."""
        await asyncio.gather(*(side.stop() for side in self._sides(to)))
        if self.blind is not None:
            await self._evened()

    async def undo(self, side: str) -> str:
        """Take the last turn of a side back, with everything it did; what had been said."""
        self._only_talks()
        here = self.side(side)
        with here.held():
            return await here.talk.undo()

    async def clear(self, to: str) -> None:
        """Begin anew with the same settings; the talk before keeps its address. A call that waits is not run."""
        self._only_chats()
        await asyncio.gather(*(side.stop() for side in self._sides(to) if side.question))
        await self.set(to)

    async def set(
        self,
        to: str,
        *,
        contestant: Contestant | None = None,
        toolbox: str | None = None,
        system: str | None = None,
        temperature: float | None = None,
    ) -> None:
        """Change settings; what is None stays. A new talk begins on these sides. Raises what is wrong with a name."""
        self._only_chats()
        changes = {"contestant": contestant, "toolbox": toolbox, "system": system, "temperature": temperature}
        sides = self._sides(to)
        for side in sides:
            await self._talks.check(side.talk.setup.with_(changes))
        for side in sides:
            if side.busy:
                raise BadOption(f"the {side.which} side is still answering; wait, or stop it")
        for side in sides:
            talk = await self._talks.new(side.talk.setup.with_(changes))
            with side.held():
                await self._put(side, talk)

    # inside ----------------------------------------------------------------------------------------------------------

    async def _evened(self) -> None:
        """Both sides of a battle that was stopped have answered, or neither: who was faster is not to be seen."""
        sides = (self.left, self.right)
        new = [len(side.talk.turns) - begun for side, begun in zip(sides, self._begun_with, strict=True)]
        for side, turns in zip(sides, new, strict=True):
            if turns > min(new):
                with side.held():
                    await side.talk.unanswer()

    def _start(self, sides: Sequence[Side], work: Work) -> Awaitable[object]:
        if self.blind is not None and self.busy:
            raise BadOption("the sides are still answering; wait, or stop them")
        for side in sides:
            if not side.busy and len(side.talk.turns) >= MOST_TURNS:
                raise BadOption(f"a talk has {MOST_TURNS} messages at most; clear it, or begin a new one")
        if held := [side for side in sides if side.busy or side.question]:
            held[0].begin()  # raises
        for side in sides:
            side.begin()
        self._begun_with = len(self.left.talk.turns), len(self.right.talk.turns)
        done = asyncio.gather(*(side.work(work) for side in sides))
        _RUNNING.add(done)
        done.add_done_callback(_RUNNING.discard)
        self.flow = asyncio.shield(done)
        return self.flow

    async def _put(self, side: Side, talk: Conversation) -> None:
        await self._talks.db(self._talks.records.replace_talk, self.id, side.which, row_of(talk))
        side.take(talk)

    def _sides(self, to: str) -> list[Side]:
        return [self.left, self.right] if to == "both" else [self.side(to)]

    def _only_talks(self) -> None:
        if self.kind == "pair":
            raise BadOption("these answers were given before; vote on them")

    def _only_chats(self) -> None:
        if self.kind != "chat":
            raise BadOption("not in a battle: both sides must stay as they are")


def checked(text: str) -> str:
    """What somebody says, without blanks around it. Raises BadOption for nothing, and for too much."""
    said = text.strip()
    if not said:
        raise BadOption("nothing was said: type something first")
    if len(said) > LONGEST:
        raise BadOption(f"that has {len(said):,} characters; {LONGEST:,} are the most")
    return said


def _wrong_turn(talk: Conversation) -> int:
    """The last reply that was corrected, else the last."""
    corrected = {turn.asked.amends for turn in talk.turns}
    return next((n for n in reversed(range(len(talk.turns))) if n in corrected), len(talk.turns) - 1)


def _said_to(source: Conversation, place: int) -> Correction:
    """What was said to that reply. Raises BadOption where nothing was."""
    for turn in source.turns[place + 1 :]:
        if turn.asked.amends == place and turn.correction is not None:
            return turn.correction
    raise BadOption("say what is wrong with that reply: the other model is told the same words")
