"""What each rung of the ladder does: make the calls with other values, ask anew, ask the person, insist.

Knows not in which order they are tried (mender.py). A rung tells whether it was enough.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, CallResult, Reply
from toolmend.language.corrections import Understood, edited_calls
from toolmend.language.corrections.as_such import AsSuch
from toolmend.language.corrections.understood import Place
from toolmend.language.resolve.background import Open
from toolmend.reading import Reading, render
from toolmend.session.mend.anew import held
from toolmend.session.mend.asking import SAY_WHAT, WHAT, answered, choice, question, shown
from toolmend.session.mend.case import Edits, MendCase, same
from toolmend.session.mend.complaints import tool_asked
from toolmend.session.mend.leanings import Leanings
from toolmend.session.mend.rereading import asked_of, kept_of, rereadings
from toolmend.session.mend.support import support
from toolmend.session.mend.thing import meant_instead, of_the_thing
from toolmend.strategies import Act, Flag, Flow, PutBack, Say, TakeBack
from toolmend.strategies.spoken_question import sentence
from toolmend.strategies.strategy import Step

Rung = Generator[Step, Any, bool]
"""A rung of the ladder: whether it was enough."""
ASKED_ANEW = 2  # so many blamed arguments are asked for one by one; more are left to the strategy


class Rungs:
    """What is kept of one talk, and the rungs. `offers` are the answers to the question that is open, if one is;
    `taken_back` tells that the last sentence took the calls back, `speaks` that the last turn was words of the ladder
    alone, so that the next is still about the calls before. `leanings` are what is known of the person."""

    def __init__(self) -> None:
        self.leanings = Leanings()
        self.offers: tuple[Edits, ...] = ()
        self.taken_back = self.speaks = False
        self._insisted: tuple[Call, ...] = ()

    def _edited(self, case: MendCase, understood: Understood) -> Rung:
        """Make the calls with the values that were said; of another thing, where that was meant."""
        if instead := meant_instead(case, understood.edits):
            call, back = instead
            case = replace(case, calls=(call,))
            return (yield from done(case, edited_calls(case.calls, of_the_thing(case, understood.edits)), "edit", back))
        return (yield from self._made(case, understood.edits, "edit", understood.words))

    def _made(
        self,
        case: MendCase,
        edits: Edits,
        how: str,
        words: Mapping[Place, str] | None = None,
    ) -> Rung:
        """Make the calls with other values; whether one took effect."""
        calls = list(edited_calls(case.calls, of_the_thing(case, edits)))
        for (number, name), said in (words or {}).items():
            calls[number] = replace(calls[number], said={**calls[number].said, name: said})
        return (yield from self.leanings.learning(case, edits, how, done(case, tuple(calls), how)))

    def _made_anew(self, case: MendCase, verdict: AsSuch) -> Rung:
        """What is said of the calls as such: none, fewer, more or others; whether that could be made."""
        if verdict == "needless":
            self.taken_back = True
            yield Flag("mended", "back")
            yield PutBack(tuple(call.id for call in case.replaced))
            waiting = asked_of(case)
            yield from words_alone(sentence(waiting.question, case.specs) if waiting else "Taken back.", waiting)
            return True
        if verdict in ("twice", "too many"):
            unique = [
                place for place, call in enumerate(case.calls) if not any(same(call, old) for old in case.calls[:place])
            ]
            kept = kept_of(case) if len(unique) == len(case.calls) else unique
            return bool(kept) and (yield from done(case, tuple(case.calls[place] for place in kept), "reread"))
        if verdict == "too few":
            fuller = [one for one in rereadings(case) if len(one.calls) > len(case.calls)]
            return bool(fuller) and (yield from done(case, fuller[0].calls, "reread", fuller[0].back))
        tool = tool_asked(case.said, case.specs)
        others = [
            one
            for one in rereadings(case, tool)
            if verdict == "due" or tool or all(call.tool != old.tool for call in one.calls for old in case.calls)
        ]
        if not others or not (yield from done(case, others[0].calls, "reread", others[0].back)):
            return False
        yield TakeBack(tuple(call.id for call in case.calls))  # the new ones may be in the place of earlier ones
        return True

    def _anew(self, case: MendCase, blamed: Sequence[Place], otherwise: Flow) -> Rung:
        """Hold everything else and ask for what is blamed; whether a call was made."""
        if not case.asks or len(blamed) > ASKED_ANEW:
            return (yield from self._other(case, otherwise, blamed))
        edits: dict[int, dict[str, Any]] = {}
        for number, name in blamed:
            slot = next((slot for slot in case.slots(number) if slot.name == name), None)
            if slot is None:
                return False
            reply: Reply = yield question(case, number, slot)
            value = answered(case, number, slot, reply.text)
            if value is None:
                return False
            edits.setdefault(number, {})[name] = value[0]
        return case.is_new(edits) and (yield from self._made(case, edits, "asked anew"))

    def _other(self, case: MendCase, otherwise: Flow, blamed: Sequence[Place] = ()) -> Rung:
        """The strategy's own turn, of whose calls only what is blamed is taken; whether a call was made. Stopped before
        it makes a call that was made before, or asks: the ladder has a question that knows the calls."""
        sent: Any = None
        acted = False
        while True:
            try:
                step = otherwise.send(sent)
            except StopIteration:
                return acted
            if isinstance(step, Act) and not acted:
                calls = held(case, step.calls, blamed)
                if not calls or not is_other(case, calls):
                    otherwise.close()
                    return False
                yield Flag("mended", "asked anew")
                acted, step = True, Act(calls, replace(step.reading, calls=calls))
            sent = yield step

    def _ask_person(self, case: MendCase, offers: Sequence[Edits], blamed: Sequence[Place] = ()) -> Flow:
        """One question, with the answers that could be meant; without any, what is blamed as it is."""
        self.offers = tuple(offer for offer in offers if case.is_new(offer))
        self.speaks = True
        yield Flag("mended", "question")
        stands = [shown(case.calls[number], name) for number, name in blamed if name in case.calls[number].arguments]
        told = " ".join([*stands, SAY_WHAT if stands else WHAT])
        yield from words_alone(choice(case, self.offers) if self.offers else told)

    def _insist(self, case: MendCase, words: Mapping[Place, str], offers: Sequence[Edits]) -> Flow:
        """Make the calls once more that stand on the person's own words, and show these, and what else could be."""
        self.offers = tuple(offer for offer in offers if case.is_new(offer))
        self.speaks = True
        self._insisted += case.calls
        stands = [shown(case.calls[number], name, said) for (number, name), said in words.items()]
        yield Flag("mended", "insists")
        yield Say(" ".join([*stands, choice(case, self.offers) if self.offers else SAY_WHAT]))
        yield Act(case.calls, Reading(case.calls))

    def _firm(self, case: MendCase, places: Sequence[Place]) -> dict[Place, str]:
        """The words that every doubted argument stands on; none where one has none, or they were shown before."""
        if any(same(call, old) for call in case.calls for old in self._insisted):
            return {}
        words: dict[Place, str] = {}
        for number, name in places:
            slots = case.slots(number)
            slot = next((slot for slot in slots if slot.name == name), None)
            if slot is None or slot.old is None or slot.name not in case.calls[number].arguments:
                continue
            firm = support(slot, slots, case.background).firm or case.goes_on(number, slot) or case.copied(number, slot)
            if not firm and (slot.required or slot.old != slot.schema.get("default")):
                return {}
            if firm:
                words[number, name] = firm
        return words


