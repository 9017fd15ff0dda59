"""A stored sample as a talk: what was said, which calls counted, and whether somebody found the reply right.

A reply is right where it was marked and no mistake was found. In a talk without marks (a person's chat) it is right
where it answers a correction, its calls took effect, and nothing after it corrects it. Knows no files and no lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TypeVar

from toolmend.base.events import Asked, Called, Corrected, Event, Marked, Read, Replied, Tried, Undone
from toolmend.base.messages import Call, CallResult, ToolSpec
from toolmend.base.mistakes import Correction, Mistake
from toolmend.evals.store import Sample
from toolmend.reading import read

E = TypeVar("E", bound=Event)
GIVEN = "given"  # the model of a reply that a suite set


@dataclass(frozen=True, slots=True)
class AssistantTurn:
    """An assistant's turn: the last text, the calls that count, and the words beside them. `event` is its number.

    `right` is None where nobody said. `spoken` tells that `text` is what was read, so that it may stand for the calls.
    """

    text: str
    calls: tuple[Call, ...] = ()
    results: tuple[CallResult, ...] = ()
    words: str = ""
    right: bool | None = None
    mistakes: tuple[Mistake, ...] = ()
    event: int = 0
    spoken: bool = True


@dataclass(frozen=True, slots=True)
class Branch:
    """Another sentence said after a reply, what came back, and undone at once. `arm` is its name ("level 2")."""

    arm: str
    correction: Correction
    reply: AssistantTurn


@dataclass(frozen=True, slots=True)
class LearnedTurn:
    """One request or correction with its reply; `amends` is the number of the turn it corrects.

    `step` is that of the suite, None where nobody graded; `undone` tells that its calls were taken back later.
    """

    number: int
    user: str
    reply: AssistantTurn
    amends: int | None = None
    correction: Correction | None = None
    step: int | None = None
    undone: bool = False
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a talk is from: what every line made of it tells."""

    run: str
    suite: str
    case: str = ""
    attempt: int = 0
    model: str = ""
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class StoredTalk:
    """One sample, ready to be made into lines. `system` is the text above it, "" for none."""

    origin: Origin
    tools: tuple[ToolSpec, ...]
    system: str
    turns: tuple[LearnedTurn, ...] = field(default=())

    @property
    def id(self) -> str:
        """The same for every talk that begins with the same request, whoever answered, and how often."""
        return talk_id(self.turns[0].user if self.turns else "")


def talk_id(request: str) -> str:
    """16 hexadecimal digits for the request that a talk begins with; letters' case, marks and spaces do not count."""
    return digest(" ".join(re.findall(r"\w+", request.lower())))


