"""The ladder of one talk: the sentence's own values, the blamed part anew, the readings there are, one question.

    flow = mender.flow(case, otherwise)   # yields Ask, Act, Say, Flag as a strategy's turn does; `otherwise` is that

Every rung is told as a Flag "mended". The same call is never made twice, unless it stands firmly on the person's own
words: then these are shown.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, CallResult, Reply
from toolmend.language.corrections import Understood, edited_calls, takes_back
from toolmend.language.corrections.as_such import AsSuch
from toolmend.language.corrections.understanding import CONTRADICTS
from toolmend.language.corrections.understood import Place
from toolmend.language.resolve.background import Open
from toolmend.language.resolve.restated import restated
from toolmend.reading import Reading, render
from toolmend.session.mend.anew import calls_only, held, last_exchange
from toolmend.session.mend.asking import NOTHING_ASKED, SAY_WHAT, WHAT, answered, choice, chosen, question, shown
from toolmend.session.mend.candidates import BLAMED, CLEARLY, ENOUGH, clear
from toolmend.session.mend.case import Edits, MendCase, same
from toolmend.session.mend.complaints import NOTHING, SAID, as_such, is_complaint, named, tool_asked
from toolmend.session.mend.completing import completed, said_before
from toolmend.session.mend.explained import explains, only_complains, says_more
from toolmend.session.mend.leanings import Leanings
from toolmend.session.mend.rereading import Reread, asked_of, kept_of, rereadings
from toolmend.session.mend.support import support
from toolmend.session.mend.thing import meant_instead, of_the_thing
from toolmend.strategies import Act, Ask, Flag, Flow, PutBack, Say, TakeBack
from toolmend.strategies.spoken_question import sentence
from toolmend.strategies.strategy import Step

MenderState = tuple[tuple[Edits, ...], bool, tuple[Call, ...]]
Rung = Generator[Step, Any, bool]  # of the ladder: whether it was enough
OFFERED = 3
ASKED_ANEW = 2  # so many blamed arguments are asked for one by one; more are left to the strategy


class Mender:
    """Mends the calls of one talk. `offers` are the answers to the question that is open, if one is; `taken_back` tells
    that the last sentence took the calls back, `speaks` that the last turn was words of the ladder alone, so that the
    next is still about the calls before. `leanings` are what is known of the person."""

    def __init__(self) -> None:
        self.leanings = Leanings()
        self.offers: tuple[Edits, ...] = ()
        self.taken_back = self.speaks = False
        self._insisted: tuple[Call, ...] = ()

    def concerned(self, case: MendCase) -> str:
        """Why a sentence is about what was done, whatever else it looks like: it answers the open question, or takes
        back; "" if it does neither."""
        if chosen(case.said, self.offers) is not None or (case.open and completed(case, case.open)):
            return "answers the question"
        return "takes back" if takes_back(case.said) else ""

    @property
    def state(self) -> MenderState:
        """The open question, and what was insisted on, to be set again where a turn is taken back."""
        return self.offers, self.speaks, self._insisted

    @state.setter
    def state(self, state: MenderState) -> None:
        self.taken_back = False
        self.offers, self.speaks, self._insisted = state

    def forget(self) -> None:
        """The open question is no longer of interest."""
        self.offers, self.taken_back, self.speaks = (), False, False

    def idle(self) -> Flow:
        """One turn: a yes that nothing asked for."""
        yield Flag("mended", "refused")
        yield from _told(NOTHING_ASKED)

    def flow(self, case: MendCase, otherwise: Flow) -> Flow:
        """One turn: the correction of the case."""
        offers = self.offers
        self.forget()
        if case.fixed:
            yield Flag("mended", "refused")
            yield from _told(f"{case.fixed} cannot be undone: what it did stays done, and nothing was changed.")
            return
        more = says_more(case)
        verdict = "" if more else as_such(case)
        if verdict and (yield from self._made_anew(case, verdict)):
            otherwise.close()
            return
        if verdict in ("due", "too few", "another tool"):
            otherwise = calls_only(case, otherwise)
        if case.computed and is_complaint(case.said):
            otherwise = last_exchange(otherwise)
        if not (case.taught or offers) and restated(case.said, case.latest, case.specs):
            yield from otherwise
            return
        here = case.open is not None and case.asked in ("", case.open.question.tool)
        if case.open is not None and here and (not case.asked or completed(case, case.open)):
            yield from self._answered(case, case.open, otherwise)
            return
        if not case.calls:
            yield from calls_only(case, otherwise) if case.asked else otherwise
            return
        picked = chosen(case.said, offers)
        if picked is not None and (yield from self._made(case, picked, "choice")):
            return
        understood = named(case, case.understood())
        if understood.kind == "edit" and explains(case, understood) and (yield from self._edited(case, understood)):
            return
        if case.asked:
            yield from calls_only(case, otherwise)
        elif understood.kind == "back" and not more:
            self.taken_back = True
            yield Flag("mended", "back")
            yield from _told("Taken back.")
        elif understood.kind in ("blame", "wrong") and only_complains(case):
            yield from self._doubted(case, understood, otherwise)
        else:
            yield from self._heard(case, understood, otherwise)

    def _heard(self, case: MendCase, understood: Understood, otherwise: Flow) -> Flow:
        """The strategy's own turn, as the model hears the sentence. Where no other call comes of it, what was
        understood is put to the person; or else the turn goes on as it would have."""
        sent: Any = None
        unsaid: list[Step] = []  # not told before it is clear that it counts
        while True:
            try:
                step = otherwise.send(sent)
            except StopIteration:
                return
            sent = None
            if isinstance(step, Ask):
                sent = yield step
            elif isinstance(step, (Say, Flag)):
                unsaid.append(step)
            elif isinstance(step, Act) and not self._is_other(case, step.calls) and self._has_answer(case, understood):
                otherwise.close()
                yield from self._answer(case, understood)
                return
            else:
                yield from unsaid
                sent = yield step
                break
        yield from _going_on(otherwise, sent)

    @staticmethod
    def _is_other(case: MendCase, calls: Sequence[Call]) -> bool:
        """Whether there are calls, and not all of them were made before."""
        return any(not any(same(call, old) for old in (*case.tried, *case.calls)) for call in calls)

    @staticmethod
    def _has_answer(case: MendCase, understood: Understood) -> bool:
        """Whether something was understood that a person can be asked about, or told."""
        edits, reason = (understood.edits, *understood.candidates), understood.reason
        faulted = understood.kind in ("blame", "wrong")
        return faulted or any(map(case.is_new, edits)) or reason.startswith((NOTHING, CONTRADICTS))

    def _answer(self, case: MendCase, understood: Understood) -> Flow:
        """What was understood, as a question; or why it can be nothing."""
        offers = [edits for edits in (understood.edits, *understood.candidates) if case.is_new(edits)]
        if offers:
            yield from self._ask_person(case, offers[:OFFERED])
            return
        if understood.kind in ("blame", "wrong"):
            yield from self._doubted(case, understood, iter(()))
            return
        self.speaks = True
        yield Flag("mended", "refused")
        yield from _told(f"{understood.reason[0].upper()}{understood.reason[1:]}: nothing was changed.")

    def _doubted(self, case: MendCase, understood: Understood, otherwise: Flow) -> Flow:
        """What is blamed, or everything that is not praised, is something else."""
        given, case = understood.edits, replace(case, calls=edited_calls(case.calls, understood.edits))
        doubted = understood.blamed or case.places(understood.praised)
        left = tuple(place for place in doubted if not _goes_on(case, place))
        places = left or tuple(doubted)
        changed = len(case.calls) == 1 and case.before(0) is not None
        now = replace(case, request=case.latest) if changed else case  # what was said for the call before was for that
        ranked = self.leanings.ranked(now, places, {number: words for (number, _), words in understood.words.items()})
        best = clear(ranked, BLAMED if understood.blamed else ENOUGH)
        if best and {name for _, name in understood.blamed} - {name for edit in best.edits.values() for name in edit}:
            best = None  # one of several things that are blamed is not enough
        firm = self._firm(now, places)
        if case.replaced and not firm and (yield from self._as_new(case, places, bool(understood.blamed))):
            return
        if (best is None or not left) and (words := firm):
            likely = [other for other in ranked[:OFFERED] if other.weight >= CLEARLY]
            yield from self._insist(case, words, [_joined(given, other.edits) for other in likely])
            return
        if best and (yield from self._made(case, best.edits, "candidate")):
            return
        unasked = _unasked(case, places)
        if understood.blamed:
            if unasked and (yield from self._made(case, unasked, "candidate")):
                return
            if (yield from self._anew(case, understood.blamed, otherwise)):
                return
        elif not ranked and (yield from self._other(case, otherwise)):
            return
        offers = [*([unasked] if unasked else ()), *(candidate.edits for candidate in ranked)]
        yield from self._ask_person(case, [_joined(given, edits) for edits in offers[:OFFERED]], understood.blamed)

    def _as_new(self, case: MendCase, places: Sequence[Place], blamed: bool) -> Rung:
        """What was taken for a change is something new: its text is blamed, or nothing in particular."""
        if not any(slot.kind == "text" and (0, slot.name) in places for slot in case.slots(0)):
            return False
        others = [one for one in rereadings(case) if one.back and (not blamed or _differs(one, case, places))]
        return bool(others) and (yield from _done(case, others[0].calls, "reread", others[0].back))

    def _answered(self, case: MendCase, waiting: Open, otherwise: Flow) -> Flow:
        """What is said to a question: the call that waits is made, or the next question asked."""
        computed, how = completed(case, waiting), "answer"
        if computed is None and takes_back(case.said):
            yield Flag("mended", "back")
            yield from _told("Taken back.")
            return
        if computed is not None and computed.open is not None:
            computed = said_before(case, computed.open, guessing=bool(SAID.search(case.said))) or computed
        if computed is None:
            computed, how = said_before(case, waiting), "candidate"
        if computed is None:
            yield from otherwise
            return
        yield Flag("mended", how)
        if computed.question is not None:
            yield from _told(sentence(computed.question, case.specs), computed.open)
            return
        if computed.undo:
            yield TakeBack(computed.undo)
        yield Say(_written(case, computed.calls))
        yield Act(computed.calls, Reading(computed.calls))

    # rungs --------------------------------------------------------------------------------------------------------

    def _edited(self, case: MendCase, understood: Understood) -> Rung:
        """Make the calls with the values that were said; of another thing, where that was meant."""
        if instead := meant_instead(case, understood.edits):
            call, back = instead
            case = replace(case, calls=(call,))
            return (
                yield from _done(case, edited_calls(case.calls, of_the_thing(case, understood.edits)), "edit", back)
            )
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
        return (yield from self.leanings.learning(case, edits, how, _done(case, tuple(calls), how)))

    def _made_anew(self, case: MendCase, verdict: AsSuch) -> Rung:
        """What is said of the calls as such: none, fewer, more or others; whether that could be made."""
        if verdict == "needless":
            self.taken_back = True
            yield Flag("mended", "back")
            yield PutBack(tuple(call.id for call in case.replaced))
            waiting = asked_of(case)
            yield from _told(sentence(waiting.question, case.specs) if waiting else "Taken back.", waiting)
            return True
        if verdict in ("twice", "too many"):
            unique = [
                place for place, call in enumerate(case.calls) if not any(same(call, old) for old in case.calls[:place])
            ]
            kept = kept_of(case) if len(unique) == len(case.calls) else unique
            return bool(kept) and (yield from _done(case, tuple(case.calls[place] for place in kept), "reread"))
        if verdict == "too few":
            fuller = [one for one in rereadings(case) if len(one.calls) > len(case.calls)]
            return bool(fuller) and (yield from _done(case, fuller[0].calls, "reread", fuller[0].back))
        tool = tool_asked(case.said, case.specs)
        others = [
            one
            for one in rereadings(case, tool)
            if verdict == "due" or tool or all(call.tool != old.tool for call in one.calls for old in case.calls)
        ]
        if not others or not (yield from _done(case, others[0].calls, "reread", others[0].back)):
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
                if not calls or not self._is_other(case, calls):
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
        yield from _told(choice(case, self.offers) if self.offers else told)

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


def _done(case: MendCase, calls: tuple[Call, ...], how: str, back: tuple[str, ...] = ()) -> Rung:
    """Make these calls, and tell them; `back` are earlier ones that stand again first, and not if none of the calls can
    be made. Whether one took effect."""
    yield Flag("mended", how)
    if back:
        yield PutBack(back)
    yield Say(_written(case, calls))
    results: Sequence[CallResult] = yield Act(calls, Reading(calls))
    if back and not any(result.ok for result in results):
        yield TakeBack(back)
    return any(result.ok for result in results)


def _differs(reread: Reread, case: MendCase, places: Sequence[Place]) -> bool:
    """Whether all that is blamed is other there."""
    pairs = zip(reread.calls, case.calls, strict=False)
    return all(
        new.arguments.get(name) != old.arguments.get(name)
        for number, (new, old) in enumerate(pairs)
        for at, name in places
        if at == number
    )


def _unasked(case: MendCase, places: Sequence[Place]) -> Edits:
    """What is doubted and was changed although nothing that was said speaks of it, as it was before."""
    before = case.before(0) if case.calls else None
    if before is None:
        return {}
    slots, said = case.slots(0), replace(case, request=case.latest).background
    was = {
        slot.name: before.arguments[slot.name]
        for slot in slots
        if (0, slot.name) in places and before.arguments.get(slot.name, slot.old) != slot.old
        if not support(slot, slots, said).phrases
    }
    return {0: was} if was and case.is_new({0: was}) else {}


def _goes_on(case: MendCase, place: Place) -> bool:
    """Whether an argument is as it was, or as the words of a change made it."""
    number, name = place
    return any(slot.name == name and case.goes_on(number, slot) for slot in case.slots(number))


def _going_on(flow: Flow, sent: Any) -> Flow:
    """The rest of a flow that has begun."""
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return
        sent = yield step


def _told(text: str, waiting: Open | None = None) -> Flow:
    """Words alone, and nothing is done."""
    yield Say(text, open=waiting)
    yield Act((), Reading((), text, problem="no_call"))


def _written(case: MendCase, calls: Sequence[Call]) -> str:
    """The calls as everybody writes them; one that Python cannot write by its tool's name."""
    specs = {spec.full_name: spec for spec in case.specs}
    lines = []
    for call in calls:
        try:
            lines.append(render(call, specs.get(call.tool)))
        except BadOption:
            lines.append(call.tool)
    return "\n".join(lines)


def _joined(one: Edits, other: Edits) -> Edits:
    """Both edits as one."""
    return {number: {**one.get(number, {}), **other.get(number, {})} for number in {*one, *other}}
