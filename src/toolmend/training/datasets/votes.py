"""Votes on blind pairs made into lines: the better side of a pair is chosen, the worse rejected.

A vote is a line of a CSV file with `pair` (or `prompt`) and `winner`: left or a, right or b, tie, both_bad. `a` is the
left side, unless a key and a column `a` say otherwise. Judges no reply: better is what more people liked.
"""

from __future__ import annotations

import csv
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, BadOption, ToolmendError
from toolmend.evals.suites.suite import load_suite
from toolmend.messages import Call, ToolSpec
from toolmend.tools import Toolbox
from toolmend.training.datasets.lines import Attempt, Hindsight, Line, Pair, Said
from toolmend.training.datasets.phrasing import As, answered
from toolmend.training.datasets.sources import Intake, system_text, unreadable
from toolmend.training.datasets.talks import Reply, digest, talk_id

SIDES = {"left": "left", "a": "left", "right": "right", "b": "right", "tie": "tie", "both_bad": "both_bad"}
OTHER = {"left": "right", "right": "left"}
WHY = "People liked the other answer better."


@dataclass(frozen=True, slots=True)
class Ballot:
    """Files of votes and of the pairs they are about; the key that says whose they are; the toolbox they are of."""

    votes: Path
    pairs: Path
    key: Path | None = None
    tools: str = ""


def lines(ballot: Ballot, form: As, version: str, intake: Intake, *, skip_bad: bool) -> Iterator[Line]:
    """A pair and a sequence of hindsight for each blind pair with a better side.

    Raises BadFile with the line, BadOption where nobody says of which toolbox the pairs are.
    """
    key = _key(ballot.key)
    box = _toolbox(ballot, key.get("", {}))
    weights = _weights(ballot.votes, key, intake, skip_bad)
    system = system_text(form, box)
    for data in _pairs(ballot.pairs, intake, skip_bad):
        found = weights.pop(data["pair"], Counter())
        better = next((side for side in OTHER if found[side] > found[OTHER[side]]), None)
        if better is None:
            intake.left_out["votes: no side better" if found else "votes: pair without a vote"] += 1
            continue
        source = {**_source(data, key.get(data["pair"], {}), better, found, ballot, version)}
        made = _made(data, better, box.specs, system, form, source)
        if made is None:
            intake.left_out["votes: sides alike in this form"] += 1
        else:
            yield from made
    if weights:
        intake.left_out["votes: on an unknown pair"] += len(weights)


def _made(
    data: Mapping[str, Any], better: str, tools: tuple[ToolSpec, ...], system: str, form: As, source: dict[str, Any]
) -> tuple[Line, Line] | None:
    good, bad = (_said(data[side], tools, form) for side in (better, OTHER[better]))
    if (good.content, good.calls) == (bad.content, bad.calls):
        good, bad = (Said("assistant", data[side]["reply"].strip()) for side in (better, OTHER[better]))
    if (good.content, good.calls) == (bad.content, bad.calls):
        return None
    prompt = (Said("system", system), *(Said("user", text) for text in (*data["earlier"], data["request"])))
    ids = [digest(what, form, data["pair"]) for what in ("vote", "vote hindsight")]
    attempts = (Attempt(bad.content, bad.calls, "bad", WHY), Attempt(good.content, good.calls))
    return Pair(ids[0], tools, prompt, (good,), (bad,), WHY, source), Hindsight(ids[1], tools, prompt, attempts, source)


def _said(side: Mapping[str, Any], tools: tuple[ToolSpec, ...], form: As) -> Said:
    calls = tuple(Call(call["tool"], call["arguments"], f"c{n}") for n, call in enumerate(side["calls"], 1))
    return answered(Reply(side["reply"], calls, right=True), tools, form)


def _source(
    data: Mapping[str, Any], key: Mapping[str, Any], better: str, found: Counter[str], ballot: Ballot, version: str
) -> Mapping[str, Any]:
    """Where a line is from; whose replies they are where the key was given."""
    about = {name: key[name] for name in ("run", "suite", "case", "attempt", "step") if name in key}
    if key:
        about |= {"chosen": key[better], "rejected": key[OTHER[better]]}
    talk = talk_id([*data["earlier"], data["request"]][0])
    votes = {side: found[side] for side in dict.fromkeys(SIDES.values()) if found[side]}
    return {
        "talk": talk,
        **about,
        "pair": data["pair"],
        "votes": votes,
        "pairs": ballot.pairs.name,
        "toolmend": version,
    }


