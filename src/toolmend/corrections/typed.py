"""Clauses whose words are values of a kind: the kind tells which argument they are for ("seven in the evening").

All that stands beside the values has to be explained too, else the clause is not understood. Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import reduce
from typing import Any

from toolmend.corrections.clauses import TALK, speaks_of_you
from toolmend.corrections.counted import COUNTED, FIGURES, figures
from toolmend.corrections.ends import until
from toolmend.corrections.fits import COMMON, DEGREES, KINDS, NAMED, PACKED, ROLES, SMALL, WHOLE, role
from toolmend.corrections.part import Part, edit, together, unclear
from toolmend.corrections.segments import Segment, segments
from toolmend.corrections.slots import Slot
from toolmend.corrections.values import Said, value_for

_WORD = re.compile(r"[^\W_~]+(?:'[^\W_]+)?")
_SPEAKS = re.compile(
    r"\b(?:the|my|is|it's|was|starts?|begins?|lasts?|takes|should|no|said|meant|make|change|move|be)\b|'s\b"
)
_THING = re.compile(
    r"\b(?:the|my|that|this|our) (?:meeting|event|appointment|entry|thing|alarm|table|order|reminder|booking"
    r"|reservation|flight|taxi|cab|timer|trip|stay|transfer|payment|call|lesson|party)\b(?:'s)?"
)
_JUDGING = re.compile(r"\b(?:wrong|incorrect|mistake|not right|error)\b")
_WRONG_VALUE = re.compile(r"~ (?:is|was)? ?(?:wrong|incorrect|not right|a mistake)")
_SHIFTS = {"change", "factor", "time shift", "day shift", "length change", "long factor"}
TITLES = {"title", "subject", "label"}
_VAGUE = re.compile(r"a (?:bit|little|touch|tad|lot|fair bit)\b|(?:much|far|somewhat|slightly|way)\b")
_COMPARES = re.compile(r"~ than\b(?! (?:that|this|it|now|before)\b)")
_REMARKS = re.compile(
    r"\btoo \w|\b(?:last (?:year|week|month|time)|yesterday|ago|usually|always|often|used to|outside|already"
    r"|in total|i'll be|that day)\b|\bthe \w+s were\b|\bi(?:'ll|'m| am) (?:\w+ing\b|call|be|meet|see|pick"
    r"|go\b(?! (?:with|for)))|\bha(?:s"
    r"|ve) been\b"
)
_POINTED = re.compile(r"\d{1,2}\.[0-5]\d")
MEALS = frozenset("breakfast brunch lunch dinner supper tea".split())
_ENDS = {"until", "end", "ends"}
_SPAN = re.compile(r"~ (?:to|till|until|through|-) ~")
_BOTH = re.compile(r"(?i)\b(?:both|each)\b")
_TODAY = re.compile(r"(?i)\b(?:tonight|this (?:morning|afternoon|evening))\b")
_UNTIL = re.compile(r"(?i)^(?:until|till|til|up to|to|ends? at|ending at|finishes at) ")
_REFUSES = re.compile(r"\b(?:not|no|never|don't|doesn't|isn't|or|without|except|either|neither|nor|unless|if)\b")


class Typed:
    """Reads clauses of values against the arguments of one call."""

    def __init__(self, slots: Sequence[Slot], said: Said, known: Set[str], tool: Set[str] = frozenset()) -> None:
        self.slots, self.said, self.known, self.tool = slots, said, known, tool
        self.beside: Set[str] = frozenset()
        members = {str(member).lower() for slot in slots for member in slot.schema.get("enum") or ()}
        self.talk = (COMMON | DEGREES) - members

    def read(self, text: str, hint: Set[str] = frozenset()) -> Part | None:
        """What the values of the clause are for; None where it has none, or words that nothing explains."""
        values, rest = segments(text)
        if len(values) > 1 and re.search(r"~,? or (?:\w+ )*~", rest):
            each = [self.read(value.text, hint) for value in values]
            return unclear(f"{text!r}: which of them?", [part.edits for part in each if part and part.edits])
        if not values or _REFUSES.search(rest) or _COMPARES.search(rest) or _REMARKS.search(rest):
            return None
        values = self._counting(values)
        chosen: list[tuple[Segment, tuple[Slot, ...]]] = []
        for value in values:
            chosen.append((value, self.fitting(value, rest, hint)))
        if not self._explained(rest, chosen, hint):
            return None
        part = Part()
        if len(chosen) == 2 and _SPAN.search(rest) and chosen[0][1] == chosen[1][1] and len(chosen[0][1]) == 2:
            chosen = [(value, (slot,)) for (value, _), slot in zip(chosen, chosen[0][1], strict=True)]
        for name, text_, options in self._joined(chosen, text):
            if not options:
                return unclear(f"nothing here takes {_called(name)}")
            part = together(part, self._given(options, text_, name, text))
            named = any(re.search(rf"\b{re.escape(slot.label)}\b", rest) for slot in options)
            part.sure = part.sure or ((name in _SHIFTS or named or "~ of us" in rest) and bool(part.edits))
        days = [slot for slot in self.slots if slot.kind == "date"]
        if part.edits and len(days) == 1 and days[0].name not in part.edits and self.said.now and _TODAY.search(text):
            part = together(part, self.given(days[0], "today"))
        return part

    def _counting(self, values: Sequence[Segment]) -> tuple[Segment, ...]:
        """Without "a bit less" beside the new value itself, and without the old value beside the new one."""
        fitting = {value: self.fitting(value, "") for value in values}
        kept = [value for value in values if not _VAGUE.match(value.words)]
        kept = (
            kept
            if any(fitting[one] == fitting[other] for one in kept for other in values if other not in kept)
            else [*values]
        )
        kept = [value for value in kept if not _is_part(value, kept)]
        new = [value for value in kept if not self._is_old(value, fitting[value])]
        alike = new and all(any(fitting[old] == fitting[value] for value in new) for old in kept if old not in new)
        return tuple(new if alike else kept)

    def _is_old(self, value: Segment, options: Sequence[Slot]) -> bool:
        return len(options) == 1 and value.kind in ("number", *NAMED) and same_value(options[0], value.text, self.said)

    def _joined(
        self, chosen: Sequence[tuple[Segment, tuple[Slot, ...]]], text: str
    ) -> list[tuple[str, str, tuple[Slot, ...]]]:
        """The values with the arguments they fit; several for one argument as one text."""
        joined: list[tuple[str, str, tuple[Slot, ...]]] = []
        for value, options in chosen:
            last = joined[-1] if joined else None
            if (
                last
                and len(options) == 1
                and options == last[2]
                and options[0].kind in ("date-time", "date", "time", "length")
            ):
                start = text.find(last[1])
                joined[-1] = (
                    last[0],
                    text[start : text.find(value.text, start + len(last[1])) + len(value.text)],
                    options,
                )
            else:
                joined.append((value.kind, value.text, options))
        return joined

    def _given(self, options: tuple[Slot, ...], text: str, kind: str, whole: str) -> Part:
        ends = next((slot for slot in options if slot.kind in ("time", "date") and _ENDS & slot.labels), None)
        if ends and kind in ("until", "length change"):
            text = re.sub(r"(?i)\blonger\b|\bmore\b", "later", re.sub(r"(?i)\bshorter\b|\bless\b", "earlier", text))
            return self.given(ends, text)
        if kind in ("price", "clock") and options and options[0].numeric:
            ways = figures(text, self.said.request)
            return self.given(options[0], ways[0]) if len(ways) == 1 else unclear(f"{text!r}: which amount?")
        if kind in ("until", "clock range"):
            return until(options[0], text, self.slots, self.said)
        if kind == "change":
            text = re.sub(r"(?i)^an? ", "one ", text)
            if options and options[0].kind == "percent":
                less = re.search(r"(?i)less|fewer|lower|quieter|softer|darker|down|reduce|decrease", text)
                text = f"{text.split()[0]} {'less' if less else 'more'}" if text[:1] != text[:1].upper() else text
        if len(options) > 1 and kind in _SHIFTS and _BOTH.search(whole):
            parts = [self.given(slot, text) for slot in options]
            return next((part for part in parts if part.unclear), None) or reduce(together, parts)
        if len(options) > 1:
            candidates = [{slot.name: value} for slot in options for value in value_for(slot, text, self.said).values]
            return unclear(f"{text!r} could be the {' or the '.join(slot.label for slot in options)}", candidates)
        return self.given(options[0], text)

    def given(self, slot: Slot, text: str) -> Part:
        """The words as the value of this argument."""
        if _ENDS & slot.labels:
            text = _UNTIL.sub("", text)
        if slot.kind == "time":
            text = re.sub(r"(?<!\d)(\d{1,2})\.([0-5]\d)(?!\d)", r"\1:\2", text)
        reading = value_for(slot, text, self.said)
        if len(reading.values) == 1:
            value = reading.values[0]
            if value == slot.old:
                return Part(same={slot.name: text})
            return edit(slot.name, value, text, f"{text!r} is the {slot.label}")
        return unclear(
            f"{slot.label} {text!r}: {reading.reason or 'not understood'}",
            [{slot.name: value} for value in reading.values],
        )

    def _explained(self, rest: str, chosen: Sequence[tuple[Segment, tuple[Slot, ...]]], hint: Set[str]) -> bool:
        labels = {word for _, options in chosen for slot in options for label in slot.labels for word in label.split()}
        labels |= {word for slot in self.slots if slot.name in hint for word in slot.labels}
        counts = any(slot.kind == "number" and slot.labels & WHOLE for _, options in chosen for slot in options)
        counted = (
            {*PACKED, *(re.findall(r"~ ([^\W\d_]+s)\b", rest) if _SPEAKS.search(rest) else ())} if counts else set()
        )
        spoken = self.known if _SPEAKS.search(rest) else frozenset(re.findall(r"~ (?:\w+ )?([^\W\d_]+)", rest))
        if len(chosen) == 1:
            spoken = spoken | (set(_WORD.findall(rest)) & self.tool)
        if not any(slot.kind == "text" and slot.label in TITLES for slot in self.slots):
            spoken = spoken | (set(_WORD.findall(rest)) & MEALS)
        spoken = (
            {word for word in spoken if {word, word.removesuffix("s")} & (self.known | self.tool | MEALS)}
            | self.beside
            | counted
        )
        spoken = spoken.union(
            *(words for words in ROLES.values() if sum(slot.kind == "date" for slot in self.slots) == 2)
        )
        explained = (
            SMALL
            | labels
            | spoken
            | (frozenset() if speaks_of_you(rest) or _WRONG_VALUE.search(rest) else TALK | self.talk)
        )
        if _JUDGING.search(rest):
            explained = explained - ({"day", "date", "time"} - labels)
        rest = _THING.sub(" the ", rest)
        return all({word, word.removesuffix("s"), word.removesuffix("'s")} & explained for word in _WORD.findall(rest))

    def explains(self, rest: str, slot: Slot) -> bool:
        """Whether the words beside the values of this argument say nothing else."""
        return not _REFUSES.search(rest) and self._explained(rest, (), {slot.name})

    # which argument -----------------------------------------------------------------------------------------------

    def fitting(self, value: Segment, rest: str, hint: Set[str] = frozenset()) -> tuple[Slot, ...]:
        """The arguments that such a value can be for."""
        options = self._of_kind(value)
        hinted = tuple(slot for slot in options if slot.name in hint)
        if hinted:
            return hinted
        if len(options) == 2 and len({slot.kind for slot in options} | {"date", "time"}) == 2:
            roles = [role(slot) for slot in options]
            words = set(_WORD.findall(rest.replace("'s", " ")))
            sided = [bool(words & (own - other)) for own, other in (roles, reversed(roles))]
            options = (options[sided.index(True)],) if sum(sided) == 1 else options
        if len(options) > 1:
            words = set(_WORD.findall(rest))
            shared = frozenset.intersection(*(slot.labels for slot in options))
            named = tuple(slot for slot in options if (slot.labels - shared) & words)
            options = named or options
        return options

    def _of_kind(self, value: Segment) -> tuple[Slot, ...]:
        clocks = any("time" in slot.kind for slot in self.slots)
        if value.kind == "clock" and FIGURES.fullmatch(value.words) and not clocks:
            return self._money()
        if value.kind == "length" and (unit := re.search(r"day|week|month|year|night", value.words)):
            counting = tuple(slot for slot in self.slots if slot.kind == "number" and COUNTED[unit[0]] & slot.labels)
            return counting or tuple(
                slot for slot in self.slots if slot.kind == "length" and slot.schema.get("x-unit") in ("days", "weeks")
            )
        if value.kind in ("until", "length change") and not any(slot.kind == "length" for slot in self.slots):
            kind = "date" if re.search(r"day|week|month|year", value.words) else "time"
            return tuple(slot for slot in self.slots if slot.kind == kind and _ENDS & slot.labels)
        if value.kind == "price" or (value.kind == "year" and not any("date" in slot.kind for slot in self.slots)):
            return self._money() or self._numbered(replace(value, kind="number", words=value.words.replace(" ", ".")))
        if value.kind in KINDS:
            return tuple(slot for slot in self.slots if slot.kind in KINDS[value.kind])
        if value.kind in NAMED:
            return tuple(slot for slot in self.slots if slot.kind == value.kind) or tuple(
                slot for slot in self.slots if slot.kind == "number" and slot.labels & NAMED[value.kind]
            )
        if value.kind in ("change", "factor"):
            return self._changed(value)
        return self._numbered(value)

    def _money(self) -> tuple[Slot, ...]:
        own = tuple(slot for slot in self.slots if slot.kind == "money")
        return own or tuple(slot for slot in self.slots if slot.kind == "number" and slot.labels & NAMED["money"])

    def _changed(self, value: Segment) -> tuple[Slot, ...]:
        numeric = tuple(slot for slot in self.slots if slot.numeric and slot.old is not None)
        if named := tuple(slot for slot in numeric if set(value.words.split()) & slot.labels):
            return named
        counted = tuple(slot for slot in numeric if slot.kind != "length")
        if re.search(r"longer|shorter", value.words):
            return tuple(slot for slot in numeric if slot.kind == "length")
        return self._noun(value, counted) or counted or numeric

    def _noun(self, value: Segment, numeric: Sequence[Slot]) -> tuple[Slot, ...]:
        """The numbers that are counted by the word after the value: "four people", "two pizzas"."""
        after = [word for word in value.after.split()[:2] if word.isalpha()]
        if not after:
            return ()
        named = tuple(slot for slot in numeric if set(after) & (slot.labels - {"of"}))
        if named:
            return named
        return ()

    def _numbered(self, value: Segment) -> tuple[Slot, ...]:
        """A bare number: by the words beside it, else by what it can be at all, else by its place in the request."""
        number = float(value.words.replace("minus ", "-"))
        clock = [slot for slot in self.slots if slot.kind == "time"]
        if (
            _POINTED.fullmatch(value.words)
            and clock
            and not any(slot.numeric and _holds(slot, number) for slot in self.slots)
        ):
            return tuple(clock)
        numeric = [slot for slot in self.slots if slot.numeric and _holds(slot, number)]
        if named := self._noun(value, numeric):
            return named
        if value.before == "for":
            numeric = [slot for slot in numeric if slot.kind != "money"]
        clocks = [
            slot
            for slot in self.slots
            if slot.kind in ("time", "date-time") and number == int(number) and 0 <= number <= 24
        ]
        days = [
            slot
            for slot in self.slots
            if not value.after.startswith("of us")
            and slot.kind == "date"
            and value.before == "the"
            and 1 <= number <= 31
        ]
        if days:
            return tuple(days)
        if (
            value.before in ("at", "starts", "begins", "@")
            and clocks
            and not any(slot.kind == "degrees" for slot in numeric)
        ):
            return tuple(clocks)
        people = [slot for slot in numeric if {"people", "guests", "persons"} & slot.labels]
        if people and (
            value.before in ("for", "we're", "be", "were") or value.after.startswith("of us") or value.before == "are"
        ):
            return tuple(people)
        warm = [slot for slot in numeric if slot.kind == "degrees"]
        if (
            value.before in ("at", "to")
            and len(warm) == 1
            and not any(slot.labels & NAMED["percent"] for slot in numeric)
        ):
            return tuple(warm)
        options = [slot for slot in numeric if slot.kind != "length" or number >= 10 or not clocks]
        options += [slot for slot in clocks if not (len(options) == 1 and number > 12)]
        return tuple(options)


def _holds(slot: Slot, number: float) -> bool:
    schema = slot.schema
    low, high = schema.get("minimum"), schema.get("maximum")
    whole = schema.get("type") != "integer" or number == int(number)
    return whole and (low is None or number >= low) and (high is None or number <= high) and number != slot.old


def _is_part(value: Segment, values: Sequence[Segment]) -> bool:
    """Whether a number is said again in a time: "fifteen, six fifteen"."""
    clocks = [other.words for other in values if other.kind == "clock"]
    return value.kind == "number" and any(
        re.search(rf"(?<!\d){re.escape(value.words)}(?!\d)", words) for words in clocks
    )


def _called(kind: str) -> str:
    return {
        "clock": "a time",
        "half": "a time",
        "time shift": "a time",
        "day": "a day",
        "day shift": "a day",
        "length": "a length of time",
        "money": "an amount of money",
        "percent": "a percentage",
        "degrees": "a temperature",
        "number": "such a number",
    }.get(kind, f"a {kind}")


def same_value(slot: Slot, text: str, said: Said) -> bool:
    """Whether the words can mean the value that the argument has."""
    old: Any = slot.old
    if old is None:
        return False
    return any(old in said.read(text, slot.schema, like).values for like in (None, old))
