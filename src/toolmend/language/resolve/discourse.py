"""What a talk is about so far: the calls that are known, the things that are there; and which of them words mean.

Where it is not clear which, the question to ask. Makes no call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.background import Background, Question
from toolmend.language.resolve.filters import (
    NOTHING_LIKE,
    UNREAD,
    Filtered,
    filtered,
    phrase_of,
    says_several,
    with_its_day,
)
from toolmend.language.resolve.parameters import Values
from toolmend.language.resolve.references import (
    Referred,
    Undecided,
    called_rather,
    in_full,
    named_in,
    refer,
    refer_in,
    says_which,
    speaks_against,
)
from toolmend.language.resolve.said import MISSING, Said
from toolmend.language.resolve.standing import holds, stands_for

_EVERY = re.compile(
    r"\b(?:both|everything|all of (?:them|it|those)|all (?:two|three|four)|each of them)\b", re.IGNORECASE
)
_THOSE = re.compile(r"\b(?:those|these|them)\b", re.IGNORECASE)
_MANY = 5  # answers that are offered to a question


@dataclass(frozen=True, slots=True)
class Discourse:
    """What words may refer to: the background, the calls of this very reply so far, and the ids of those that they
    replace."""

    background: Background
    calls: list[Call] = field(default_factory=list)
    replaced: set[str] = field(default_factory=set)

    @property
    def asked(self) -> Question | None:
        """The question that waits for an answer."""
        return self.background.open.question if self.background.open else None

    def targets(self, of: str, pool: Sequence[Call]) -> Question | tuple[Call, ...]:
        """The calls that are meant: those that were offered, then those that are being corrected come first."""
        if not pool:
            return Question("", "of", reason="there is nothing to change yet")
        amended = tuple(call for call in self.background.amended if call.id not in self.replaced)
        amended += tuple(call for call in self.calls if call.amends and self.background.amended)
        if not of:
            return amended if _EVERY.search(self.background.text) and amended else (amended or tuple(pool))[-1:]
        of = in_full(of, text := self.background.text)
        several = with_its_day(of, text)
        if narrowed := self.narrowed(several, [call.arguments for call in pool]):
            if narrowed.unread or not narrowed.places:
                return _not_told("", "of", several, narrowed, [call.arguments for call in pool])
            return tuple(pool[place] for place in narrowed.places)
        offered = [call for call in pool if self.asked and dict(call.arguments) in self.asked.candidates]
        for calls in (offered, amended, pool):
            found = refer_in(of, text, [call.arguments for call in calls], now=self.background.now)
            if not isinstance(found, Undecided):
                return tuple(calls[place] for place in found.places)
        if not found.places:
            if (place := named_in(self.background.text, [call.arguments for call in pool])) is not None:
                return (pool[place],)
            if amended:
                return amended[-1:]
        choices = tuple(dict(pool[place].arguments) for place in found.places[:_MANY])
        return Question("", "of", choices, f"{of!r} could be several" if choices else f"nothing here is called {of!r}")

    def things(
        self, spec: ToolSpec, name: str, named: Mapping[str, str], line: Said, besides: Values | None = None
    ) -> Question | tuple[Mapping[str, Any], ...]:
        """The arguments that the things give which the words mean: none that this reply uses already, none that its
        other words contradict, and not `besides`. Nothing where the words are to be taken as they are: nothing there is
        called that, or this very reply makes it. What is to be taken away is asked about where its day or time is said,
        and is another."""
        meant = self._things(spec, name, named, line, besides)
        if isinstance(meant, Question) or name in spec.properties:
            return meant
        words = in_full(str(line.words[name]), self.background.text)
        if says_several(phrase_of(words, self.background.text), meant):
            return meant
        there = tuple(self.background.things.get(named[name], ()))
        likelier = [other for thing in meant for other in called_rather(words, thing, there)]
        if likelier or any(self.contradicted(words, line, thing) for thing in meant):
            choices = tuple(likelier or meant)[:_MANY]
            return Question(spec.full_name, name, choices, f"there is no {named[name]} like {words!r}")
        return meant

    def _things(
        self, spec: ToolSpec, name: str, named: Mapping[str, str], line: Said, besides: Values | None
    ) -> Question | tuple[Mapping[str, Any], ...]:
        kind, text = named[name], self.background.text
        words = in_full(str(line.words[name]), text)
        things = tuple(self.background.things.get(kind, ()))
        things += tuple(call.arguments for call in self.corrected(spec, named))
        if words == MISSING:
            return Question(spec.full_name, name, things[-_MANY:], "it was not said")
        if name in spec.properties and any(words in map(str, call.arguments.values()) for call in self.calls):
            return ()
        filled = [self.filled(spec, name, named, thing) for thing in things]
        order = sorted(range(len(things)), key=lambda place: self.spoken_of(filled[place]))
        used = self.calls if name not in spec.properties else ()
        taken = [call.arguments for call in used if call.tool == spec.full_name]
        taken += [besides] if besides else []
        left = [place for place in order if not any(holds(other, filled[place]) for other in taken)]
        given = {
            key: value for key, value in line.words.items() if key in stands_for(spec, name, named) and key != name
        }
        left = [place for place in left if holds(filled[place], given)] or left
        offered = [place for place in left if self.asked and things[place] in self.asked.candidates]
        together = self.background.calls[-self.background.recent :] if _THOSE.search(words) else ()
        last = [place for place in left if any(holds(call.arguments, filled[place]) for call in together)]
        there = [things[place] for place in left]
        if narrowed := self.narrowed(phrase := phrase_of(words, text), there):
            if narrowed.unread or not narrowed.places:
                return _not_told(spec.full_name, name, phrase, narrowed, there)
            return tuple(filled[left[place]] for place in narrowed.places)
        if not says_which(words) and (told := named_in(self.background.text, there)) is not None:
            return (filled[left[told]],)
        for places in (offered, last, left):
            if not places:
                continue
            found = refer_in(words, text, [things[place] for place in places], now=self.background.now)
            if isinstance(found, Referred):
                return tuple(filled[places[place]] for place in found.places)
            same = [filled[places[place]] for place in found.places]
            if same and all(one == same[0] for one in same):
                return (same[0],)
        choices = tuple(there[place] for place in refer(words, there, now=self.background.now).places[:_MANY])
        told = named_in(self.background.text, there)
        if not choices and told is not None and name not in spec.properties:
            return (filled[left[told]],)
        if not choices and name in spec.properties:
            return ()
        reason = f"{words!r} could be several" if choices else f"there is no {kind} like {words!r}"
        return Question(spec.full_name, name, choices, reason)

    def contradicted(self, words: str, line: Said, thing: Values) -> bool:
        """Whether the words for a thing, or those beside them, say another day or time than it has; of an answer, the
        whole of it."""
        beside = [str(line.words[key]) for key in thing if key in line.words]
        told = [words, *(f"on {word}" for word in beside), *(f"at {word}" for word in beside)]
        told += [self.background.text] if self.asked else []
        return any(speaks_against(one, thing, self.background.now) for one in told)

    def narrowed(self, phrase: str, things: Sequence[Values]) -> Filtered | None:
        """What a phrase leaves that speaks of several things and of what holds for them; None for any other."""
        if not says_several(phrase, things):
            return None
        found = filtered(phrase, things, self.background.now, self.background.hours)
        return found if found.filtering or found.unread else None

    def corrected(self, spec: ToolSpec, named: Mapping[str, str]) -> list[Call]:
        """The calls that are being corrected whose things a call of this tool could take as a whole."""
        keys = [key for name in named if name not in spec.properties for key in stands_for(spec, name, named)]
        calls = [call for call in self.background.amended if call.tool != spec.full_name]
        return [call for call in calls if keys and all(key in call.arguments for key in keys)]

    def spoken_of(self, arguments: Values) -> int:
        """The place of the last call that was about a thing; -1 if none was: "it" is what was spoken of last."""
        known = self.known()
        return max((place for place, call in enumerate(known) if holds(call.arguments, arguments)), default=-1)

    def filled(self, spec: ToolSpec, name: str, named: Mapping[str, str], thing: Values) -> dict[str, Any]:
        """The arguments that a thing gives: itself by its first value, or all that the parameter stands for."""
        if name in spec.properties:
            return {name: next(iter(thing.values()))}
        return {key: thing[key] for key in stands_for(spec, name, named) if key in thing}

    def known(self) -> tuple[Call, ...]:
        """The earlier calls, those that are being corrected last, then those of this reply; none that it replaces."""
        earlier = (*self.background.calls, *self.background.amended)
        return (*(call for call in earlier if call.id not in self.replaced), *self.calls)

    def last_values(self) -> Values:
        """The arguments of the call made last, which a new one may be said against."""
        known = self.known()
        return known[-1].arguments if known else {}


def _not_told(tool: str, name: str, phrase: str, found: Filtered, things: Sequence[Values]) -> Question:
    """The question where it is not told which things are meant, though several are."""
    if not found.unread:
        return Question(tool, name, reason=f"{NOTHING_LIKE} {phrase!r}")
    choices = tuple(things[place] for place in (found.places or range(len(things)))[:_MANY])
    return Question(tool, name, choices, f"{', '.join(map(repr, found.unread))} {UNREAD}")
