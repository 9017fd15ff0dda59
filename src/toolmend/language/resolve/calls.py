"""From the lines of a reply, in the words that were used, to full calls: values computed, things and calls found.

Or to one question, where something was not said or two readings are left. Knows tools as specs and earlier calls as
values; no model, no session, no world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.language.resolve.arguments import Ambiguous, Meant, value_of
from toolmend.language.resolve.background import Background, Computed, Open, Question
from toolmend.language.resolve.changed import as_changed
from toolmend.language.resolve.copied import as_said, said_before
from toolmend.language.resolve.discourse import Discourse
from toolmend.language.resolve.edges import at_edges
from toolmend.language.resolve.entry_times import day_said
from toolmend.language.resolve.filters import NOTHING_LIKE
from toolmend.language.resolve.naming import named_after, new_after_all, renamed, text_of
from toolmend.language.resolve.packed import several, unpacked, without_texts
from toolmend.language.resolve.parameters import Values, typed
from toolmend.language.resolve.phrases import in_place
from toolmend.language.resolve.references import Referred, refer
from toolmend.language.resolve.repeated import each_as_long, joined, own_numbers
from toolmend.language.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said, once
from toolmend.language.resolve.sentence import going_on, misheard, said_all_the_same, says_nothing
from toolmend.language.resolve.standing import holds, removal_of, removes, stands_for
from toolmend.language.resolve.taken_apart import taken_apart
from toolmend.language.resolve.which import beside, settled

_WHEN = ("date", "time", "date-time")


def compute(
    lines: Sequence[Said], specs: Sequence[ToolSpec], background: Background, *, whole: bool = True
) -> Computed:
    """The calls that the lines mean. All or none: one question stops them all. Never raises on what was said.

    `whole` asks for what a call must have and was not said, and takes words apart that say more than one value; without
    it a call is given as far as it goes.
    """
    named = {spec.full_name: spec for spec in specs} | {spec.name: spec for spec in specs}
    if background.open:
        lines = background.open.completed([beside(line, background.text) for line in lines])
    else:
        lines = own_numbers(once(lines), named, background.text)
        lines = taken_apart(lines, named, background) if whole else lines
    computing = _Computing(named, background, whole, len(lines) == 1)
    for place, line in enumerate(lines):
        if question := computing.take(line):
            waiting = Open(computing.line or line, question, lines[:place], lines[place + 1 :])
            return Computed(question=question, open=None if question.reason.startswith(NOTHING_LIKE) else waiting)
    return Computed(tuple(computing.finished()), undo=tuple(computing.undo))


class _Computing:
    def __init__(self, specs: Mapping[str, ToolSpec], background: Background, whole: bool, alone: bool) -> None:
        self.specs, self.background, self.whole, self.alone = specs, background, whole, alone
        self.line: Said | None = None  # that is being taken, as the sentence has it
        self.talk = Discourse(background)
        self.calls, self.replaced = self.talk.calls, self.talk.replaced
        self.undo: list[str] = []

    def take(self, line: Said) -> Question | None:
        """Compute one line; the question it raises, if any."""
        self.line = None
        if line.tool == CHANGE and (new := self.new_after_all(line)):
            line = new
        if line.tool in (CHANGE, AGAIN):
            return self.change(line)
        return self.take_back(line) if line.tool == UNDO else self.call(line)

    def call(self, line: Said) -> Question | None:
        if (spec := self.specs.get(line.tool)) is None:
            self.calls.append(Call(line.tool, dict(line.words)))
            return None
        meant: list[Values] = [{}]  # several where the words name several things
        if self.whole:
            made = {str(value).casefold() for call in self.calls for value in call.arguments.values()}
            told = said_before(spec, line.words, self.background)
            words = as_said(spec, line.words, self.background.text, self.background.known | made)
            if not self.background.named.get(spec.full_name):
                words = in_place(spec, words, self.background.text, alone=self.background.begins)
            line = replace(line, words={**words, **told})
        named = dict(self.background.named.get(spec.full_name, {}))
        for name in [name for name in line.words if name in named]:
            things = self.talk.things(spec, name, named, line)
            if isinstance(things, Question):
                return things
            if not things:
                del named[name]
                continue
            meant = [{**one, **thing} for one in meant for thing in things]
        line = replace(line, words=self.unpacked(spec, line, self.talk.last_values()))
        if self.whole:
            self.line = line = self.heard(spec, line)
        for given in meant:
            corrected = [call for call in self.talk.corrected(spec, named) if given and holds(call.arguments, given)]
            if corrected:  # it does not stand now: it stays so
                self.undo.append(corrected[-1].id)
                continue
            make = partial(self.one_call, spec, named=named, given=given)
            if not self.each_day(spec, line, make) and (question := make(line)):
                return question
        return None

    def heard(self, spec: ToolSpec, line: Said) -> Said:
        """The line as the sentence has it."""
        words = misheard(spec, line.words, self.background, last := self.talk.last_values())
        if not any(typed(name, schema).get("format") in _WHEN for name, schema in spec.properties.items()):
            return replace(line, words=words)
        words = at_edges(spec, words, self.background.text, alone=self.alone)
        if (name := text_of(spec)) in words:
            words[name] = named_after(str(words[name]), self.background.text, str(last.get(name, "")))
        return replace(line, words=words)

    def new_after_all(self, line: Said) -> Said | None:
        """The line as one that makes a new call like the last, where the sentence says so; else None."""
        calls = self.background.calls
        spec = self.specs.get(calls[-1].tool) if calls else None
        if spec is None or line.of or self.talk.asked or self.background.amended or not self.whole:
            return None
        names = [str(call.arguments.get(text_of(spec), "")) for call in calls]
        words = new_after_all(spec, line.words, self.background.text, names)
        return None if words is None else Said(spec.full_name, words)

    def each_day(self, spec: ToolSpec, line: Said, make: Callable[[Said], Question | None]) -> bool:
        """A call for each of the days that one argument lists; whether it lists any."""
        days = (name for name in line.words if typed(name, spec.properties.get(name, {})).get("format") == "date")
        for name in days if self.whole else ():
            made, last = len(self.calls), day_said(self.talk.last_values(), self.background.now)
            if (lines := several(line, name, last)) and not any(map(make, lines)):
                return True
            del self.calls[made:]
        return False

    def unpacked(self, spec: ToolSpec, line: Said, like: Values) -> Mapping[str, Any]:
        """The words, each with its own argument."""
        return unpacked(spec, line.words, like, self.background) if self.whole else line.words

    def one_call(self, spec: ToolSpec, line: Said, *, named: Mapping[str, str], given: Values) -> Question | None:
        """A call with the arguments that things gave, and those of the words."""
        values = dict(given)
        said = {key: str(line.words[name]) for name in named if name in line.words
                for key in stands_for(spec, name, named) if key in given}  # fmt: skip
        rules = dict.fromkeys(said, "a thing that is there")
        for name in [name for name in line.words if name not in named and name not in given]:
            question = self.argument(spec, name, line.words[name], values, said, rules, self.talk.last_values())
            if question and not (self.whole and says_nothing(question)):
                return question
        for name in [name for name in (*spec.required, *spec.properties) if name not in values and self.whole]:
            if name in named or not (self.alone or name in spec.required or name in line.words):
                continue
            if words := said_all_the_same(spec, name, {**line.words, **said}, self.background, self.talk.last_values()):
                self.argument(spec, name, words, values, said, rules, self.talk.last_values())
                self.line = replace(self.line or line, words={**(self.line or line).words, name: words})
        if "date" in spec.required and "date" not in values and "time" in values and self.whole:
            values |= going_on(self.talk.last_values(), str(values["time"]), self.background.text)
        missing = [name for name in spec.required if name not in values]
        if missing and self.whole:
            return Question(spec.full_name, missing[0], reason="it was not said")
        ordered = {name: values[name] for name in (*spec.properties, *values) if name in values}
        self.calls.append(Call(spec.full_name, ordered, said=said, rules=rules))
        return None

    def argument(
        self,
        spec: ToolSpec,
        name: str,
        words: Any,
        values: dict[str, Any],
        said: dict[str, str],
        rules: dict[str, str],
        like: Values,
        *,
        new: bool = True,
    ) -> Question | None:
        """One argument into `values` (a range of time also gives the duration), its words into `said`."""
        if words == MISSING:
            return Question(spec.full_name, name, reason="it was not said")
        result = value_of(spec, name, words, values, like, self.background, self.talk.known(), new=new)
        if isinstance(result, Ambiguous):
            result = self.chosen(spec, name, words, values, like) or result
        if isinstance(result, Ambiguous) and not new and (bare := without_texts(words, like)) != words:
            result = value_of(spec, name, bare, values, like, self.background, self.talk.known(), new=new)
        if isinstance(result, Ambiguous):
            return Question(spec.full_name, name, result.candidates, result.reason)
        values |= result.values
        if isinstance(words, str):
            said |= dict.fromkeys(result.values, words)
            rules |= dict.fromkeys(result.values, result.rule) if result.rule else {}
        return None

    def chosen(self, spec: ToolSpec, name: str, words: Any, values: Values, like: Values) -> Meant | None:
        """The one of the offered answers that is meant: "in the evening", "the second"."""
        if self.talk.asked is None or self.talk.asked.argument != name or not isinstance(words, str):
            return None
        offered = self.talk.asked.candidates
        for value in offered:
            told = value_of(spec, name, words, values, {**like, name: value}, self.background, (), new=False)
            if isinstance(told, Meant) and told.values.get(name) in offered:
                return told
        found = refer(words, [{name: value} for value in offered], now=self.background.now)
        one = isinstance(found, Referred) and len(found.places) == 1
        return Meant({name: offered[found.places[0]]}, "one of the answers") if one else None

    def change(self, line: Said) -> Question | None:
        """Earlier calls with other arguments: in their place, or, said `again`, beside them."""
        pool = self.talk.known()
        if line.tool == AGAIN:
            pool = tuple(call for call in pool if not removes(call, self.specs.get(call.tool), self.background.named))
        spec = self.specs.get(pool[-1].tool) if pool else None
        line = settled(line, text_of(spec) if spec else "", pool, self.background)
        pool = self.taking(line.words, pool)
        if line.tool == AGAIN and not line.of:
            texts = {str(told).casefold() for told in line.words.values()}
            same = [call for call in pool if texts & {str(value).casefold() for value in call.arguments.values()}]
            pool = tuple(same) or pool
        targets = self.talk.targets(line.of, pool)
        if isinstance(targets, Question) and line.tool == AGAIN and targets.candidates:  # any of them, but for its day
            targets = tuple(call for call in self.talk.known() if dict(call.arguments) == targets.candidates[0])[-1:]
        if isinstance(targets, Question):
            return targets
        for old in targets:
            if (spec := self.specs.get(old.tool)) is None:
                return Question(old.tool, "of", reason="nothing here can be changed")
            make = partial(self.change_one, spec, old)
            if not (line.tool == AGAIN and self.each_day(spec, line, make)) and (question := make(line)):
                return question
        return None

    def taking(self, words: Mapping[str, Any], pool: tuple[Call, ...]) -> tuple[Call, ...]:
        """The calls of tools that take all of these arguments; all of them where there is none."""
        named, specs = self.background.named, [(call, self.specs.get(call.tool)) for call in pool]
        taking = [call for call, spec in specs
                  if spec and words.keys() <= {*spec.properties, *named.get(spec.full_name, ())}]  # fmt: skip
        return tuple(taking) or pool

    def change_one(self, spec: ToolSpec, old: Call, line: Said) -> Question | None:
        """The call as it was but for what is said."""
        values, said, rules = dict(old.arguments), dict(old.said), dict(old.rules)
        goes = old in self.calls and line.tool == CHANGE and removes(old, spec, self.background.named)
        if goes and not line.words.keys() & self.background.named[spec.full_name].keys():
            return None  # what this very reply takes away is taken away as it is there
        if self.whole and (name := text_of(spec)) in line.words and name in values:
            title = renamed(str(line.words[name]), str(values[name]), self.background.text)
            line = replace(line, words={**line.words, name: title})
        if self.whole and line.tool == CHANGE:
            line = replace(line, words=as_changed(spec, line.words, old, self.background))
        named = self.background.named.get(spec.full_name, {})
        for name, words in self.unpacked(spec, line, old.arguments).items():
            if name in named:
                things = self.talk.things(spec, name, named, line, besides=old.arguments)
                if isinstance(things, Question):
                    return things
                given = things[-1] if things else {name: words}
                values |= given
                said |= dict.fromkeys(given, str(words))
                rules |= dict.fromkeys(given, "a thing that is there")
            elif name not in spec.properties:
                return Question(spec.full_name, name, reason=f"{spec.name} has no {name}")
            else:
                again = line.tool == AGAIN
                question = self.argument(spec, name, words, values, said, rules, old.arguments, new=again)
                if question and list(line.words.values()).count(words) < 2:  # else they are another argument's
                    return question
        if line.tool == AGAIN:
            beside = "" if self.background.amended else None  # in the place of none, whatever is being corrected
            self.calls.append(Call(old.tool, values, amends=beside, said=said, rules=rules))
            return None
        if line.words and values == old.arguments and (gone := removal_of(old, self.specs, self.background)):
            self.calls.append(gone)
            return None
        if old in self.calls and not old.id:  # it was said in this very reply
            self.calls.remove(old)
        self.replaced.add(old.id)
        self.calls.append(Call(old.tool, values, amends=old.id or old.amends, said=said, rules=rules))
        return None

    def take_back(self, line: Said) -> Question | None:
        """A call is undone; a removal by making the call anew whose thing was removed."""
        known = self.talk.known()
        removals = [call for call in known if removes(call, self.specs.get(call.tool), self.background.named)]
        pools: tuple[Sequence[Call], ...] = (removals, known) if line.of and removals else (known,)
        for pool in pools:
            targets = self.talk.targets(line.of, pool)
            if not isinstance(targets, Question):
                break
        if isinstance(targets, Question):
            return targets
        named = [call for call in targets if self.talk.contradicted(line.of, line, call.arguments)] if line.of else []
        if named:
            return Question("", "of", tuple(dict(call.arguments) for call in named), "another day or time was said")
        for call in targets:
            gone = [old for old in self.background.gone if holds(old.arguments, call.arguments)]
            if call in removals and gone:
                self.calls.append(Call(gone[-1].tool, gone[-1].arguments, said=gone[-1].said, rules=gone[-1].rules))
            elif call.id:
                self.undo.append(call.id)
            else:  # of this very reply
                self.calls.remove(call)
        return None

    def finished(self) -> list[Call]:
        """The calls; with those that were corrected together with a changed one and stay as they are, in order."""
        amended, touched = self.background.amended, self.replaced | set(self.undo)
        if len(amended) < 2 or not touched & {old.id for old in amended}:
            return joined(each_as_long(self.calls, self.specs, self.background.text))
        by_old = {call.amends: call for call in self.calls if call.amends}
        kept = [by_old.get(old.id) or replace(old, id="", amends=old.id) for old in amended if old.id not in self.undo]
        return [*kept, *(call for call in self.calls if not any(call is one for one in kept))]
