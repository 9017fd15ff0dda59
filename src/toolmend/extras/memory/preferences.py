"""Wishes that hold until they are taken back: learned from corrections that say the same again and again, or told.

proposed ─► confirmed ─► undone        Only a person confirms. Only what is confirmed is applied, as text for the model.
        └─► declined                   What was declined or undone is proposed again only on fresh corrections.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.extras.knowledge.search.words import content
from toolmend.extras.memory.memory import Memory, State, harmless
from toolmend.extras.memory.stream import Stream
from toolmend.extras.memory.tables import Which

ENOUGH = 3
"""Corrections that make a proposal."""
_MOST = 2 / 3  # of the corrections of an argument must say the same
_LONGEST = 80
_EVERY: tuple[State, ...] = ("proposed", "confirmed", "declined", "undone")


class Preferences:
    """The preferences of a stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def propose(self, enough: int = ENOUGH) -> list[Memory]:
        """New proposals: arguments that were corrected the same way so often, and hardly ever otherwise."""
        if enough < 2:
            raise BadOption(f"a preference needs at least 2 corrections that say the same, not {enough}")
        spent = {number for old in self.known() for number in (*old.cites, *old.data.get("seen", ()))}
        settled = {_key(old.data) for old in self.known(("proposed", "confirmed"))}
        made = []
        corrections = [memory for memory in self.stream.memories(Which(kind="correction")) if "argument" in memory.data]
        for group in _groups([correction for correction in corrections if correction.number not in spent]):
            agreeing = max(group.values(), key=lambda some: (len(some), some[-1].number))
            every = sum(len(some) for some in group.values())
            key = _key(agreeing[0].data)
            if len(agreeing) < enough or len(agreeing) < _MOST * every or key in settled:
                continue
            made.append(self._proposal(agreeing))
        return made

    def prefer(self, tool: str, argument: str, value: Any, *, when: str = "", who: str = "user") -> Memory:
        """A default for an argument, proposed; with `when` for what is about that alone."""
        data = _checked(tool, argument, value) | ({"when": when} if when else {})
        return self.stream.remember(_told(data), who=who, kind="preference", state="proposed", data=data)

    def confirm(self, name: str | int) -> Memory:
        """A person agrees: from now on it is applied; what was confirmed of the same argument before, and is about the
        same, is undone."""
        found = self._preference(name)
        confirmed = self.stream.set_state(name, "confirmed", ("proposed", "declined", "undone"))
        for other in self.known(("confirmed",)):
            if other.number != found.number and "tool" in found.data and _matter(other.data) == _matter(found.data):
                self.stream.set_state(other.number, "undone", ("confirmed",))
        return confirmed

    def decline(self, name: str | int) -> Memory:
        """A person does not want it."""
        self._preference(name)
        return self.stream.set_state(name, "declined", ("proposed",))

    def undo(self, name: str | int) -> Memory:
        """It no longer holds."""
        self._preference(name)
        return self.stream.set_state(name, "undone", ("confirmed",))

    def known(self, states: Sequence[State] = _EVERY) -> list[Memory]:
        """The preferences in these states, the oldest first."""
        return self.stream.memories(Which(kind="preference"), states)

    def text(self) -> str:
        """What is confirmed, as system text; "" where nothing is."""
        lines = [f"- {harmless(preference.text)}" for preference in self.known(("confirmed",))]
        head = "Wishes that the user confirmed; they hold unless the user says otherwise:"
        return "\n".join([head, *lines]) if lines else ""

    def _proposal(self, agreeing: Sequence[Memory]) -> Memory:
        first = agreeing[0].data
        data = _checked(first["tool"], first["argument"], first["now"])
        if when := _common(agreeing):
            data["when"] = when
        numbers = [correction.number for correction in agreeing]
        return self.stream.remember(
            f"{_told(data)} (corrected {len(agreeing)} times)",
            kind="preference",
            state="proposed",
            cites=numbers,
            data={**data, "seen": numbers},
        )

    def _preference(self, name: str | int) -> Memory:
        found = self.stream.get(name)
        if found.kind != "preference":
            raise BadOption(f"{found.id} is no preference ({found.kind}): `toolmend memory preferences` lists them")
        return found


def _groups(corrections: Sequence[Memory]) -> list[dict[str, list[Memory]]]:
    """Corrections by the argument they concern, and in it by the value they want."""
    made: dict[tuple[str, str], dict[str, list[Memory]]] = {}
    for correction in corrections:
        value = json.dumps(correction.data["now"], sort_keys=True, ensure_ascii=False)
        made.setdefault(_place(correction.data), {}).setdefault(value, []).append(correction)
    return list(made.values())


def _common(corrections: Sequence[Memory]) -> str:
    """The words that the texts beside the argument share in all of them: what the wish is about. "" for none."""
    texts = [
        " ".join(value for value in correction.data.get("beside", {}).values() if isinstance(value, str))
        for correction in corrections
    ]
    if not all(texts):
        return ""
    shared = set.intersection(*(set(content(text)) for text in texts))
    words = [word.casefold() for word in texts[0].split() if set(content(word)) & shared and word.isalpha()]
    return " ".join(dict.fromkeys(words))[:_LONGEST]


def _checked(tool: str, argument: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, str | int | float | bool) or len(str(value)) > _LONGEST:
        raise BadOption(f"a preferred value is one number or short text, not {str(value)[:40]!r}")
    return {"tool": tool, "argument": argument, "now": value}


def _told(data: dict[str, Any]) -> str:
    when = f" where it is about {json.dumps(data['when'])}" if data.get("when") else ""
    return f"{data['argument']} of {data['tool']} is {json.dumps(data['now'], ensure_ascii=False)} by default{when}"


def _place(data: Any) -> tuple[str, str]:
    return (str(data.get("tool")), str(data.get("argument")))


def _matter(data: Any) -> tuple[object, ...]:
    return (*_place(data), frozenset(content(str(data.get("when", "")))))


def _key(data: Any) -> tuple[str, str, str]:
    return (*_place(data), json.dumps(data.get("now"), sort_keys=True))
