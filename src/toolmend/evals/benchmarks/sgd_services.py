"""Services of the Schema-Guided Dialogue corpus (Rastogi et al. 2020, CC BY-SA 4.0): its schema.json, what kind of
value a slot takes, and its intents as tools. The corpus is somebody's own copy; nothing of it is here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile

HALF = "half a download? Fetch it again"
Service = Mapping[str, Any]
_KINDS = (
    (re.compile(r"(?:^|_)(?:date|day)$"), "date"),
    (re.compile(r"(?:^|_)time$"), "time"),
    (re.compile(r"(?:^|_)(?:amount|price|fare|balance|rent)$"), "number"),
    (re.compile(r"(?:number|count|^num)(?:_|$)"), "int"),
)
_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "number": {"type": "number"},
    "int": {"type": "integer"},
    "yes|no": {"type": "boolean"},
    "": {"type": "string"},
}
_FILE = re.compile(r"dialogues_(\d+)\.json")


def loaded_json(path: Path) -> Any:
    """What a file of JSON holds. Raises BadFile with what may be wrong with it."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise BadFile(path, f"is no JSON, or cut off: {HALF}") from error


def sgd_services(path: Path) -> Sequence[Service]:
    """The services of a schema.json. Raises BadFile."""
    if not path.is_file():
        raise BadFile(path, "is not there: wanted is a copy of dstc8-schema-guided-dialogue; is it half a download?")
    found = loaded_json(path)
    keys = {"service_name", "slots", "intents"}
    if not isinstance(found, list) or not all(isinstance(one, dict) and keys <= one.keys() for one in found):
        raise BadFile(path, "is no list of services with slots and intents, as the corpus has them")
    return found


def sgd_dialogues(part: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Every dialogue of a part of the corpus, with its file. Raises BadFile for another format, or half a copy."""
    files = sorted((int(match[1]), path) for path in part.glob("*.json") if (match := _FILE.fullmatch(path.name)))
    if not files:
        raise BadFile(part, "has no dialogues_001.json: wanted is a copy of dstc8-schema-guided-dialogue")
    there = {number for number, _ in files}
    if missing := sorted(set(range(1, max(there) + 1)) - there):
        raise BadFile(part, f"lacks dialogues_{missing[0]:03}.json, but not those after it: {HALF}")
    for _, path in files:
        found = loaded_json(path)
        if not isinstance(found, list) or not all(isinstance(one, dict) and "turns" in one for one in found):
            raise BadFile(path, "is no list of dialogues with turns, as the corpus has them")
        yield from ((path, dialogue) for dialogue in found)


def slot_kind(slot: Mapping[str, Any]) -> str:
    """What a slot takes, as the spoken notation shows it: `date`, `yes|no`, `a|b`; "" for text."""
    values = [str(value) for value in slot["possible_values"]]
    if slot["is_categorical"] and values:
        if set(values) <= {"True", "False"}:
            return "yes|no"
        return "int" if all(value.isdigit() for value in values) else "|".join(values)
    return next((kind for form, kind in _KINDS if form.search(slot["name"])), "")


def intent_slots(intent: Mapping[str, Any], service: Service) -> tuple[str, ...]:
    """The slots that an intent takes, in the order of the schema."""
    taken = {*intent["required_slots"], *intent["optional_slots"]}
    return tuple(slot["name"] for slot in service["slots"] if slot["name"] in taken)


def intent_tool(intent: Mapping[str, Any], service: Service) -> dict[str, Any]:
    """An intent as a tool with a JSON Schema."""
    slots = {slot["name"]: slot for slot in service["slots"]}
    properties = {}
    for name in intent_slots(intent, service):
        kind = slot_kind(slots[name])
        schema = dict(_SCHEMAS.get(kind) or {"type": "string", "enum": slots[name]["possible_values"]})
        properties[name] = {**schema, "description": slots[name].get("description", "")}
    parameters = {"type": "object", "properties": properties, "required": list(intent["required_slots"])}
    return {"name": intent["name"], "description": intent.get("description", ""), "parameters": parameters}
