"""A talk made into lines: one chat, and for wrong replies with an accepted better one pairs and sequences of hindsight.

Branches (another sentence tried after the same reply) give lines of their own. Curates nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from toolmend.corrections import correction_for, name_first
from toolmend.mistakes import Correction, Mistake
from toolmend.training.datasets.lines import Chat, Hindsight, Line, Pair, Said
from toolmend.training.datasets.phrasing import answered, attempted, exchanged
from toolmend.training.datasets.talks import Branch, Reply, Talk, Turn, digest

GROUNDLESS = "The answer was right; the complaint had no ground."


@dataclass(frozen=True)
class Maker:
    """Makes lines. `version` is toolmend's, for where they are from."""

    version: str

    def lines(self, talk: Talk) -> Iterator[Line]:
        """Every line of a talk; none where no reply was found right."""
        if any(turn.reply.right for turn in talk.turns):
            yield self.chat(talk)
        for place, turn in enumerate(talk.turns):
            if turn.reply.right:
                yield from self.mended(talk, place)
            for branch in turn.branches:
                yield from self.branched(talk, place, branch)

    def chat(self, talk: Talk) -> Chat:
        """The whole talk; replies that were not found right are history only."""
        right = [turn.reply for turn in talk.turns if turn.reply.right]
        messages = self.before(talk, len(talk.turns), learn=True)
        return Chat(*self.head(talk, "chat", right), messages, self.source(talk, right))

    def mended(self, talk: Talk, place: int) -> Iterator[Line]:
        """What a right reply mended: the wrong ones before it that it replaces."""
        chain = chain_to(talk.turns, place)
        if len(chain) < 2:
            return
        good = talk.turns[place]
        graded = good.step is not None
        for turn, after in pairwise(chain):
            # A person's correction may say what was not known before: then the prompt ends with it.
            prompt = self.asked(talk, chain[0] if graded else good)
            yield self.pair(talk, prompt, good.reply, turn.reply, said_wrong(turn.reply, after, talk))
        wrongs = [said_wrong(turn.reply, after, talk) for turn, after in pairwise(chain)]
        replies = [turn.reply for turn in chain]
        yield self.hindsight(talk, self.asked(talk, chain[0]), replies, wrongs)

    def branched(self, talk: Talk, place: int, branch: Branch) -> Iterator[Line]:
        """A right branch teaches to mend, or to stand by what is right; one that gives in is the worse of a pair."""
        turn = talk.turns[place]
        prompt = self.asked(talk, turn)
        said = Said("user", branch.correction.text)
        history = exchanged(turn, talk.tools, learn=False)
        told = (*prompt[:-1], *history, said)
        if branch.reply.right:
            good = answered(branch.reply, talk.tools)
            source = self.source(talk, [branch.reply], branch.arm)
            yield Chat(*self.head(talk, f"chat {branch.arm}", [branch.reply]), (*told, good), source)
        if turn.reply.right is False and branch.reply.right:
            wrong = said_wrong(turn.reply, branch, talk)
            yield self.pair(talk, prompt, branch.reply, turn.reply, wrong, branch.arm)
            yield self.hindsight(talk, prompt, [turn.reply, branch.reply], [wrong], branch.arm)
        if turn.reply.right and not branch.reply.right:
            yield self.pair(talk, told, turn.reply, branch.reply, GROUNDLESS, branch.arm)

    # lines -----------------------------------------------------------------------------------------------------------

    def pair(self, talk: Talk, prompt: Sequence[Said], good: Reply, bad: Reply, why: str, arm: str = "") -> Pair:
        """The better and the worse reply to one prompt."""
        chosen, rejected = (answered(reply, talk.tools) for reply in (good, bad))
        head = self.head(talk, f"pair {arm}", [good, bad])
        return Pair(*head, tuple(prompt), (chosen,), (rejected,), why, self.source(talk, [good, bad], arm))

    def hindsight(
        self, talk: Talk, prompt: Sequence[Said], replies: Sequence[Reply], wrongs: Sequence[str], arm: str = ""
    ) -> Hindsight:
        """The replies from the first to the last, which is right; what was wrong with the others."""
        bad = [attempted(r, talk.tools, "bad", w) for r, w in zip(replies, wrongs, strict=False)]
        good = attempted(replies[-1], talk.tools, "good")
        head = self.head(talk, f"hindsight {arm}", replies)
        return Hindsight(*head, tuple(prompt), (*bad, good), self.source(talk, replies, arm))

    # parts -----------------------------------------------------------------------------------------------------------

    def before(self, talk: Talk, place: int, *, learn: bool = False) -> tuple[Said, ...]:
        """The system text and the turns before that place."""
        said = [Said("system", talk.system)] if talk.system else []
        for turn in talk.turns[:place]:
            said += exchanged(turn, talk.tools, learn=learn and bool(turn.reply.right))
        return tuple(said)

    def asked(self, talk: Talk, turn: Turn) -> tuple[Said, ...]:
        """Everything up to the words of a turn."""
        return (*self.before(talk, talk.turns.index(turn)), Said("user", turn.user))

    def head(self, talk: Talk, what: str, replies: Sequence[Reply]) -> tuple[str, Any]:
        """A line's id, from where it comes from, and its tools."""
        origin = [str(value) for value in asdict(talk.origin).values()]
        return digest(what, "oneline", *origin, *(str(reply.event) for reply in replies)), talk.tools

    def source(self, talk: Talk, replies: Sequence[Reply], arm: str = "") -> dict[str, Any]:
        """Where a line is from: the talk, and the numbers of its replies among the sample's events."""
        about = {"talk": talk.id, **asdict(talk.origin), "events": [reply.event for reply in replies]}
        return {**about, **({"arm": arm} if arm else {}), "toolmend": self.version}


def chain_to(turns: Sequence[Turn], place: int) -> list[Turn]:
    """The turns that a right reply replaces, one by one, oldest first, then its own. All belong to one request."""
    good = turns[place]
    if good.step is not None:
        return [turn for turn in turns[:place] if turn.step == good.step and turn.reply.right is False] + [good]
    chain = [good]
    while chain[0].amends is not None:
        found = next((turn for turn in turns if turn.number == chain[0].amends), None)
        if found is None or found.number >= chain[0].number:
            break
        chain.insert(0, found)
    return chain


def said_wrong(bad: Reply, after: Turn | Branch, talk: Talk) -> str:
    """What was wrong, in words: those of the correction if they name something, else those of the mistake."""
    correction = after.correction or Correction(after.user if isinstance(after, Turn) else "")
    named = correction.level is None or correction.level >= 2
    first = name_first(bad.mistakes)
    if (named and correction.text) or first is None:
        return correction.text
    return _named(first, talk)


def _named(mistake: Mistake, talk: Talk) -> str:
    """A sentence that names the mistake, the same each time."""
    spec = next((spec for spec in talk.tools if spec.full_name == mistake.tool), None)
    return correction_for(mistake, 2, 0, spec=spec).text
