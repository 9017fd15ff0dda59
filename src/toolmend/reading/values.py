"""The values of one tool's parameters, in whatever shape a model writes them. Nothing raises, all forgiven is recorded.

- name: Goblin        hp: 5        **HP** (number) = 5 HP        {"name": "Goblin", "hp": 5}        add(name="Goblin")

A value goes on over indented lines: as more text, or as the items of a list. Where the first parameter comes again the
next call begins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.base.schemas import plain, types_of
from toolmend.reading.json_calls import read_json
from toolmend.reading.json_values import mended, too_deep, values
from toolmend.reading.python import read_python
from toolmend.reading.reading import Reading
from toolmend.reading.tags import read_tags, tagged
from toolmend.reading.thoughts import unthought
from toolmend.reading.value import NOTHING, value_of

MOST = 20_000
"""Texts are read up to this many characters."""

_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})\w*[ \t]*$", re.MULTILINE)
_LINE = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>(?:[-*•+]|\d{1,3}[.)])[ \t]+)?(?P<name>[^:=\n]{1,120})[:=](?P<value>.*)"
)
_ITEM = re.compile(r"[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+(?P<item>.*)")
_ASSIGNED = re.compile(r"(?:^|,)\s*\w+\s*=(?!=)")
_HINT = re.compile(r"(?<!\s)\s*\([^()]*\)\s*$")
_DECORATION = "*`\"'_ \t"
_NUMBER = re.compile(r"(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?P<unit>\s*[A-Za-z]{1,20}\.?)?")


def read_values(text: str, spec: ToolSpec) -> Reading:
    """One call of the tool, or several where its parameters are given several times."""
    words, thought = unthought(text)
    notes = {"reasoning": None} if thought else {}
    body = words[:MOST]
    bare = _FENCE.sub("", body)
    if bare != body:
        notes["fence"] = None
    found = _notation(bare.strip(), spec) or _Lines(spec).read(bare)
    return Reading(
        found.calls, found.rest, tuple(dict.fromkeys([*notes, *found.leniencies])), found.problem, found.detail
    )


def _notation(text: str, spec: ToolSpec) -> Reading | None:
    """The calls in a text that is JSON, tags or Python; None if it is something else."""
    if text[:1] in ("{", "["):
        reading = read_json(text, [spec])
        return reading if reading.calls or reading.problem == "syntax" else _objects(text, spec)
    if tagged(text):
        return read_tags(text, [spec])
    if re.match(rf"(?:[\w.]+\.)?{re.escape(spec.name)}\s*\(", text):
        return read_python(text, [spec])
    if "\n" not in text and _ASSIGNED.match(text) and len(_ASSIGNED.findall(text)) > 1:
        return read_python(f"{spec.full_name}({text})", [spec])
    return None


def _objects(text: str, spec: ToolSpec) -> Reading:
    """JSON objects of values, without the tool's name."""
    if too_deep(text):
        return Reading((), text, problem="syntax", detail="brackets are nested too deep")
    found = [decoded.value for _, _, decoded in values(text) if not decoded.problem]
    notes: tuple[str, ...] = ("flat",)
    if not found and (repaired := mended(text)) is not None and not repaired.problem:
        found, notes = [repaired.value], ("flat", *repaired.notes)
    items = [item for value in found for item in (value if isinstance(value, list) else [value])]
    given = [item for item in items if isinstance(item, Mapping) and set(item) & set(spec.properties)]
    if not given:
        return Reading((), text, problem="syntax", detail="it is no JSON object of the parameters")
    return Reading(tuple(Call(spec.full_name, dict(item)) for item in given), "", notes)


