"""Clauses whose words are values of a kind: the kind tells which argument they are for ("seven in the evening").

All that stands beside the values has to be explained too, else the clause is not understood. Knows one call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import reduce
from typing import Any

from toolmend.language.corrections.clauses import TALK, speaks_of_you
from toolmend.language.corrections.ends import until
from toolmend.language.corrections.fits import COMMON, DEGREES, KINDS, NAMED, PACKED, ROLES, SMALL, WHOLE, role
from toolmend.language.corrections.part import Part, renewed, together, unclear
from toolmend.language.corrections.segments import Segment, segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.values import Surroundings, value_for
from toolmend.language.resolve import vocabulary
from toolmend.language.resolve.words import Words

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
    rf"\btoo \w|\b(?:{vocabulary.either('remarks')})\b|\bthe \w+s were\b|"
    r"\bi(?:'ll|'m| am) (?:\w+ing\b|call|be|meet|see|pick|go\b(?! (?:with|for)))|\bha(?:s|ve) been\b"
)
_POINTED = re.compile(r"\d{1,2}\.[0-5]\d")
MEALS = frozenset("breakfast brunch lunch dinner supper tea".split())
_ENDS = {"until", "end", "ends"}
_SPAN = re.compile(r"~ (?:to|till|until|through|-) ~")
_BOTH = re.compile(r"(?i)\b(?:both|each)\b")
_TODAY = re.compile(r"(?i)\b(?:tonight|this (?:morning|afternoon|evening))\b")
_UNTIL = re.compile(r"(?i)^(?:until|till|til|up to|to|ends? at|ending at|finishes at) ")
_REFUSES = re.compile(r"\b(?:not|no|never|don't|doesn't|isn't|or|without|except|either|neither|nor|unless|if)\b")
_CALLED = vocabulary.table("called")
COUNTED = vocabulary.table("counted")
"""The names of arguments that count a unit of time."""
FIGURES = re.compile(r"(\d+) (?:(?:oh|o|0) )?(\d+)")


class Typed:
    """Reads clauses of values against the arguments of one call."""

    def __init__(
        self, slots: Sequence[Slot], said: Surroundings, known: Set[str], tool: Set[str] = frozenset()
    ) -> None:
        self.slots, self.said, self.known, self.tool = slots, said, known, tool
        self.beside: Set[str] = frozenset()
        members = {str(member).lower() for slot in slots for member in slot.schema.get("enum") or ()}
        self.talk = (COMMON | DEGREES) - members

    def read(self, text: str, hint: Set[str] = frozenset()) -> Part | None:
        """What the values of the clause are for; None where it has none, or words that nothing explains."""
        values, rest = segments(text)
        if len(values) > 1 and re.search(r"~,? or (?:\w+ )*~", rest):
            parts = [self.read(value.text, hint) for value in values]
            return unclear(f"{text!r}: which of them?", [part.edits for part in parts if part and part.edits])
        if not values or _REFUSES.search(rest) or _COMPARES.search(rest) or _REMARKS.search(rest):
            return None
        values = self._counting(values)
        chosen = [(value, self.fitting(value, rest, hint)) for value in values]
        if not self._explained(rest, chosen, hint):
            return None
        part = Part()
        if len(chosen) == 2 and _SPAN.search(rest) and chosen[0][1] == chosen[1][1] and len(chosen[0][1]) == 2:
            chosen = [(value, (slot,)) for (value, _), slot in zip(chosen, chosen[0][1], strict=True)]
        for name, text_, options in self._joined(chosen, text):
            if not options:
                return unclear(f"nothing here takes {' or '.join(_CALLED.get(name, [f'a {name}']))}")
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
        if not any(fitting[one] == fitting[other] for one in kept for other in values if other not in kept):
            kept = [*values]
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
            kind, words, same = joined[-1] if joined else ("", "", ())
            if same == options and len(options) == 1 and options[0].kind in ("date-time", "date", "time", "length"):
                start = text.find(words)
                end = text.find(value.text, start + len(words)) + len(value.text)
                joined[-1] = (kind, text[start:end], options)
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
            return renewed(slot.name, slot.old, reading.values[0], text, f"{text!r} is the {slot.label}")
        reason = f"{slot.label} {text!r}: {reading.reason or 'not understood'}"
        return unclear(reason, [{slot.name: value} for value in reading.values])

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
        known = self.known | self.tool | MEALS
        spoken = {word for word in spoken if {word, word.removesuffix("s")} & known} | self.beside | counted
        if len(self._kinds("date")) == 2:
            spoken = spoken.union(*ROLES.values())
        explained = SMALL | labels | spoken
        if not speaks_of_you(rest) and not _WRONG_VALUE.search(rest):
            explained |= TALK | self.talk
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
        kinds = {slot.kind for slot in self.slots}
        if value.kind == "clock" and FIGURES.fullmatch(value.words) and not kinds & {"time", "date-time"}:
            return self._named("money")
        if value.kind == "length" and (unit := re.search(r"day|week|month|year|night", value.words)):
            counting = tuple(slot for slot in self._kinds("number") if COUNTED[unit[0]] & slot.labels)
            return counting or tuple(
                slot for slot in self._kinds("length") if slot.schema.get("x-unit") in ("days", "weeks")
            )
        if value.kind in ("until", "length change") and "length" not in kinds:
            kind = "date" if re.search(r"day|week|month|year", value.words) else "time"
            return tuple(slot for slot in self._kinds(kind) if _ENDS & slot.labels)
        if value.kind == "price" or (value.kind == "year" and not kinds & {"date", "date-time"}):
            number = replace(value, kind="number", words=value.words.replace(" ", "."))
            return self._named("money") or self._numbered(number)
        if value.kind in KINDS:
            return self._kinds(*KINDS[value.kind])
        if value.kind in NAMED:
            return self._named(value.kind)
        return self._changed(value) if value.kind in ("change", "factor") else self._numbered(value)

    def _kinds(self, *kinds: str) -> tuple[Slot, ...]:
        return tuple(slot for slot in self.slots if slot.kind in kinds)

    def _named(self, kind: str) -> tuple[Slot, ...]:
        """The arguments of a kind, else the numbers that are called as such arguments are."""
        return self._kinds(kind) or tuple(slot for slot in self._kinds("number") if slot.labels & NAMED[kind])

    def _changed(self, value: Segment) -> tuple[Slot, ...]:
        numeric = tuple(slot for slot in self.slots if slot.numeric and slot.old is not None)
        if named := tuple(slot for slot in numeric if set(value.words.split()) & slot.labels):
            return named
        if re.search(r"longer|shorter", value.words):
            return tuple(slot for slot in numeric if slot.kind == "length")
        counted = tuple(slot for slot in numeric if slot.kind != "length")
        return self._noun(value, counted) or counted or numeric

    def _noun(self, value: Segment, numeric: Sequence[Slot]) -> tuple[Slot, ...]:
        """The numbers that are counted by the word after the value: "four people", "two pizzas"."""
        after = {word for word in value.after.split()[:2] if word.isalpha()}
        return tuple(slot for slot in numeric if after & (slot.labels - {"of"}))

    def _numbered(self, value: Segment) -> tuple[Slot, ...]:
        """A bare number: by the words beside it, else by what it can be at all."""
        number, before, of_us = float(value.words.replace("minus ", "-")), value.before, value.after.startswith("of us")
        numeric = [slot for slot in self.slots if slot.numeric and _holds(slot, number)]
        if _POINTED.fullmatch(value.words) and not numeric and (times := self._kinds("time")):
            return times
        if named := self._noun(value, numeric):
            return named
        if before == "for":
            numeric = [slot for slot in numeric if slot.kind != "money"]
        clocks = self._kinds("time", "date-time") if number == int(number) and 0 <= number <= 24 else ()
        if before == "the" and not of_us and 1 <= number <= 31 and (days := self._kinds("date")):
            return days
        warm = tuple(slot for slot in numeric if slot.kind == "degrees")
        if before in ("at", "starts", "begins", "@") and clocks and not warm:
            return clocks
        people = tuple(slot for slot in numeric if {"people", "guests", "persons"} & slot.labels)
        if people and (before in ("for", "we're", "be", "were", "are") or of_us):
            return people
        if before in ("at", "to") and len(warm) == 1 and not any(slot.labels & NAMED["percent"] for slot in numeric):
            return warm
        options = [slot for slot in numeric if slot.kind != "length" or number >= 10 or not clocks]
        return (*options, *(clocks if not (len(options) == 1 and number > 12) else ()))


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


def same_value(slot: Slot, text: str, said: Surroundings) -> bool:
    """Whether the words can mean the value that the argument has."""
    old: Any = slot.old
    if old is None:
        return False
    return any(old in said.read(text, slot.schema, like).values for like in (None, old))


def figures(text: str, request: str) -> list[str]:
    """What figures in two parts can be: "nineteen ninety nine" is 19.99, "three oh one" 301; of both what is asked."""
    match = FIGURES.fullmatch(Words(text).text)
    if match is None:
        return [text]
    whole = re.sub(r"oh?", "0", match[0]).replace(" ", "")
    ways = [whole] if len(match[0].split()) > 2 else [f"{match[1]}.{match[2]}", whole]
    asked = {value.words for value in segments(request)[0]}
    return ways[:1] if int(match[2]) >= 60 else [way for way in ways if way in asked] or ways
