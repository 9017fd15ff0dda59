"""Dialogues of the Schema-Guided Dialogue corpus (Rastogi et al. 2020) as talks; names by SGD-X (Lee et al. 2022).

Only its part `train` is read: dev and test are exams. Learned is what the annotation says that a person asked for or
changed, in the person's own words; confirmations, choices among results and the like are left out. What came out of a
result was not said: it is a "?" where it must be given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.evals.benchmarks.sgd_services import HALF, sgd_dialogues
from toolmend.language.resolve.said import CHANGE, MISSING, Said
from toolmend.reading.spoken import write_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.people.sgd_schema import Intent, Schemas
from toolmend.training.people.talk_lines import PeopleTalk

ABOUT = {
    "set": "sgd",
    "licence": "CC BY-SA 4.0",
    "cite": "Schema-Guided Dialogue (Rastogi et al. 2020), SGD-X (Lee et al. 2022), training part",
}
REFUSED, WELCOME = "None of these tools can do that.", "You're welcome."
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_POLITE = frozenset(("THANK_YOU", "GOODBYE"))


def sgd_talks(folder: Path) -> list[PeopleTalk]:
    """The talks of a copy of the corpus, in its order. Raises BadFile for another format, or half a copy."""
    part = folder / "train" if (folder / "train").is_dir() else folder
    schemas = Schemas.read(part, folder)
    talks = (_talk(dialogue, schemas, path) for path, dialogue in sgd_dialogues(part))
    return [talk for talk in talks if talk]


def _talk(dialogue: Mapping[str, Any], schemas: Schemas, path: Path) -> PeopleTalk | None:
    """None for a dialogue in which nothing is called."""
    where = str(dialogue.get("dialogue_id", "?"))
    try:
        services = list(dict.fromkeys(dialogue["services"]))
        if unknown := [service for service in services if service not in schemas.services]:
            raise BadFile(path, f"dialogue {where} uses {unknown[0]}, which schema.json has not: {HALF}")
        heard = _Heard(schemas)
        turns = [turn for said in dialogue["turns"] if said["speaker"] == "USER" for turn in heard.turn(said)]
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise BadFile(path, f"dialogue {where} is not as the corpus has them ({error!r})") from error
    if not heard.called:
        return None
    tools, *otherwise = schemas.lines(services)
    return PeopleTalk(tools, tuple(turns), tuple(otherwise), f"sgd train {where}")


@dataclass
class _Heard:
    """What was said and called so far in a dialogue."""

    schemas: Schemas
    states: dict[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # by the value, in small letters: how it was said
    called: str = ""  # the service and intent that were called last
    _count: int = 0

    def turn(self, said: Mapping[str, Any]) -> Iterator[Turn]:
        """What a person's turn teaches: nothing, or one turn."""
        text = str(said["utterance"])
        lines = [line for frame in said["frames"] if frame.get("state") for line in self._lines(frame, text)]
        acts = {action["act"] for frame in said["frames"] for action in frame.get("actions", ())}
        self._count += 1
        if lines:
            yield Turn(text, write_spoken(lines, ()), True, "people")
        elif acts == {"REQUEST"} and self._count % 2:
            yield Turn(text, REFUSED, True, "people")
        elif acts and acts <= _POLITE and self.called:
            yield Turn(text, WELCOME, True, "people")

    def _lines(self, frame: Mapping[str, Any], text: str) -> Iterator[Said]:
        service, state = str(frame["service"]), frame["state"]
        values = {slot: given for slot, given in state["slot_values"].items() if given and given != ["dontcare"]}
        before, self.states[service] = self.states.get(service, {}), values
        told = {span["slot"]: text[span["start"] : span["exclusive_end"]] for span in frame.get("slots", ())}
        new = {slot for slot, given in values.items() if not set(given) & set(before.get(slot, ()))}
        acts = [(action["act"], action.get("slot")) for action in frame.get("actions", ())]
        informed = {slot for act, slot in acts if act == "INFORM"}
        for slot in (slot for slot in new if not acts or slot in told or slot in informed):  # others: chosen, not said
            if words := self._words(service, slot, values[slot], text, told):
                self.words |= {value.casefold(): words for value in (*values[slot], words)}
        name = state["active_intent"]
        intent = self.schemas.intents.get((service, name))
        if intent is None:
            return
        if f"{service} {name}" != self.called:
            self.called = f"{service} {name}"
            yield Said(intent.name, self._call(intent, values))
        elif changed := self._changed(intent, {slot: values[slot] for slot in values if slot in new}):
            yield Said(CHANGE, changed)

    def _call(self, intent: Intent, values: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """The words of a new call: what was said now or before, a "?" for what must be given and was not."""
        words = {slot: self._said(values.get(slot, ())) or MISSING * (slot in intent.required) for slot in intent.slots}
        return {slot: told for slot, told in words.items() if told}

    def _changed(self, intent: Intent, values: Mapping[str, Sequence[str]]) -> dict[str, str]:
        words = {slot: self._said(given) for slot, given in values.items() if slot in intent.slots}
        return {slot: told for slot, told in words.items() if told}

    def _said(self, values: Sequence[str]) -> str:
        return next((self.words[value.casefold()] for value in values if value.casefold() in self.words), "")

    def _words(self, service: str, slot: str, values: Sequence[str], text: str, told: Mapping[str, str]) -> str:
        """How a value was said; "" where it was not."""
        if told.get(slot) or not self.schemas.categorical.get((service, slot)):
            return told.get(slot, "")
        value = values[0]
        if value in ("True", "False"):
            return "yes" if value == "True" else "no"
        forms = [re.escape(value)]
        if value.isdigit() and int(value) < len(_NUMBERS):
            forms.append(_NUMBERS[int(value)])
        match = re.search(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", text, re.IGNORECASE)
        return match[0] if match else value
