"""Corrections with what was due, out of written talks, the open sets and people's talks: what weigh.py learns from.

A talk of data/written (training/adapter/written_talks.py) shows a call and then a `change(…)` of it: the sentence
between them is a correction of the call that stood. Knows no weights.
"""

from __future__ import annotations

import ast
import datetime as dt
import json
import lzma
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import people

from toolmend import Resolved
from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec
from toolmend.language import resolve
from toolmend.language.corrections.slots import Slot, slots_of
from toolmend.language.corrections.values import Surroundings
from toolmend.session.mend.case import MendCase

ROOT = Path(__file__).parents[1]
OPEN = ROOT / "tests" / "language" / "corrections" / "data"
WRITTEN = ROOT / "src" / "toolmend" / "training" / "adapter" / "data" / "written"
PEOPLE = "sgd_train.txt.xz"
CALENDAR = (
    "@ add_calendar_entry(title, date: date, time: time, duration: minutes = 30)",
    "@ remove_calendar_entry(entry)",
)
_SIGNATURE = re.compile(r"@ (?P<name>\w+)\((?P<inside>.*)\)(?:  # (?P<told>.*))?$")
_PIECES = re.compile(r",\s*(?![^\[]*\])")
_PUT_AWAY = 5  # one sentence in so many is not learned from


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence about a call: its arguments as they stood, what was said before, the values that are due
    by name, and whether the call was complete."""

    source: str
    sentence: str
    slots: tuple[Slot, ...]
    said: Surroundings
    due: Mapping[str, tuple[Any, ...]]
    complete: bool

    @property
    def put_away(self) -> bool:
        """Whether it is for measuring only: a correction of a complete call that people said, one in five of them."""
        mine = zlib.crc32(self.sentence.encode()) % _PUT_AWAY == 0
        return self.source == "people" and self.complete and bool(self.due) and mine


def of_people(folder: Path) -> Iterator[Told]:
    """What people said in the training part of the Schema-Guided Dialogue corpus; each sentence once."""
    with lzma.open(folder / PEOPLE, "rt", encoding="utf-8") as file:
        yield from _once(_of_talks("people", file.read(), people.NOW))


def of_writers() -> Iterator[Told]:
    """Those of the written talks."""
    for about in ("calendar", "tools"):
        yield from _of_talks("written", (WRITTEN / f"{about}.txt").read_text(encoding="utf-8"), people.NOW)


def of_open_sets() -> Iterator[Told]:
    """The open corrections, each with its clock."""
    for file in sorted(OPEN.glob("*.jsonl")):
        beside = file.with_name(f"{file.stem}_tools.json")
        tools = json.loads((beside if beside.exists() else OPEN / "tools.json").read_text(encoding="utf-8"))
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            call, shape = row["call"], {**tools, **row.get("tools", {})}
            spec = ToolSpec(call["tool"], parameters=shape.get(call["tool"], _shapeless(call["arguments"])))
            now = dt.datetime.fromisoformat(row["now"]) if row.get("now") else None
            due = {name: (value,) for name, value in row.get("edit", {}).items()}
            told = _told("open", row["said"], spec, call["arguments"], row.get("request", ""), now, due)
            yield from (told,) if told else ()


def _shapeless(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {} for name in arguments}, "required": list(arguments)}


def _once(rows: Iterator[Told]) -> Iterator[Told]:
    seen: set[str] = set()
    for row in rows:
        if row.sentence not in seen:
            seen.add(row.sentence)
            yield row


def _of_talks(source: str, text: str, now: dt.datetime) -> Iterator[Told]:
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        told = [line for line in lines if line.startswith("@ ")] or list(CALENDAR)
        tools = {spec.name: spec for line in told if (spec := spec_of(line))}
        yield from _of_talk(source, list(_turns(lines)), tools, now)


def _turns(lines: Sequence[str]) -> Iterator[tuple[str, list[str], bool]]:
    """What was said, the lines of the reply, and whether these were right."""
    said, reply, right = "", list[str](), True
    for line in (*(line for line in lines if not line.startswith("@ ")), "> "):
        if line.startswith("> "):
            if said:
                yield said, reply, right
            said, reply, right = line[2:], [], True
        else:
            right = not line.startswith("~ ")
            reply.append(line.removeprefix("~ "))


def _of_talk(
    source: str, turns: Sequence[tuple[str, list[str], bool]], tools: Mapping[str, ToolSpec], now: dt.datetime
) -> Iterator[Told]:
    """Each sentence that changed a call that stood."""
    stood: tuple[ToolSpec, dict[str, str]] | None = None
    heard: list[str] = []
    for said, reply, right in turns:
        call = _call(reply[0]) if len(reply) == 1 else None
        name, words = call or ("", {})
        if stood and right:
            spec, standing = stood
            whole = "?" not in standing.values()
            values = {key: value for key, value in standing.items() if value != "?"}
            changed = {key: value for key, value in words.items() if value != standing.get(key)}
            fits = set(changed) <= set(spec.properties) and "?" not in changed.values()
            if name == "change" and changed and fits:
                yield from _changed(source, said, spec, values, " ".join(heard), now, changed, complete=whole)
        if name in tools:
            stood, heard = (tools[name], dict(words)), [said]
        elif name == "change" and stood and "of" not in words:
            stood[1].update(words)
            heard.append(said)


def _changed(
    source: str,
    said: str,
    spec: ToolSpec,
    standing: Mapping[str, str],
    heard: str,
    now: dt.datetime,
    changed: Mapping[str, str],
    *,
    complete: bool,
) -> Iterator[Told]:
    values = {name: _meant(words, spec.properties.get(name, {}), None, now)[0] for name, words in standing.items()}
    due = {name: _meant(words, spec.properties[name], values.get(name), now) for name, words in changed.items()}
    told = _told(source, said, spec, values, heard, now, due, complete=complete)
    yield from (told,) if told else ()


def _told(
    source: str,
    said: str,
    spec: ToolSpec,
    values: Mapping[str, Any],
    heard: str,
    now: dt.datetime | None,
    due: Mapping[str, tuple[Any, ...]],
    *,
    complete: bool = True,
) -> Told | None:
    case = MendCase(said, (Call(spec.name, dict(values)),), (spec,), heard, now=now)
    try:
        slots = case.slots(0)
    except BadOption:  # a unit that is none of ours
        return None
    plain = {name: tuple(map(people.plain, meant)) for name, meant in due.items()}
    new = {
        name: meant for name, meant in plain.items() if name not in values or people.plain(values[name]) not in meant
    }
    return Told(source, said, slots, Surroundings(heard, now), new, complete) if said.strip() else None


def _meant(words: Any, schema: Mapping[str, Any], old: Any, now: dt.datetime) -> tuple[Any, ...]:
    """What words can mean for a parameter, counted from its old value where they count; else the words."""
    computed = schema.get("type") != "string" or "format" in schema or "enum" in schema
    if not isinstance(words, str) or not computed or schema.get("type") not in _COMPUTED:
        return (words,)
    found = resolve(words, schema, now=now, like=old)
    return (found.value,) if isinstance(found, Resolved) else found.candidates or (words,)


def spec_of(line: str) -> ToolSpec | None:
    """The tool of a line of a talk: `@ book(place, day: date, seats: int = 2)  # Book a table. seats: how many`."""
    match = _SIGNATURE.match(line)
    if match is None:
        return None
    properties: dict[str, Any] = {}
    required: list[str] = []
    for piece in _PIECES.split(match["inside"]):
        left, given, _ = piece.partition(" = ")
        name, _, kind = left.partition(": ")
        properties[name.strip().rstrip("?")] = _schema(kind.strip())
        if not given and not name.endswith("?"):
            required.append(name.strip())
    return ToolSpec(match["name"], parameters={"type": "object", "properties": properties, "required": required})


def _schema(kind: str) -> dict[str, Any]:
    if kind in ("time", "date", "date-time"):
        return {"type": "string", "format": kind}
    if kind in ("int", "number", "float"):
        return {"type": "integer" if kind == "int" else "number"}
    if kind == "yes|no":
        return {"type": "boolean"}
    if kind.startswith("["):
        return {"type": "array", "items": {"type": "string"}}
    if "|" in kind:
        return {"type": "string", "enum": [member.strip() for member in kind.split("|")]}
    if kind in _UNITS:
        return {"type": "number", "x-unit": kind}
    return {"type": "number"} if re.fullmatch(r"[\w°%/]+", kind) and kind != "text" else {"type": "string"}


_COMPUTED = ("string", "integer", "number", "boolean")
_UNITS = frozenset(
    "seconds minutes hours days weeks EUR USD GBP percent celsius fahrenheit kilograms grams litres kilometres metres"
    " centimetres millimetres miles yards feet inches".split()
)


def _call(line: str) -> tuple[str, dict[str, str]] | None:
    """The name and the words of a line that is a call with texts alone."""
    try:
        tree = ast.parse(line.strip(), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
            return None
        words = {item.arg or "": ast.literal_eval(item.value) for item in tree.keywords}
    except (SyntaxError, ValueError):
        return None
    return (tree.func.id, words) if all(isinstance(value, str) for value in words.values()) else None
