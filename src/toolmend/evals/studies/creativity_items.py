"""What a run's calls made up: the names and descriptions of the things they made or changed, with the request.

Only calls that took effect and were not undone, of the talks themselves; what a suite gave is nobody's. Which arguments
count is guessed from their names; of these the suite's `open` ones, where it has any. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from toolmend.evals.studies.creativity import Item, words
from toolmend.evals.suites.suite import Suite
from toolmend.events import Asked, Called, Replied, Undone
from toolmend.messages import Call
from toolmend.store import Sample

READ = (Asked, Called, Replied, Undone)  # the events that tell
NAMES = ("name", "title")
DESCRIPTIONS = ("description", "text")
_MAKES = frozenset("add create make new place insert build write put".split())
_CHANGES = frozenset("update edit change rename modify set".split())
_ASIDE = frozenset("a an the properties property details entry".split())


@dataclass(frozen=True)
class Arguments:
    """The arguments that count. `said` tells whether the suite says so; else they are guessed."""

    names: tuple[str, ...] = NAMES
    descriptions: tuple[str, ...] = DESCRIPTIONS
    said: bool = False

    @classmethod
    def of(cls, suite: Suite | None) -> Arguments:
        """Those that the suite leaves open in some step; all with such a name where it says nothing."""
        steps = [step for case in (suite.cases().values() if suite else ()) for step in case.steps]
        open_ = {name for step in steps for name in step.open}
        names, descriptions = _among(NAMES, open_), _among(DESCRIPTIONS, open_)
        return cls(names, descriptions, True) if names or descriptions else cls()


def _among(wanted: Iterable[str], there: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in wanted if name in there)


def created(sample: Sample, arguments: Arguments) -> Iterator[Item]:
    """The things of one sample, in the order of their calls."""
    if sample.status == "error":
        return
    asked = {event.turn: event for event in sample.events if isinstance(event, Asked)}
    given = {event.turn for event in sample.events if isinstance(event, Replied) and event.model == "given"}
    gone = _undone(sample)
    for event in sample.events:
        if isinstance(event, Called) and event.result.ok and event.turn not in given and event.call.id not in gone:
            yield from _item(event.call, sample, _request(asked, event.turn), arguments)


def _undone(sample: Sample) -> set[str]:
    gone: set[str] = set()
    for event in sample.events:
        if isinstance(event, Undone):
            gone = gone - set(event.call_ids) if event.redone else gone | set(event.call_ids)
    return gone


def _item(call: Call, sample: Sample, request: str, arguments: Arguments) -> Iterator[Item]:
    verb, type_ = kind(call.tool)
    if verb not in _MAKES and verb not in _CHANGES:
        return
    name, description = (_text(call, wanted) for wanted in (arguments.names, arguments.descriptions))
    if name or description:
        talk = (sample.case, sample.attempt)
        yield Item(sample.case, talk, type_, verb in _MAKES, name, description, request)


def kind(tool: str) -> tuple[str, str]:
    """Verb and thing of a tool's name: `dungeon.add_enemy` -> add, enemy."""
    found = words(tool.rpartition(".")[2])
    verb = next((word for word in found if word in _MAKES | _CHANGES), "")
    return verb, " ".join(word for word in found if word != verb and word not in _ASIDE)


def _text(call: Call, wanted: Iterable[str]) -> str:
    found = (call.arguments.get(name) for name in wanted)
    return next((value for value in found if isinstance(value, str) and value.strip()), "")


def _request(asked: dict[int, Asked], turn: int) -> str:
    """All that was said for it: the words of the turn, and of the one it amends."""
    said: list[str] = []
    at: int | None = turn
    while at is not None and at in asked and len(said) < len(asked):
        said.insert(0, asked[at].text.removesuffix(asked[at].reminder))
        at = asked[at].amends
    return "\n".join(said)