class _Lines:
    """Values line by line."""

    def __init__(self, spec: ToolSpec) -> None:
        self.spec, self.root = spec, spec.parameters
        self.properties = {name: plain(schema, self.root) for name, schema in spec.properties.items()}
        self.folded = {_fold(name): name for name in spec.properties}
        self.calls: list[dict[str, Any]] = []
        self.rest: list[str] = []
        self.notes: dict[str, None] = {}
        self._open: tuple[str, str, list[str]] | None = None

    def read(self, text: str) -> Reading:
        """The calls in lines of text."""
        for line in text.split("\n"):
            self._line(line.rstrip())
        self._close()
        known = [call for call in self.calls if set(call) & set(self.properties)]
        if not known:
            return Reading((), text.strip(), tuple(self.notes), "no_call")
        calls = tuple(Call(self.spec.full_name, arguments) for arguments in known)
        return Reading(calls, "\n".join(self.rest).strip(), tuple(self.notes))

    def _line(self, line: str) -> None:
        match = _LINE.fullmatch(line)
        name = self._parameter(match["name"]) if match else None
        if match and name and not (self._open and self._within(match["indent"])):
            self._begin(name, match["value"].strip(), marked=bool(match["mark"]))
        elif self._open and line[:1] in (" ", "\t") and line.strip():
            self._open[2].append(line.strip())
        elif match and match["mark"] and self._open:  # a parameter that there is not: the tool will say so
            self._begin(match["name"].strip(_DECORATION), match["value"].strip(), marked=True)
        elif line.strip():
            self.rest.append(line)

    def _within(self, indent: str) -> bool:
        """Whether an indented line belongs to the value that is open: an object or a list."""
        assert self._open is not None
        types = types_of(self.properties.get(self._open[0]), self.root)
        return bool(indent) and not self._open[1] and bool(types & {"array", "object"})

    def _begin(self, name: str, value: str, *, marked: bool) -> None:
        self._close()
        if not self.calls or name == next(iter(self.calls[-1]), None):
            self.calls.append({})
        elif name in self.calls[-1]:
            self.rest.append(f"{name}: {value}")
            return
        if not marked:
            self.notes["unmarked"] = None
        self.calls[-1][name] = None  # its place; the value is known once the next line begins
        self._open = (name, value, [])

    def _close(self) -> None:
        if self._open is None:
            return
        name, text, more = self._open
        self._open = None
        schema = self.properties.get(name, {})
        types = types_of(schema, self.root)
        optional = name in self.properties and name not in self.spec.required
        if optional and not more and text != "null" and text.lower() in NOTHING:
            self.notes["empty"] = None
            del self.calls[-1][name]
        elif more and not text and types & {"array", "object"}:
            self.calls[-1][name] = self._nested(more, types, schema)
        else:
            self.calls[-1][name] = self._value(" ".join([text, *more]).strip(), schema, types)

    def _value(self, text: str, schema: Mapping[str, Any], types: set[str]) -> Any:
        value = value_of(text, schema)
        if not isinstance(value, str):
            return value
        bare, choices = _HINT.sub("", value).strip(_DECORATION), schema.get("enum") or ()
        if choices and value not in choices:
            return self._noted("comment", bare) if bare in choices else value
        number = _NUMBER.fullmatch(bare) if types and types <= {"integer", "number"} else None
        if number:
            note = "unit" if number["unit"] else "comment"
            return self._noted(note, value_of(number["number"].replace(",", ""), schema))
        return value

    def _nested(self, lines: Sequence[str], types: set[str], schema: Mapping[str, Any]) -> Any:
        """The indented lines under a parameter as a list, or as an object."""
        items = [match["item"] if (match := _ITEM.fullmatch(line)) else line for line in lines]
        if "array" in types:
            inner = plain(schema.get("items"), self.root)
            return [value_of(item.strip(), inner) for item in items]
        pairs = {key.strip(_DECORATION): value.strip() for key, _, value in (item.partition(":") for item in items)}
        known = schema.get("properties") or {}
        return {key: value_of(value, plain(known.get(key), self.root)) for key, value in pairs.items()}

    def _noted(self, note: str, value: Any) -> Any:
        self.notes[note] = None
        return value

    def _parameter(self, written: str) -> str | None:
        """The parameter that this names; its type may stand behind it, as in the list that was asked for."""
        for name in (written, _HINT.sub("", written)):
            bare = name.strip(_DECORATION)
            if bare in self.properties:
                return bare
            if (folded := _fold(bare)) in self.folded:
                self.notes["names"] = None
                return self.folded[folded]
        return None


def _fold(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.casefold()).strip("_")
