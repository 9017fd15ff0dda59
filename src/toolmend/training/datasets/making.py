"""A talk made into lines: one chat, and for wrong replies with an accepted better one sequences of hindsight.

Branches (another sentence tried after the same reply) give lines of their own. Curates nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import ToolSpec
from toolmend.base.mistakes import Correction, Mistake
from toolmend.language.corrections import correction_for, name_first
from toolmend.reading import read_python, render
from toolmend.training.datasets.lines import Chat, ChatMessage, Hindsight, HindsightAttempt, Line, tool_json
from toolmend.training.datasets.talks import AssistantTurn, Branch, LearnedTurn, StoredTalk, digest

GROUNDLESS = "The answer was right; the complaint had no ground."


@dataclass(frozen=True)
class Maker:
    """Makes lines. `version` is toolmend's, for where they are from."""

    version: str

    def lines(self, talk: StoredTalk) -> Iterator[Line]:
        """Every line of a talk; none where no reply was found right."""
        if any(turn.reply.right for turn in talk.turns):
            yield self.chat(talk)
        for place, turn in enumerate(talk.turns):
            if turn.reply.right:
                yield from self.mended(talk, place)
            for branch in turn.branches:
                yield from self.branched(talk, place, branch)

    def chat(self, talk: StoredTalk) -> Chat:
        """The whole talk; replies that were not found right are history only."""
        right = [turn.reply for turn in talk.turns if turn.reply.right]
        messages = self.before(talk, len(talk.turns), learn=True)
        return Chat(*self.head(talk, "chat", right), messages, self.source(talk, right))

    def mended(self, talk: StoredTalk, place: int) -> Iterator[Line]:
        """What a right reply mended: the wrong ones before it that it replaces."""
        chain = chain_to(talk.turns, place)
        if len(chain) > 1:
            wrongs = [said_wrong(turn.reply, after, talk) for turn, after in pairwise(chain)]
            yield self.hindsight(talk, self.asked(talk, chain[0]), [turn.reply for turn in chain], wrongs)

    def branched(self, talk: StoredTalk, place: int, branch: Branch) -> Iterator[Line]:
        """A right branch teaches to mend, or to stand by what is right; one that gives in is the worse answer."""
        turn = talk.turns[place]
        prompt = self.asked(talk, turn)
        told = (*prompt[:-1], *exchanged(turn, talk.tools, learn=False), ChatMessage("user", branch.correction.text))
        if branch.reply.right:
            head = self.head(talk, f"chat {branch.arm}", [branch.reply])
            good = answered(branch.reply, talk.tools)
            yield Chat(*head, (*told, good), self.source(talk, [branch.reply], branch.arm))
        if turn.reply.right is False and branch.reply.right:
            wrong = said_wrong(turn.reply, branch, talk)
            yield self.hindsight(talk, prompt, [turn.reply, branch.reply], [wrong], branch.arm)
        if turn.reply.right and not branch.reply.right:
            yield self.hindsight(talk, told, [branch.reply, turn.reply], [GROUNDLESS], branch.arm)

    # lines -----------------------------------------------------------------------------------------------------------

    def hindsight(
        self,
        talk: StoredTalk,
        prompt: Sequence[ChatMessage],
        replies: Sequence[AssistantTurn],
        wrongs: Sequence[str],
        arm: str = "",
    ) -> Hindsight:
        """The replies from the first to the last, which is right; what was wrong with the others."""
        bad = [HindsightAttempt(written(r, talk.tools), "bad", w) for r, w in zip(replies, wrongs, strict=False)]
        good = HindsightAttempt(written(replies[-1], talk.tools), "good")
        head = self.head(talk, f"hindsight {arm}", replies)
        return Hindsight(*head, tuple(prompt), (*bad, good), self.source(talk, replies, arm))

    # parts -----------------------------------------------------------------------------------------------------------

    def before(self, talk: StoredTalk, place: int, *, learn: bool = False) -> tuple[ChatMessage, ...]:
        """The system text and the turns before that place."""
        said = [ChatMessage("system", talk.system)] if talk.system else []
        for turn in talk.turns[:place]:
            said += exchanged(turn, talk.tools, learn=learn and bool(turn.reply.right))
        return tuple(said)

    def asked(self, talk: StoredTalk, turn: LearnedTurn) -> tuple[ChatMessage, ...]:
        """Everything up to the words of a turn."""
        return (*self.before(talk, talk.turns.index(turn)), ChatMessage("user", turn.user))

    def head(self, talk: StoredTalk, what: str, replies: Sequence[AssistantTurn]) -> tuple[str, Any]:
        """A line's id, from where it comes from, and its tools."""
        origin = [str(value) for value in asdict(talk.origin).values()]
        return digest(what, "oneline", *origin, *(str(reply.event) for reply in replies)), tuple(
            map(tool_json, talk.tools)
        )

    def source(self, talk: StoredTalk, replies: Sequence[AssistantTurn], arm: str = "") -> dict[str, Any]:
        """Where a line is from: the talk, and the numbers of its replies among the sample's events."""
        about = {"talk": talk.id, **asdict(talk.origin), "events": [reply.event for reply in replies]}
        return {**about, **({"arm": arm} if arm else {}), "toolmend": self.version}


def chain_to(turns: Sequence[LearnedTurn], place: int) -> list[LearnedTurn]:
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


def said_wrong(bad: AssistantTurn, after: LearnedTurn | Branch, talk: StoredTalk) -> str:
    """What was wrong, in words: those of the correction if they name something, else those of the mistake."""
    correction = after.correction or Correction(after.user if isinstance(after, LearnedTurn) else "")
    named = correction.level is None or correction.level >= 2
    first = name_first(bad.mistakes)
    if (named and correction.text) or first is None:
        return correction.text
    return _named(first, talk)


def _named(mistake: Mistake, talk: StoredTalk) -> str:
    """A sentence that names the mistake, the same each time."""
    spec = next((spec for spec in talk.tools if spec.full_name == mistake.tool), None)
    return correction_for(mistake, 2, 0, spec=spec).text


def answered(reply: AssistantTurn, tools: Sequence[ToolSpec], *, learn: bool = True) -> ChatMessage:
    """The reply as one message of the assistant."""
    return ChatMessage("assistant", written(reply, tools), learn)


def exchanged(turn: LearnedTurn, tools: Sequence[ToolSpec], *, learn: bool) -> list[ChatMessage]:
    """A whole turn: the user's words and the reply."""
    return [ChatMessage("user", turn.user), answered(turn.reply, tools, learn=learn)]


def written(reply: AssistantTurn, tools: Sequence[ToolSpec]) -> str:
    """A reply as text: a line of Python for each call.

    Right replies that are plain calls, and what Python cannot write, stay as they came."""
    text = reply.text.strip()
    if not reply.calls or (reply.spoken and (not reply.right or _plain(reply, tools))):
        return text
    specs = {spec.full_name: spec for spec in tools}
    try:
        return "\n".join(render(call, specs.get(call.tool)) for call in reply.calls)
    except BadOption:
        return text


def _plain(reply: AssistantTurn, tools: Sequence[ToolSpec]) -> bool:
    """Whether the text is the calls and nothing else, strictly read."""
    reading = read_python(reply.text, tools, lenient=False)
    same = [(c.tool, c.arguments) for c in reading.calls] == [(c.tool, c.arguments) for c in reply.calls]
    return same and not reading.rest.strip() and not reading.leniencies and reading.problem is None
