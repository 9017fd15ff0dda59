"""Services of the Schema-Guided Dialogue corpus as tools: a tool an intent, its arguments the intent's slots, in the
order of the schema; the same under the names of SGD-X's five variants, whose services, slots and intents stand in the
same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.evals.benchmarks.sgd_services import HALF, intent_slots, sgd_services, slot_kind
from toolmend.training.people.tool_line import ToolLine

_VARIANTS = ("v1", "v2", "v3", "v4", "v5")


@dataclass(frozen=True, slots=True)
class Intent:
    """A tool's name, its arguments in order, those that must be given."""

    name: str
    slots: tuple[str, ...]
    required: frozenset[str]


@dataclass(frozen=True, slots=True)
class Schemas:
    """Services by their names, each as the corpus has it and as the variants have; intents and whether a slot has a
    closed list of values, by service and name."""

    services: Mapping[str, Sequence[Mapping[str, Any]]]
    intents: Mapping[tuple[str, str], Intent]
    categorical: Mapping[tuple[str, str], bool]

    @classmethod
    def read(cls, part: Path, folder: Path) -> Schemas:
        """Of a part of the corpus, and of the variants where the copy has them. Raises BadFile."""
        path = part / "schema.json"
        own = sgd_services(path)
        variants = [sgd_services(file) for name in _VARIANTS
                    if (file := folder / "sgd_x" / "data" / name / "train" / "schema.json").is_file()]  # fmt: skip
        for variant in variants:
            if [_form(one) for one in variant] != [_form(one) for one in own]:
                raise BadFile(folder / "sgd_x", f"has other services than {path}: {HALF}")
        services = {
            one["service_name"]: (one, *(variant[place] for variant in variants)) for place, one in enumerate(own)
        }
        try:
            intents = {
                (one["service_name"], intent["name"]): _intent(intent, one) for one in own for intent in one["intents"]
            }
            closed = {
                (one["service_name"], slot["name"]): bool(slot["is_categorical"])
                for one in own
                for slot in one["slots"]
            }
        except (KeyError, TypeError, AttributeError) as error:
            raise BadFile(path, f"is no schema as the corpus has them ({error!r})") from error
        return cls(services, intents, closed)

    def lines(self, services: Iterable[str]) -> list[tuple[str, ...]]:
        """The tools of services as lines, as the corpus names them and as each variant does."""
        named = [self.services[service] for service in services]
        return [tuple(line for own in named for line in _lines(own[0], own[place])) for place in range(len(named[0]))]


def _form(service: Mapping[str, Any]) -> tuple[int, int]:
    return len(service["slots"]), len(service["intents"])


def _intent(intent: Mapping[str, Any], service: Mapping[str, Any]) -> Intent:
    return Intent(intent["name"], intent_slots(intent, service), frozenset(intent["required_slots"]))


def _lines(own: Mapping[str, Any], shown: Mapping[str, Any]) -> Iterator[str]:
    """The tools of a service under the names of a variant: what they take is told by the service itself."""
    slots = {slot["name"]: (slot, other) for slot, other in zip(own["slots"], shown["slots"], strict=True)}
    for intent, other in zip(own["intents"], shown["intents"], strict=True):
        arguments, meanings = [], {}
        for name in intent_slots(intent, own):
            slot, variant = slots[name]
            arguments.append((variant["name"], _rest(slot, intent)))
            meanings[variant["name"]] = _plain(variant.get("description", ""))
        yield ToolLine(other["name"], tuple(arguments), _plain(other.get("description", "")), meanings).line()


def _plain(text: str) -> str:
    """A description that fits into a line of descriptions."""
    return re.sub(r"[;:#]", ",", " ".join(text.split())).rstrip(".")


def _rest(slot: Mapping[str, Any], intent: Mapping[str, Any]) -> str:
    """What stands after an argument's name: its kind, and its default where it has one."""
    kind = slot_kind(slot)
    shown = f": {kind}" if kind else ""
    if slot["name"] in intent["required_slots"]:
        return shown
    default = str(intent["optional_slots"][slot["name"]])
    told = {"True": "yes", "False": "no"}.get(default, default)
    return f"{shown} = {told}" if told not in ("dontcare", "") else f"?{shown}"
