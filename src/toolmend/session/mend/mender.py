"""The ladder of one talk: the sentence's own values, the blamed part anew, the readings there are, one question.

    flow = mender.flow(case, otherwise)   # yields Ask, Act, Say, Flag as a strategy's turn does; `otherwise` is that

Every rung is told as a Flag "mended". The same call is never made twice, unless it stands firmly on the person's own
words: then these are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toolmend.base.messages import Call
from toolmend.language.corrections import Understood, edited_calls, takes_back
from toolmend.language.corrections.filling import SURE
from toolmend.language.corrections.understanding import CONTRADICTS
from toolmend.language.corrections.understood import Place
from toolmend.language.resolve.background import Open
from toolmend.language.resolve.restated import restated
from toolmend.reading import Reading
from toolmend.session.mend.anew import calls_only, last_exchange
from toolmend.session.mend.asking import NOTHING_ASKED, chosen
from toolmend.session.mend.candidates import BLAMED, CLEARLY, ENOUGH, clear
from toolmend.session.mend.case import Edits, MendCase
from toolmend.session.mend.complaints import NOTHING, SAID, as_such, is_complaint, named
from toolmend.session.mend.completing import completed, said_before
from toolmend.session.mend.explained import only_complains, says_more
from toolmend.session.mend.rereading import Reread, rereadings
from toolmend.session.mend.rungs import Rung, Rungs, done, is_other, joined, words_alone, written_out
from toolmend.session.mend.support import support
from toolmend.strategies import Act, Ask, Flag, Flow, Say, TakeBack
from toolmend.strategies.spoken_question import sentence
from toolmend.strategies.strategy import Step

MenderState = tuple[tuple[Edits, ...], bool, tuple[Call, ...]]
OFFERED = 3
BEYOND, LIKELY = 0.95, 0.9
"""How likely an edit must be to be made before the model is asked where some words say more (SURE is enough where none
does), and where the model has no answer. benchmarks/weigh.py prints what each is worth."""


class Mender(Rungs):
    """Mends the calls of one talk: which rung is tried when."""

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
        yield from words_alone(NOTHING_ASKED)

    def flow(self, case: MendCase, otherwise: Flow) -> Flow:
        """One turn: the correction of the case."""
        offers = self.offers
        self.forget()
        if case.fixed:
            yield Flag("mended", "refused")
            yield from words_alone(f"{case.fixed} cannot be undone: what it did stays done, and nothing was changed.")
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
        if (
            understood.kind == "edit"
            and understood.likely >= (BEYOND if understood.left else SURE)
            and (yield from self._edited(case, understood))
        ):
            return
        if case.asked:
            yield from calls_only(case, otherwise)
        elif understood.reason.startswith(CONTRADICTS):
            yield from self._refused(understood.reason)
        elif understood.kind == "back" and not more:
            self.taken_back = True
            yield Flag("mended", "back")
            yield from words_alone("Taken back.")
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
            elif isinstance(step, Act) and not is_other(case, step.calls) and self._has_answer(case, understood):
                otherwise.close()
                if understood.likely < LIKELY or not (yield from self._edited(case, understood)):
                    yield from self._answer(case, understood)
                return
            else:
                yield from unsaid
                sent = yield step
                break
        yield from _going_on(otherwise, sent)

    @staticmethod
    def _has_answer(case: MendCase, understood: Understood) -> bool:
        """Whether something was understood that a person can be asked about, or told."""
        edits, reason = (understood.edits, *understood.candidates), understood.reason
        faulted = understood.kind in ("blame", "wrong")
        return faulted or any(map(case.is_new, edits)) or reason.startswith(NOTHING)

    def _answer(self, case: MendCase, understood: Understood) -> Flow:
        """What was understood, as a question; or why it can be nothing."""
        offers = [edits for edits in (understood.edits, *understood.candidates) if case.is_new(edits)]
        if offers:
            yield from self._ask_person(case, offers[:OFFERED])
            return
        if understood.kind in ("blame", "wrong"):
            yield from self._doubted(case, understood, _silent())
            return
        yield from self._refused(understood.reason)

    def _refused(self, reason: str) -> Flow:
        """Why nothing can be done."""
        self.speaks = True
        yield Flag("mended", "refused")
        yield from words_alone(f"{reason[0].upper()}{reason[1:]}: nothing was changed.")

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
            yield from self._insist(case, words, [joined(given, other.edits) for other in likely])
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
        yield from self._ask_person(case, [joined(given, edits) for edits in offers[:OFFERED]], understood.blamed)

    def _as_new(self, case: MendCase, places: Sequence[Place], blamed: bool) -> Rung:
        """What was taken for a change is something new: its text is blamed, or nothing in particular."""
        if not any(slot.kind == "text" and (0, slot.name) in places for slot in case.slots(0)):
            return False
        others = [one for one in rereadings(case) if one.back and (not blamed or _differs(one, case, places))]
        return bool(others) and (yield from done(case, others[0].calls, "reread", others[0].back))

    def _answered(self, case: MendCase, waiting: Open, otherwise: Flow) -> Flow:
        """What is said to a question: the call that waits is made, or the next question asked."""
        computed, how = completed(case, waiting), "answer"
        if computed is None and takes_back(case.said):
            yield Flag("mended", "back")
            yield from words_alone("Taken back.")
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
            yield from words_alone(sentence(computed.question, case.specs), computed.open)
            return
        if computed.undo:
            yield TakeBack(computed.undo)
        yield Say(written_out(case, computed.calls))
        yield Act(computed.calls, Reading(computed.calls))


def _differs(reread: Reread, case: MendCase, places: Sequence[Place]) -> bool:
    """Whether all that is blamed is other there."""
    pairs = zip(reread.calls, case.calls, strict=False)
    return all(
        new.arguments.get(name) != old.arguments.get(name)
        for number, (new, old) in enumerate(pairs)
        for at, name in places
        if at == number
    )


def _goes_on(case: MendCase, place: Place) -> bool:
    """Whether an argument is as it was, or as the words of a change made it."""
    number, name = place
    return any(slot.name == name and case.goes_on(number, slot) for slot in case.slots(number))


def _silent() -> Flow:
    """A turn in which nothing is said or done."""
    yield from ()


def _going_on(flow: Flow, sent: Any) -> Flow:
    """The rest of a flow that has begun."""
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return
        sent = yield step


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
