"""Blind pairs for raters: two contestants' answers to the same request, sides by a fair coin, names in a key alone.

    pairs.jsonl  {"schema": 1, "pair": "3f…", "request": "…", "left": {"reply": "…", "calls": […]}, "right": {…}}
    key.jsonl    {"schema": 1, "pair": "3f…", "left": "builtin/small · freyr", "right": …, "case": …}

Same case, step and attempt; the answer to the request itself, before any correction. Run and seed decide everything.
docs/pairs.md explains the form. Judges nothing.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.events import Asked, Called, Marked, Replied, Undone
from toolmend.evals.store import Run, Sample
from toolmend.extras.arena.judges.anonymize import NameMask

SCHEMA = 1
READ = (Asked, Called, Marked, Replied, Undone)  # the events that tell

Place = tuple[str, int, int]  # case, attempt, step


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """What a rater sees of one side: the words the turn ended with, and the calls that took effect."""

    reply: str
    calls: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """A request with those before it in the dialogue, and what one contestant answered."""

    request: str
    earlier: tuple[str, ...]
    shown: ShownAnswer
    models: frozenset[str]


@dataclass(frozen=True, slots=True)
class BlindPairs:
    """The lines of both files. `there` counts what both answered, `alike` those in which nothing differs."""

    lines: tuple[Mapping[str, Any], ...]
    key: tuple[Mapping[str, Any], ...]
    there: int
    alike: int


def blind_pairs(run: Run, samples: Iterable[Sample], a: str, b: str, n: int, seed: int) -> BlindPairs:
    """At most n pairs of contestants a and b, each a part of its name that no other has.

    Raises UnknownName or BadOption for names, BadOption where there is nothing to rate.
    """
    first, second = (named(run, word) for word in (a, b))
    if first == second:
        raise BadOption(f"both are {first}: name two contestants")
    found = _answers(samples, (first, second))
    both = sorted(found[first].keys() & found[second].keys())
    differ = [place for place in both if found[first][place].shown != found[second][place].shown]
    if not differ:
        raise BadOption(f"nothing to rate: {first} and {second} share {len(both)} answers, all alike")
    chosen = random.Random(f"{seed} {run.id}").sample(differ, min(n, len(differ)))
    mask = _mask(run, [answer.models for by_place in found.values() for answer in by_place.values()])
    lines, key = [], []
    for place in chosen:
        line, names = _pair(run, place, (first, second), found, mask, seed)
        lines.append(line)
        key.append(names)
    head = {"schema": SCHEMA, **run.head(), "a": first, "b": second, "seed": seed}
    counts = {"there": len(both), "alike": len(both) - len(differ), "pairs": len(chosen)}
    return BlindPairs(tuple(lines), ({**head, **counts}, *key), len(both), len(both) - len(differ))


def named(run: Run, word: str) -> str:
    """The contestant of a run that a word is a part of. Raises UnknownName or BadOption where that is not one."""
    names = [f"{contestant.model} · {contestant.strategy}" for contestant in run.config.contestants]
    found = [name for name in names if name == word] or [name for name in names if word in name]
    if not found:
        raise UnknownName("contestant", word, names)
    if len(found) > 1:
        raise BadOption(f"{word!r} may be any of {', '.join(found)}; give more of it")
    return found[0]


# what was answered ---------------------------------------------------------------------------------------------------


def _answers(samples: Iterable[Sample], names: Sequence[str]) -> dict[str, dict[Place, RatedAnswer]]:
    """By contestant and place."""
    found: dict[str, dict[Place, RatedAnswer]] = {name: {} for name in names}
    for sample in samples:
        name = " · ".join(sample.contestant)
        if name in found and sample.status == "ok":
            for step, answer in answers(sample).items():
                found[name][sample.case, sample.attempt, step] = answer
    return found


def answers(sample: Sample) -> dict[int, RatedAnswer]:
    """By step the answer to its request, before any correction; none where the suite gave it."""
    asked = {event.turn: event for event in sample.events if isinstance(event, Asked)}
    first = {marked.step or 0: marked.turn for marked in reversed(sample.marked)}
    made: dict[int, RatedAnswer] = {}
    before: list[str] = []
    for step, turn in sorted(first.items()):
        request = asked[turn].text.removesuffix(asked[turn].reminder).strip() if turn in asked else ""
        replies = [event for event in sample.events if isinstance(event, Replied) and event.turn == turn]
        if replies and all(reply.model != "given" for reply in replies):
            models = frozenset(reply.model for reply in replies)
            made[step] = RatedAnswer(
                request, tuple(before), ShownAnswer(replies[-1].text, _calls(sample, turn)), models
            )
        before.append(request)
    return made


def _calls(sample: Sample, turn: int) -> tuple[Mapping[str, Any], ...]:
    """Calls of the turn that took effect, but for those that the turn itself took back."""
    gone = {
        id_ for e in sample.events if isinstance(e, Undone) and e.turn == turn and not e.redone for id_ in e.call_ids
    }
    return tuple(
        {"tool": event.call.tool, "arguments": dict(event.call.arguments)}
        for event in sample.events
        if isinstance(event, Called) and event.turn == turn and event.result.ok and event.call.id not in gone
    )


# lines ---------------------------------------------------------------------------------------------------------------


def _pair(
    run: Run,
    place: Place,
    names: tuple[str, str],
    found: Mapping[str, Mapping[Place, RatedAnswer]],
    mask: NameMask,
    seed: int,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A line of the pairs and the one of the key."""
    case, attempt, step = place
    about = f"{seed}\n{run.id}\n{case}\n{attempt}\n{step}"
    id_ = hashlib.sha256(about.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    left, right = names if random.Random(about).random() < 0.5 else names[::-1]
    answer = found[names[0]][place]
    line = {
        "schema": SCHEMA,
        "pair": id_,
        "earlier": list(answer.earlier),
        "request": answer.request,
        **{side: _side(found[name][place].shown, mask) for side, name in (("left", left), ("right", right))},
    }
    return line, {
        "schema": SCHEMA,
        "pair": id_,
        "left": left,
        "right": right,
        "case": case,
        "attempt": attempt,
        "step": step,
    }


def _side(shown: ShownAnswer, mask: NameMask) -> dict[str, Any]:
    return {"reply": mask.text(shown.reply), "calls": [mask.value(call) for call in shown.calls]}


def _mask(run: Run, models: Iterable[frozenset[str]]) -> NameMask:
    names = []
    for contestant in run.config.contestants:
        assigned: Mapping[str, str] = contestant.options.get("roles", {})
        own = contestant.model.partition(" ")[0] if assigned else contestant.model
        names += [contestant.model, own, contestant.strategy, *assigned.values()]
    return NameMask([*names, *(name for group in models for name in sorted(group))])
