"""What is to be judged: two answers to one request, and whose they are, which the judge is not told.

    {"pair": "3f…", "request": "…", "left": {"reply": "…", "calls": […], "contestant": "…"}, "right": {…}}

is a line of a file of matches: what `toolmend pairs` writes, the names in its key or beside the replies. Stored runs
give the same. Judges nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.store import Run, Sample
from toolmend.evals.suites.json_lines import json_objects
from toolmend.extras.arena.judges.blind_pairs import blind_pairs, named

_BROKEN = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two answers to the last of some requests. `a` and `b` are contestants, `shown_a` and `shown_b` what a judge sees.

    `prompt` is what votes on one request have in common, `turn` what tells apart those of one prompt.
    """

    id: str
    a: str
    b: str
    request: str
    shown_a: str
    shown_b: str
    earlier: tuple[str, ...] = ()
    prompt: str = ""
    turn: str = ""
    category: str = ""

    def about(self) -> dict[str, Any]:
        """What every judgement and vote on it says of it; lengths are words."""
        told = {name: getattr(self, name) for name in ("a", "b", "prompt", "turn", "category")}
        return {**told, "length_a": len(self.shown_a.split()), "length_b": len(self.shown_b.split())}


def read_matches(pairs: str | Path, key: str | Path | None = None) -> tuple[JudgedPair, ...]:
    """The matches of a file; with the key of `toolmend pairs` names, prompts and turns are in there.

    Raises BadFile with the line: no JSON, a field missing, a side without a contestant, an id given twice.
    """
    names = read_key(key) if key is not None else {}
    made: dict[str, JudgedPair] = {}
    for number, line in json_objects(pairs):
        try:
            match = _match(line, names.get(str(line["pair"]), {}) if "pair" in line else {})
        except _BROKEN as error:
            raise BadFile(pairs, f"no pair ({error!r}); docs/judges.md has the form", number) from error
        if not match.a or not match.b:
            raise BadFile(pairs, f"pair {match.id} does not say whose its sides are: --key KEY.jsonl does", number)
        if match.a == match.b:
            raise BadFile(pairs, f"pair {match.id} has {match.a!r} on both sides", number)
        if match.id in made:
            raise BadFile(pairs, f"pair {match.id} stands there twice", number)
        made[match.id] = match
    if not made:
        raise BadFile(pairs, "holds no pair")
    return tuple(made.values())


def read_key(path: str | Path) -> dict[str, Mapping[str, Any]]:
    """By pair the line of a key that `toolmend pairs` wrote: left, right, case, attempt, step. Raises BadFile."""
    made: dict[str, Mapping[str, Any]] = {}
    for number, line in json_objects(path):
        if "pair" in line:
            if not all(isinstance(line.get(side), str) and line[side] for side in ("left", "right")):
                raise BadFile(path, "a line of a key names the contestants left and right", number)
            made[str(line["pair"])] = line
    if not made:
        raise BadFile(path, "holds no key; `toolmend pairs --key` writes one")
    return made


def _match(line: Mapping[str, Any], names: Mapping[str, Any]) -> JudgedPair:
    left, right = line["left"], line["right"]
    earlier = tuple(str(text) for text in line.get("earlier", ()))
    request, shown = str(line["request"]), (_shown(left), _shown(right))
    a, b = (str(names.get(side, line[side].get("contestant", ""))) for side in ("left", "right"))
    return JudgedPair(
        str(line.get("pair") or _digest(request, *shown, a, b, *earlier)),
        a,
        b,
        request,
        *shown,
        earlier,
        prompt_of(names) or str(line.get("prompt", "")) or _digest(request, *earlier),
        turn_of(names) or str(line.get("turn", "")),
        category_of(names) or str(line.get("category", "")),
    )


def _shown(side: Mapping[str, Any]) -> str:
    """What a judge sees of one side: the calls that took effect, then the words."""
    calls = [_call_text(call) for call in side.get("calls", ())]
    words = str(side.get("reply", "")).strip()
    done = ["What the assistant did:", *calls] if calls else []
    return "\n".join([*done, *(["What it wrote:"] if calls else []), words or "(nothing)"])


def _call_text(call: Mapping[str, Any]) -> str:
    inner = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call["arguments"].items())
    return f"{call['tool']}({inner})"


def prompt_of(key: Mapping[str, Any]) -> str:
    """The prompt of a pair from a run: its case. Attempts and steps of a case are alike."""
    return str(key.get("case", ""))


def turn_of(key: Mapping[str, Any]) -> str:
    """`step 0`, with an attempt but the first `step 0 attempt 2`; "" without a step."""
    if "step" not in key:
        return ""
    return f"step {key['step']}" + (f" attempt {key['attempt']}" if key.get("attempt") else "")


def category_of(key: Mapping[str, Any]) -> str:
    """The experiment that a case belongs to: what stands before its first slash."""
    before, slash, _ = prompt_of(key).partition("/")
    return before if slash else ""


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def run_matches(
    run: Run, samples: Sequence[Sample], couples: Sequence[tuple[str, str]], n: int, seed: int
) -> tuple[JudgedPair, ...]:
    """At most n matches of answers for each couple of contestants, as `toolmend pairs` would write them.

    Couples whose answers are all alike give none. Raises as `blind_pairs` does, and BadOption where nothing is left.
    """
    made: list[JudgedPair] = []
    for a, b in couples:
        try:
            found = blind_pairs(run, samples, a, b, n, seed)
        except BadOption:
            if len(couples) == 1:
                raise
            continue
        keys = {line["pair"]: line for line in found.key[1:]}
        for line in found.lines:
            match = _match(line, keys[line["pair"]])
            made.append(replace(match, id=_digest(match.id, *sorted((match.a, match.b)))))
    if not made:
        raise BadOption("nothing to judge: no two contestants share an answer in which they differ")
    return tuple(made)


def couples_of(run: Run, first: str | None, second: str | None) -> list[tuple[str, str]]:
    """The contestants to be compared: every two, those against one, or the two named (a part of a name will do)."""
    names = [f"{contestant.model} · {contestant.strategy}" for contestant in run.config.contestants]
    if first is None and second is None:
        return list(combinations(names, 2))
    if first is None or second is None:
        word = first or second or ""
        return [(a, b) for a, b in combinations(names, 2) if word in a or word in b]
    return [(named(run, first), named(run, second))]