def done(case: MendCase, calls: tuple[Call, ...], how: str, back: tuple[str, ...] = ()) -> Rung:
    """Make these calls, and tell them; `back` are earlier ones that stand again first, and not if none of the calls can
    be made. Whether one took effect."""
    yield Flag("mended", how)
    if back:
        yield PutBack(back)
    yield Say(written_out(case, calls))
    results: Sequence[CallResult] = yield Act(calls, Reading(calls))
    if back and not any(result.ok for result in results):
        yield TakeBack(back)
    return any(result.ok for result in results)


def words_alone(text: str, waiting: Open | None = None) -> Flow:
    """Words alone, and nothing is done."""
    yield Say(text, open=waiting)
    yield Act((), Reading((), text, problem="no_call"))


def written_out(case: MendCase, calls: Sequence[Call]) -> str:
    """The calls as everybody writes them; one that Python cannot write by its tool's name."""
    specs = {spec.full_name: spec for spec in case.specs}
    lines = []
    for call in calls:
        try:
            lines.append(render(call, specs.get(call.tool)))
        except BadOption:
            lines.append(call.tool)
    return "\n".join(lines)


def joined(one: Edits, other: Edits) -> Edits:
    """Both edits as one."""
    return {number: {**one.get(number, {}), **other.get(number, {})} for number in {*one, *other}}


def is_other(case: MendCase, calls: Sequence[Call]) -> bool:
    """Whether there are calls, and not all of them were made before."""
    return any(not any(same(call, old) for old in (*case.tried, *case.calls)) for call in calls)
