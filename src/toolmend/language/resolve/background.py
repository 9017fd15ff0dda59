"""What words are said against, and what comes of them: full calls, or one question. Values only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from toolmend.base.messages import Call
from toolmend.language.resolve.parameters import Values
from toolmend.language.resolve.said import CHANGE, Said


@dataclass(frozen=True, slots=True)
class Background:
    """What the words are said against.

    `calls` stand, oldest first, the last `recent` of them made together; `amended` are those that the person is
    correcting, if any (they do not stand now); `gone` those whose thing was removed by a later call.
    `things` are what the world holds, by kind, each as its values; `named` tells per tool which parameter of the spoken
    signature names a thing: {tool: {parameter: kind}}. `text` is what the person just said, `before` what they said
    until then. `open` is a call that waits for an answer; `anew`: one did, and what is said now asks for something
    else. `hours` decide between morning and evening ("07-19"), `locale` between 3/4 and 4/3.
    """

    calls: tuple[Call, ...] = ()
    amended: tuple[Call, ...] = ()
    gone: tuple[Call, ...] = ()
    things: Mapping[str, tuple[Values, ...]] = field(default_factory=dict)
    named: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    text: str = ""
    before: str = ""
    recent: int = 1
    open: Open | None = None
    now: dt.datetime | None = None
    hours: str | None = None
    locale: str | None = None
    anew: bool = False

    @property
    def begins(self) -> bool:
        """Whether what is said is a request of its own: no correction, no answer."""
        return not self.amended and self.open is None

    @property
    def known(self) -> frozenset[str]:
        """What things there are called, in small letters."""
        things = (thing for kind in self.things.values() for thing in kind)
        return frozenset(str(value).casefold() for thing in things for value in thing.values())


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be asked before anything is done: about an argument (or "of", which call; or a thing), with the
    answers that could be offered."""

    tool: str
    argument: str
    candidates: tuple[Any, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """A call that waits for an answer: the line, what it is about, and the other lines of the reply, which wait with
    it."""

    line: Said
    question: Question
    before: tuple[Said, ...] = ()
    after: tuple[Said, ...] = ()

    def completed(self, lines: Sequence[Said]) -> tuple[Said, ...]:
        """The lines of an answer with the first `change` in it, if there is one, taken as what was asked for: one that
        names a call and changes it is a request of its own."""
        which = any(isinstance(one, Mapping) for one in self.question.candidates) and self.question.argument != "of"
        for place, answer in enumerate(lines):
            if answer.tool == CHANGE and answer.of and which:  # which thing it is, named as what is to be changed
                line = replace(self.line, words={**self.line.words, self.question.argument: answer.of})
                return (*lines[:place], *self.before, line, *self.after, *lines[place + 1 :])
            if answer.tool == CHANGE and (not answer.of or (self.question.argument == "of" and not answer.words)):
                line = Said(self.line.tool, {**self.line.words, **answer.words}, answer.of or self.line.of)
                return (*lines[:place], *self.before, line, *self.after, *lines[place + 1 :])
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Computed:
    """The full calls (an edit as the call that amends, with the id of the old one), or the question; ids to undo."""

    calls: tuple[Call, ...] = ()
    question: Question | None = None
    open: Open | None = None
    undo: tuple[str, ...] = ()
