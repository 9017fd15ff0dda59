"""Objects that a model gave one text for, or a broken list: their fields by what stands in the sentence.

"Henrik Dahl, Strandgata 12, 5004 Bergen" → name, street, postcode, city; "two lasagne and a salad without onions" → two
things, each with its number and its note. Pure: knows words and a tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.base.schemas import plain
from toolmend.language.resolve.allotted import words_of
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import MISSING, place_of
from toolmend.language.resolve.words import TEN_NAMES, UNIT_NAMES

Fields = Mapping[str, Mapping[str, Any]]

_NAME = r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*"
_PIECE = rf"(?:\d{{4,6}} {_NAME}|{_NAME}(?: \d+[a-z]?)?)"
_FURTHER = re.compile(rf"(?:(?:,| in| from| at|, in| of) {_PIECE}(?![\w.%]))*")
_BETWEEN = re.compile(r",\s*(?:in\s+)?|\s+(?:in|from|at|of)\s+")
_CODE = re.compile(r"(?P<code>\d{4,6}) (?P<town>.+)")
_TOWNS, _STREETS = frozenset("city town place village".split()), frozenset("street address road".split())
_CODES = frozenset("postcode zip postal zipcode code".split())
_COUNT = rf"\d+|an?|{'|'.join([*UNIT_NAMES[1:], *TEN_NAMES])}"
_ITEM = re.compile(
    rf"(?i)(?:(?P<count>{_COUNT})\s+(?:x\s+)?)?(?P<thing>[^\W\d].*?)(?:\s+(?P<note>(?:without|no|extra|not) .+))?"
)
_LISTED = re.compile(r"\s*(?:,\s*(?:and\b)?|;|&|\band\b|\bplus\b)\s*")
_END = re.compile(r"[.;:!?](?=\s|$)|,? (?:please|thanks|thank you)\b|$")


def in_fields(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words; of objects and lists of objects the fields, where their words were not given by field."""
    told = dict(words)
    for name, text in words.items():
        one = typed(name, plain(spec.properties.get(name, {}), spec.parameters))
        items = plain(one.get("items") or {}, spec.parameters)
        if one.get("type") == "object" and isinstance(text, str) and text != MISSING:
            told[name] = _object(one, text, sentence) or text
        elif one.get("type") == "array" and items.get("type") == "object" and not _is_whole(text):
            told[name] = _things(items, text, sentence) or text
    return told


def _is_whole(value: Any) -> bool:
    """Whether every item has its fields, and none is due."""
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, Mapping) and MISSING not in item.values() for item in items)


def _object(schema: Mapping[str, Any], text: str, sentence: str) -> dict[str, str]:
    """The first text that must be given, and what stands behind it: a street, a postcode, a town."""
    fields: Fields = schema.get("properties") or {}
    heads = [name for name in schema.get("required") or fields if fields.get(name, {}).get("type") == "string"]
    place = place_of(text, sentence)
    if not heads or place is None:
        return {}
    further = _FURTHER.match(sentence, place[1])
    head, *pieces = _BETWEEN.split(sentence[place[0] : further.end() if further else place[1]])
    told = {heads[0]: head}
    for piece in pieces:
        coded = _CODE.fullmatch(piece)
        kinds = [(_CODES, coded["code"]), (_TOWNS, coded["town"])] if coded else []
        kinds = kinds or [(_STREETS if re.search(r"\d", piece) else _TOWNS, piece)]
        for kind, value in kinds:
            there = [name for name in fields if set(words_of(name)) & kind and name not in told]
            told |= {there[0]: value} if there else {}
    return told


def _things(schema: Mapping[str, Any], value: Any, sentence: str) -> list[dict[str, str]]:
    """Things with their number, as they are listed; [] where they cannot be told."""
    fields: Fields = schema.get("properties") or {}
    needed = schema.get("required") or ()
    texts = [name for name, one in fields.items() if typed(name, one).get("type") == "string" and "enum" not in one]
    counts = [name for name, one in fields.items() if typed(name, one).get("type") in ("integer", "number")]
    if len(counts) != 1 or not texts or texts[0] not in needed:
        return []
    items = [_ITEM.fullmatch(part) for part in _LISTED.split(_listed(value, texts[0], sentence)) if part]
    things = []
    for item in items:
        if item is None:
            return []
        count = (item["count"] or "one").lower()
        thing = {texts[0]: item["thing"], counts[0]: "1" if count in ("a", "an", "one") else count}
        if item["note"] and len(texts) == 2:
            thing[texts[1]] = item["note"]
        elif item["note"]:
            thing[texts[0]] = f"{item['thing']} {item['note']}"
        things.append(thing)
    return things


def _listed(value: Any, name: str, sentence: str) -> str:
    """The part of the sentence that lists the things: from the number before the first to its end."""
    if isinstance(value, str):
        return value if value != MISSING else ""
    items = value if isinstance(value, list) else []
    first = next((str(item.get(name, "")) for item in items if isinstance(item, Mapping)), "")
    place = place_of(first, sentence)
    if place is None:
        return " and ".join(item for item in items if isinstance(item, str) and place_of(item, sentence))
    counted = re.search(rf"(?i)(?<!\w)(?:{_COUNT})\s+$", sentence[: place[0]])
    start = counted.start() if counted else place[0]
    end = _END.search(sentence, place[1])
    return sentence[start : end.start() if end else len(sentence)]