# files ---------------------------------------------------------------------------------------------------------------


def _toolbox(ballot: Ballot, head: Mapping[str, Any]) -> Toolbox:
    if ballot.tools:
        return Toolbox.load(ballot.tools)
    try:
        return Toolbox.load(load_suite(str(head["suite"])).tools)
    except (KeyError, ToolmendError) as error:
        raise BadOption(f"of which toolbox are the pairs of {ballot.pairs.name}? give --key or --tools") from error


def _key(path: Path | None) -> dict[str, Mapping[str, Any]]:
    """By pair whose answers they are; under "" what the first line tells of all."""
    if path is None:
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for number, raw in _numbered(path):
        data = _object(path, raw, number)
        head = found.get("", data)
        if found and not all(isinstance(data.get(name), str) for name in ("pair", "left", "right")):
            raise BadFile(path, "no line of a key: pair, left and right must be text", number)
        found[str(data["pair"]) if found else ""] = {"run": head.get("id"), "suite": head.get("suite"), **data}
    return found


def _weights(
    path: Path, key: Mapping[str, Mapping[str, Any]], intake: Intake, skip_bad: bool
) -> dict[str, Counter[str]]:
    """By pair the votes for each side, as their weights say."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream, strict=True)
            names = rows.fieldnames or []
            about = next((name for name in ("pair", "prompt") if name in names), "")
            if not about or "winner" not in names:
                raise BadFile(path, "must have the columns pair (or prompt) and winner", 1)
            for row in rows:
                try:
                    side, weight = _vote(row, about, key)
                except ValueError as error:
                    if not skip_bad:
                        raise BadFile(path, str(error), rows.line_num) from error
                    intake.left_out[f"broken line in {path.name}"] += 1
                else:
                    found[row[about]][side] += weight  # type: ignore[assignment]  # a weight may be a fraction
    except OSError as error:
        raise unreadable(path, error) from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadFile(path, f"no CSV ({error})") from error
    return dict(found)


def _vote(row: Mapping[str, str | None], about: str, key: Mapping[str, Mapping[str, Any]]) -> tuple[str, float]:
    """The side that a row is for, and how much it counts. Raises ValueError."""
    if None in row or None in row.values():
        raise ValueError("has more or fewer cells than there are columns")
    winner = (row["winner"] or "").strip()
    if winner not in SIDES:
        raise ValueError(f"winner is {winner!r}, none of {', '.join(SIDES)}")
    weight = float(row.get("weight") or 1)
    if not 0 <= weight < math.inf:
        raise ValueError(f"weight is {weight}, no number from 0")
    side, whose = SIDES[winner], key.get(row[about] or "", {})
    swapped = winner in ("a", "b") and "a" in row and row["a"] == whose.get("right") != whose.get("left")
    return (OTHER[side] if swapped else side), weight


def _pairs(path: Path, intake: Intake, skip_bad: bool) -> Iterator[dict[str, Any]]:
    for number, raw in _numbered(path):
        try:
            yield _checked(path, _object(path, raw, number), number)
        except BadFile:
            if not skip_bad:
                raise
            intake.left_out[f"broken line in {path.name}"] += 1


def _checked(path: Path, data: dict[str, Any], number: int) -> dict[str, Any]:
    """A line of pairs with everything that is needed of it."""
    earlier = data.setdefault("earlier", [])
    texts = [data.get("pair"), data.get("request"), *(earlier if isinstance(earlier, list) else [None])]
    sides = [data.get(side) for side in OTHER]
    if not all(isinstance(text, str) for text in texts) or not all(map(_is_side, sides)):
        raise BadFile(path, "no blind pair: needs pair, request, left and right; see docs/pairs.md", number)
    return data


def _is_side(side: Any) -> bool:
    if not isinstance(side, dict) or not isinstance(side.get("reply"), str) or not isinstance(side.get("calls"), list):
        return False
    return all(isinstance(c, dict) and isinstance(c.get("tool"), str) and isinstance(c.get("arguments"), dict)
               for c in side["calls"])  # fmt: skip


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            yield from ((number, raw) for number, raw in enumerate(stream, 1) if raw.strip())
    except OSError as error:
        raise unreadable(path, error) from error


def _object(path: Path, raw: bytes, number: int) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        raise BadFile(path, f"no JSON ({error})", number) from error
    if not isinstance(data, dict):
        raise BadFile(path, "no JSON object", number)
    return data