def digest(*parts: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the parts."""
    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def talk_of(sample: Sample, origin: Origin, tools: tuple[ToolSpec, ...], system: str) -> StoredTalk:
    """The talk of a sample's events; turns without an answer are left out."""
    numbered = _standing(list(enumerate(sample.events)))
    turns = []
    for number in sorted({event.turn for _, event in numbered if isinstance(event, Asked)}):
        of = [(place, event) for place, event in numbered if getattr(event, "turn", None) == number]
        if any(_answers(event) for _, event in of) and not _withdrawn(of):
            turns.append(_turn(number, of, tools))
    gone = _taken_back(numbered)
    turns = [
        replace(turn, undone=bool(turn.reply.calls) and {c.id for c in turn.reply.calls} <= gone) for turn in turns
    ]
    if not any(isinstance(event, Marked) for _, event in numbered):
        turns = _accepted(turns)
    return StoredTalk(origin, tools, system, tuple(turns))


def _answers(event: Event) -> bool:
    """Whether a model answered, or the ladder did without one."""
    return isinstance(event, Replied) or (isinstance(event, Read) and bool(event.told))


Numbered = Sequence[tuple[int, Event]]


def _standing(numbered: list[tuple[int, Event]]) -> Numbered:
    """The events without turns that were taken back: their number was given again to what was said next."""
    kept: list[tuple[int, Event]] = []
    for place, event in numbered:
        if isinstance(event, Asked):
            kept = [(p, e) for p, e in kept if getattr(e, "turn", -1) < event.turn]
        kept.append((place, event))
    return kept


def _withdrawn(of: Numbered) -> bool:
    """Whether a person took the turn back: all that it did was undone within it, and nobody graded it."""
    done = {event.call.id for _, event in of if isinstance(event, Called) and event.result.ok}
    return bool(done) and done <= _taken_back(of) and _last(of, Marked) is None


def _turn(number: int, of: Numbered, tools: tuple[ToolSpec, ...]) -> LearnedTurn:
    asked = _last(of, Asked)
    marked, corrected = _last(of, Marked), _last(of, Corrected)
    assert asked is not None
    correction = corrected.correction if corrected else None
    return LearnedTurn(
        number,
        _bare(asked.text, asked.reminder),
        _reply(of, marked),
        asked.amends,
        correction and Correction(_bare(correction.text, asked.reminder), correction.level, correction.mistake),
        None if marked is None else marked.step or 0,
        branches=tuple(_branch(place, event, tools, asked.reminder) for place, event in of if isinstance(event, Tried)),
    )


def _reply(of: Numbered, marked: Marked | None) -> AssistantTurn:
    replies = [(place, event) for place, event in of if isinstance(event, Replied)]
    replies = replies or [
        (place, Replied(event.turn, event.told)) for place, event in of if isinstance(event, Read) and event.told
    ]
    reads = [event for _, event in of if isinstance(event, Read)]
    results = {event.call.id: event.result for _, event in of if isinstance(event, Called)}
    gone = _taken_back(of)
    calls = reads[-1].calls if reads else ()
    if len(reads) > 1:  # what grading counts: see Turn.reading
        kept = {id_ for id_, result in results.items() if result.ok and id_ not in gone} | {c.id for c in calls}
        calls = tuple(call for read_ in reads for call in read_.calls if call.id in kept)
    place, last = replies[-1]
    once = len(replies) == 1 and not last.calls and last.role == "main"
    words = "" if once or not reads or reads[-1].calls else last.text.strip()
    right = None if marked is None or (last.model == GIVEN and not marked.mistakes) else not marked.mistakes
    found = tuple(results[call.id] for call in calls if call.id in results)
    mistakes = marked.mistakes if marked else ()
    told = reads[-1].told if reads else ""  # the calls in full, where a model said them in words
    return AssistantTurn(told or last.text, calls, found, words, right, mistakes, place, once)


def _branch(place: int, tried: Tried, tools: tuple[ToolSpec, ...], reminder: str) -> Branch:
    calls = tried.calls or read(tried.text, tools).calls
    calls = tuple(Call(call.tool, call.arguments, f"b{number}") for number, call in enumerate(calls, 1))
    correction = Correction(_bare(tried.correction.text, reminder), tried.correction.level, tried.correction.mistake)
    once = tried.replies == 1 and not tried.calls
    reply = AssistantTurn(tried.text, calls, (), "", not tried.mistakes, tried.mistakes, place, once)
    return Branch(tried.arm, correction, reply)


def _taken_back(numbered: Numbered) -> set[str]:
    """Ids of calls that do not stand at the end of these events."""
    gone: set[str] = set()
    for _, event in numbered:
        if isinstance(event, Undone):
            gone = gone - set(event.call_ids) if event.redone else gone | set(event.call_ids)
    return gone


def _accepted(turns: Sequence[LearnedTurn]) -> list[LearnedTurn]:
    """Nobody graded: what was corrected is wrong, what answers a correction and was let stand is right."""
    wrong = {turn.amends for turn in turns}
    made = []
    for turn in turns:
        works = bool(turn.reply.results) and all(result.ok for result in turn.reply.results) and not turn.undone
        right = False if turn.number in wrong else True if turn.amends is not None and works else None
        made.append(replace(turn, reply=replace(turn.reply, right=right)))
    return made


def _bare(text: str, reminder: str) -> str:
    """The words without the sentence that a suite adds for some models."""
    return text.removesuffix(reminder).strip()


def _last(of: Numbered, kind: type[E]) -> E | None:
    return next((event for _, event in reversed(of) if isinstance(event, kind)), None)
