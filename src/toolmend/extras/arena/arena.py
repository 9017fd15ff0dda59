"""The arena: gives everybody their desk, makes battles by a fair coin, and decides which votes count.

    arena = Arena("toolmend.db", [Contestant("builtin/small"), Contestant("builtin/tiny")])
    desk = await arena.open(person)              # the same one after a reload or a restart
    battle = await arena.battle(person, "Lunch with Ada on May 3 at noon")
    await battle.flow
    reveal = await arena.vote(person, battle.id, "left")

For one event loop. Desks are held in memory, and read again where another process went on with them: the records
are the truth. Knows no cookie and no screen.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from sqlalchemy.engine import Row

from toolmend.base.errors import BadOption, UnknownName
from toolmend.extras.arena.choices import Choices, Setup
from toolmend.extras.arena.conversation import Conversation
from toolmend.extras.arena.desk import Desk, checked
from toolmend.extras.arena.queue import PAIR, QueueProgress, match_of, next_item, pair_talk, progress_of, prompt_id
from toolmend.extras.arena.ratings import Votes, gains
from toolmend.extras.arena.records import WHOLE, new_id
from toolmend.extras.arena.side import SECONDS, DeskTerms, Side
from toolmend.extras.arena.talks import TalkEntry, Talks, row_of
from toolmend.extras.arena.views import Blind, Contestant, Reveal, SideView, ToolsView
from toolmend.extras.arena.votes import Board, RunRates, make_board, read_choice, read_reason
from toolmend.models import Model
from toolmend.session import Policy

COIN = secrets.SystemRandom()

_WRITTEN = 0.5  # seconds in which what was written here is in memory, too


class Arena:
    """Desks, battles and votes at a path or URL. `models` are models that were made instead of named (tests, demos).

    `toolbox` is the world to begin with, or several that are offered, the first of them: choices.py. `max_people` is
    how many desks are held in memory at once: others come back from the records when they are needed. `approve` says
    which calls may run; one that is asked about waits for `approval_seconds`; in battles nobody is asked, it is a dry
    run. `mend` has corrections understood by their words first. Raises what is wrong with place or names.
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        contestants: Sequence[Contestant],
        *,
        toolbox: str | Sequence[str] = "calendar",
        max_people: int = 1_000,
        models: Mapping[str, Model] | None = None,
        approve: str | Policy = "danger=ask",
        approval_seconds: float = SECONDS,
        mend: bool = True,
    ) -> None:
        boxes = [toolbox] if isinstance(toolbox, str) else list(toolbox)
        if not contestants or not boxes:
            raise BadOption(f"an arena needs at least one {'toolbox' if contestants else 'contestant'}")
        self.contestants = tuple(dict.fromkeys(contestants))
        terms = DeskTerms(Policy.of(approve) if isinstance(approve, str) else approve, approval_seconds, mend)
        choices = Choices.of(self.contestants, boxes, models or {})
        self.talks = Talks(place, choices, terms)
        self.records, self._rates = self.talks.records, RunRates(place)
        self.toolbox, self._most = boxes[0], max_people
        self._desks: OrderedDict[str, Desk] = OrderedDict()
        self._opening: dict[str, asyncio.Lock] = {}
        self._worlds: dict[str, ToolsView] = {}
        self._blind = Blind(self.contestants)

    def close(self) -> None:
        """Give back every connection."""
        self.records.close()
        self._rates.close()

    # what can be chosen ----------------------------------------------------------------------------------------------

    @property
    def models(self) -> list[str]:
        """The models that are offered."""
        return list(self.talks.choices.models)

    @property
    def strategies(self) -> list[str]:
        """The strategies that are offered."""
        return list(self.talks.choices.strategies)

    @property
    def toolboxes(self) -> list[str]:
        """The toolboxes that are offered."""
        return list(self.talks.choices.toolboxes)

    def about(self, toolbox: str) -> ToolsView:
        """What can be said in one of the toolboxes. Raises UnknownName for another."""
        if toolbox not in self._worlds:
            if toolbox not in self.talks.choices.toolboxes:
                raise UnknownName("toolbox", toolbox[:40], self.toolboxes)
            self._worlds[toolbox] = self.talks.choices.about(toolbox)
        return self._worlds[toolbox]

    # desks -----------------------------------------------------------------------------------------------------------

    async def open(self, person: str) -> Desk:
        """The desk of a person, as they left it; a new one for somebody new."""
        async with self._alone(person):
            known = await self.talks.db(self.records.last_desk, person, "chat")
            if known is not None:
                return await self._desk(known)
            pair = (*self.contestants, *self.contestants)[:2]
            setups = [Setup(contestant, self.toolbox) for contestant in pair]
            return await self._new_desk(new_id(), person, "chat", [await self.talks.new(setup) for setup in setups])

    async def battle(self, person: str, prompt: str = "", queue: str | None = None) -> Desk:
        """A blind battle of two contestants drawn by lot, on sides by a fair coin; `prompt` is answered at once.

        With `queue` what stands next in that queue: a prompt, or a pair that was answered before. A battle the person
        has open is abandoned. Raises BadOption where there are not two contestants, or nothing is left to rate.
        """
        if prompt.strip():
            checked(prompt)  # before the battle that is open is abandoned for it
        async with self._alone(person):
            if queue is not None:
                return await self._queued(person, queue)
            return await self._battle(person, prompt, self.toolbox, "", "")

    async def battle_of(self, person: str) -> Desk | None:
        """The battle that a person has open, None if there is none."""
        desk = await self.talks.db(self.records.open_battle, person)
        return None if desk is None else await self._desk(desk)

    async def leave(self, person: str) -> None:
        """Abandon the battle a person has open: it counts for nobody."""
        await self.talks.db(self.records.abandon, person)

    async def queues(self, person: str = "") -> list[QueueProgress]:
        """The queues for raters, and how far they are."""
        items, rated = await asyncio.gather(self.talks.db(self.records.items), self.talks.db(self.records.rated))
        return progress_of(items, rated, person)

    async def vote(self, person: str, desk_id: str, choice: str, *, reason: str = "") -> Reveal:
        """Keep a vote on a battle, which ends it and reveals the names.

        Raises UnknownName for a battle that never was, BadOption for a vote that says nothing, is somebody else's,
        comes twice, comes before both sides answered, or after the end.
        """
        winner, said = read_choice(choice), read_reason(reason)
        battle = await self.talks.db(self.records.battle, desk_id)
        if battle is None:
            raise UnknownName("battle", desk_id[:40], [])
        if not secrets.compare_digest(battle.person.encode(), person.encode()):
            raise BadOption("this battle is somebody else's: only who asked may vote")
        desk = await self._desk(desk_id)
        if battle.status == "open":
            _answered(desk)
        talks, names = (desk.left.talk, desk.right.talk), {"left": battle.left, "right": battle.right}
        about = await self._about(battle, talks)
        sides = {"a": battle.left, "b": battle.right, "winner": winner}  # never from whoever votes
        lengths = [sum(len(view.reply.split()) for view in talk.views) for talk in talks]
        row = {"battle": desk.id, "person": person, "turn": WHOLE, **sides, **about, "reason": said}
        row |= {"length_a": lengths[0], "length_b": lengths[1], "likert": None, "tags": "[]"}
        verdict = await self.talks.db(self.records.add_vote, row)
        if verdict == "repeated":
            raise BadOption("you have voted on this already: the first vote counts")
        if verdict == "late":
            raise BadOption("too late: this battle is over")
        desk.blind = None
        return Reveal(**names, winner=winner)

    async def seen(self, person: str, desk_id: str) -> Desk:
        """A desk of this person, a battle that is over too. Raises UnknownName for any other."""
        desk = await self._desk(desk_id)
        if desk.person != person:
            raise UnknownName("desk", desk_id[:40], [])
        return desk

    async def revealed(self, person: str, desk_id: str) -> Reveal | None:
        """The names of a battle that its person has voted on; None for any other."""
        battle = await self.talks.db(self.records.battle, desk_id)
        if battle is None or battle.person != person or battle.status != "voted":
            return None
        return Reveal(battle.left, battle.right, "")

    # what was ---------------------------------------------------------------------------------------------------------

    async def conversation(self, conversation: str, person: str | None = None) -> SideView:
        """A talk that may be seen, of this person where one is given. Raises UnknownName for one that is not there, or
        whose battle has no vote yet."""
        row, *_ = await self.talks.db(self.records.talk, conversation)
        battle = await self.talks.db(self.records.battle, row.desk)
        others = person is not None and (await self.talks.db(self.records.desk, row.desk)).person != person
        if others or (battle is not None and battle.status != "voted"):
            raise UnknownName("conversation", conversation[:40], [])
        return Side(row.side, await self.talks.opened(conversation)).view()

    async def history(self, person: str | None = None) -> list[TalkEntry]:
        """Talks that may be seen, of this person where one is given, the newest first."""
        rows = await self.talks.db(self.records.talks, person)
        firsts = await self.talks.db(self.records.firsts, [row.id for row in rows])
        named = [(row, Contestant(row.model, row.strategy).name) for row in rows if row.id in firsts]
        return [TalkEntry(row.id, name, row.toolbox, row.kind, row.made, *firsts[row.id]) for row, name in named]

    async def board(self) -> Board:
        """The leaderboard: ratings from votes, beside them rates of stored runs."""
        rows = await self.talks.db(self.records.votes)
        return await asyncio.to_thread(make_board, rows, len(self.contestants), self._rates)

    # inside ----------------------------------------------------------------------------------------------------------

    def _alone(self, person: str) -> asyncio.Lock:
        """Two tabs that open at once must get one desk."""
        if len(self._opening) > 4 * self._most:
            self._opening = {name: lock for name, lock in self._opening.items() if lock.locked()}
        return self._opening.setdefault(person, asyncio.Lock())

    async def _desk(self, desk_id: str) -> Desk:
        """A desk from memory, unless it went on in another process, else from the records. Raises UnknownName."""
        held = self._desks.get(desk_id)
        if held is not None and await self._stands(held):
            self._desks[desk_id] = held
            self._desks.move_to_end(desk_id)
            return held
        row = await self.talks.db(self.records.desk, desk_id)
        talks = [await self.talks.opened(side) for side in (row.left, row.right)]
        battle = await self.talks.db(self.records.battle, desk_id)
        if (faster := self._desks.get(desk_id)) is not None and faster is not held:
            return faster
        blind = self._blind if battle is not None and battle.status != "voted" else None
        desk = Desk(self.talks, desk_id, row.person, row.kind, talks, blind)
        desk.prompt = battle.prompt if battle else ""
        return self._held(desk)

    async def _stands(self, desk: Desk) -> bool:
        """Whether nobody has gone on with a desk elsewhere. One that answers here finds out when it writes."""
        if desk.busy:
            return True
        then = desk.standing
        left, right, next_left, next_right, status = await self.talks.db(self.records.standing, desk.id)
        further = next_left > then[2] or next_right > then[3]
        if (left, right) == then[:2] and not further and (desk.blind is None or status != "voted"):
            return True
        await asyncio.sleep(_WRITTEN)  # what is written here is in the records before it is in memory
        return desk.busy or desk.standing != then

    def _held(self, desk: Desk) -> Desk:
        self._desks[desk.id] = desk
        idle = [other for other in self._desks.values() if not other.busy]
        for other in idle[: max(0, len(self._desks) - self._most)]:
            if other is not desk:
                del self._desks[other.id]
        return desk

    async def _new_desk(
        self, id_: str, person: str, kind: str, talks: Sequence[Conversation], blind: Blind | None = None
    ) -> Desk:
        await self.talks.db(self.records.add_desk, id_, person, kind, [row_of(talk) for talk in talks])
        return self._held(Desk(self.talks, id_, person, kind, talks, blind))

    async def _battle(self, person: str, prompt: str, toolbox: str, queue: str, item: str) -> Desk:
        if len(self.contestants) < 2:
            raise BadOption("a battle needs two contestants: name another with --model")
        drawn = await self._drawn()
        talks = [await self.talks.new(Setup(contestant, toolbox)) for contestant in drawn]
        names = {"left": drawn[0].name, "right": drawn[1].name}
        desk = await self._begun(person, "battle", talks, names, prompt, queue, item)
        if prompt.strip():
            desk.send("both", prompt)
        return desk

    async def _drawn(self) -> list[Contestant]:
        """Two contestants by lot, in either order with the same chance: that is the coin."""
        pairs = list(combinations(range(len(self.contestants)), 2))
        [pair] = COIN.choices(pairs, await self.talks.db(self._gains, pairs))
        return [self.contestants[place] for place in COIN.sample(pair, 2)]

    def _gains(self, pairs: Sequence[tuple[int, int]]) -> list[float]:
        """What a vote on each pair would tell."""
        columns = [list(column) for column in zip(*self.records.tallies(), strict=True)]
        a, b, winners, counts = columns or ([], [], [], [])
        table = gains(Votes.of(a, b, winners, weight=counts), [contestant.name for contestant in self.contestants])
        return [float(table[pair]) for pair in pairs]

    async def _queued(self, person: str, queue: str) -> Desk:
        items = await self.talks.db(self.records.items, queue)
        if not items:
            known = [summary.queue for summary in await self.queues()]
            raise UnknownName("queue", queue, known)
        found = next_item(items, await self.talks.db(self.records.rated), person)
        if found is None:
            raise BadOption(f"nothing is left to rate in {queue!r}: thank you")
        body = json.loads(found.body)
        if found.kind != PAIR:
            return await self._battle(person, body["text"], body["toolbox"], queue, found.item)
        match = match_of(body)
        sides = [(match.a, match.shown_a), (match.b, match.shown_b)]
        COIN.shuffle(sides)  # anew for each rater: a favourite position cancels out
        talks = [self.talks.given(name) for name, _ in sides]
        names = {"left": sides[0][0], "right": sides[1][0]}
        desk = await self._begun(person, "pair", talks, names, match.request, queue, found.item)
        for talk, (_, shown) in zip(talks, sides, strict=True):
            await talk.take_over(pair_talk(match, shown))
        return desk

    async def _begun(
        self,
        person: str,
        kind: str,
        talks: Sequence[Conversation],
        names: Mapping[str, str],
        prompt: str,
        queue: str,
        item: str,
    ) -> Desk:
        desk = await self._new_desk(new_id(), person, kind, talks, self._blind)
        row = {"desk": desk.id, "person": person, "prompt": prompt, "queue": queue, "item": item, **names}
        await self.talks.db(self.records.add_battle, row)
        desk.prompt = prompt
        return desk

    async def _about(self, battle: Row[Any], talks: Sequence[Conversation]) -> dict[str, str]:
        """Prompt and category of a vote: of the queue's item where it came from one."""
        toolbox = talks[0].setup.toolbox
        if not battle.queue:
            said = next((talk.turns[0].asked.text for talk in talks if talk.turns), "")
            return {"prompt": prompt_id(said, toolbox), "category": toolbox}
        items = await self.talks.db(self.records.items, battle.queue)
        body: dict[str, str] = next((json.loads(row.body) for row in items if row.item == battle.item), {})
        return {"prompt": body.get("prompt") or battle.item, "category": body.get("category") or toolbox}


def _answered(desk: Desk) -> None:
    """Raise BadOption unless there is something to vote on; a side that was asked and is silent has given no answer."""
    if desk.busy:
        raise BadOption("wait until both sides have answered")
    talks = (desk.left.talk, desk.right.talk)
    if not all(talk.turns or talk.waiting for talk in talks):
        raise BadOption("there is nothing to vote on yet: say something to both sides first")
    if not any(talk.turns for talk in talks):
        raise BadOption("there is nothing to vote on: neither side gave an answer; say it again")
