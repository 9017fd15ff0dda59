"""Dialogues of the Schema-Guided Dialogue corpus (Rastogi et al. 2020, CC BY-SA 4.0) as a suite of lines, a group for
each service. A person's turn that makes a request complete, or changes a complete one, is asked: expected is what the
annotation says, in any of its wordings, dates, times and numbers as what these mean on the corpus' day. All other
turns have the answer given that the corpus has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.evals.benchmarks.copies import version_of
from toolmend.evals.benchmarks.sgd_services import Service, intent_slots, intent_tool, sgd_dialogues, sgd_services
from toolmend.evals.suites.lines import ImportedSuite, keep_suite
from toolmend.language.resolve import Resolved, resolve

PARTS = ("dev", "test")
"""Those that may be examined by; `train` is for teaching."""
_NOW = "2019-03-01T09:00"


def import_sgd(folder: Path, part: str = "test", limit: int = 0) -> ImportedSuite:
    """Write the suite `sgd_PART`, at most `limit` dialogues a service (0: all), of those over one service. Raises
    BadFile."""
    place = folder / part
    services = {one["service_name"]: one for one in sgd_services(place / "schema.json")}
    cases: dict[str, list[dict[str, Any]]] = {}
    for path, dialogue in sgd_dialogues(place):
        try:
            (name,) = set(dialogue["services"]) if len(set(dialogue["services"])) == 1 else ("",)
            full = bool(limit) and len(cases.get(name, ())) >= limit
            if name and not full and (case := _case(dialogue, services[name])):
                cases.setdefault(name, []).append(case)
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise BadFile(path, f"has a dialogue that is not as the corpus has them ({error!r})") from error
    if not cases:
        raise BadFile(place, "has no dialogue over one service in which something is asked for")
    version = version_of(folder, [place / "schema.json", *place.glob("dialogues_*.json")])
    source = f"dstc8-schema-guided-dialogue (Rastogi et al. 2020), part {part}, CC BY-SA 4.0, {version}"
    head = {"about": f"Schema-Guided Dialogue, part {part}, by service", "source": source}
    return keep_suite(f"sgd_{part}", head, [case for name in sorted(cases) for case in cases[name]])


def _case(dialogue: Mapping[str, Any], service: Service) -> dict[str, Any] | None:
    tools = [intent_tool(intent, service) for intent in service["intents"]]
    steps = list(_steps(dialogue["turns"], service, {tool["name"]: tool["parameters"]["properties"] for tool in tools}))
    if not any(step["expected"] for step in steps):
        return None
    told = {"id": dialogue["dialogue_id"], "group": service["service_name"], "now": _NOW}
    return {**told, "tools": tools, "steps": steps}


def _steps(
    turns: Sequence[Mapping[str, Any]], service: Service, schemas: Mapping[str, Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    intents = {intent["name"]: intent for intent in service["intents"]}
    before: tuple[str, Mapping[str, Any]] = ("", {})
    for place, turn in enumerate(turns[:-1]):
        if turn["speaker"] != "USER":
            continue
        state = next((frame["state"] for frame in turn["frames"] if frame.get("state")), None)
        intent = intents.get(state["active_intent"]) if state else None
        slots = intent_slots(intent, service) if intent else ()
        values = {slot: given for slot, given in state["slot_values"].items() if slot in slots} if state else {}
        told = {slot: given for slot, given in values.items() if given and given != ["dontcare"]}
        now = (state["active_intent"] if state else "", told)
        if intent and now != before and set(intent["required_slots"]) <= told.keys():
            arguments = {slot: _one_of(given, schemas[intent["name"]][slot]) for slot, given in told.items()}
            yield {"say": turn["utterance"], "expected": [{"tool": intent["name"], "arguments": arguments}]}
        else:
            yield {"say": turn["utterance"], "expected": [], "given": turns[place + 1]["utterance"]}
        before = now if intent else before


def _one_of(values: Sequence[str], schema: Mapping[str, Any]) -> Any:
    """What words mean for a slot; several, where they have several meanings."""
    found = list(dict.fromkeys(value for words in values for value in _meant(words, schema)))
    return found[0] if len(found) == 1 else {"oneof": found}


def _meant(words: str, schema: Mapping[str, Any]) -> Sequence[Any]:
    if schema["type"] == "boolean":
        return (words == "True",)
    if schema["type"] == "string" and "format" not in schema:
        return (words,)
    meant = resolve(words, schema, now=_NOW)
    return (meant.value,) if isinstance(meant, Resolved) else meant.candidates or (words,)
