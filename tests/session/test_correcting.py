"""What a correction takes back, links and puts back, and which calls it is about."""

from dataclasses import replace

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.events import Asked, Called, Corrected, Read, Replied, Undone
from toolmend.base.messages import Message, Wrong
from toolmend.base.mistakes import Correction, Kind, Mistake

FRED = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
FRED_2024 = FRED.replace("2023", "2024")
ANNA = 'action.add_calendar_entry("Lunch with Anna", date="2024-05-03", time="12:00", duration=60)'
NO_SUCH_DAY = 'action.add_calendar_entry("Meeting with Fred", date="2024-02-30", time="17:00")'
GARBAGE = "I am sorry, Dave."
FRED_ENTRY = {"title": "Meeting with Fred", "date": "2023-11-11", "time": "17:00", "duration": 30}
FRED_2024_ENTRY = {**FRED_ENTRY, "date": "2024-11-11"}
ANNA_ENTRY = {"title": "Lunch with Anna", "date": "2024-05-03", "time": "12:00", "duration": 60}


def world(session):
    return session.tools.state()["entries"]


def ids(calls):
    return [call.id for call in calls]


def test_a_correction_undoes_and_amends(talk):
    chat, events = talk(FRED, FRED_2024)
    chat.request("Add Fred")
    events.clear()
    answer = chat.correct("The current year is 2024.")
    assert world(chat) == [FRED_2024_ENTRY]
    assert (answer.amends, answer.undone, answer.redone, answer.calls[0].amends) == (0, ("c1",), False, "c1")
    assert [type(event) for event in events] == [Asked, Corrected, Undone, Replied, Read, Called]
    assert events[:3] == [
        Asked(1, "The current year is 2024.", 0),
        Corrected(1, Correction("The current year is 2024."), 0),
        Undone(1, ("c1",)),
    ]


def test_a_correction_of_a_correction_keeps_the_chain(talk):
    chat, _ = talk(FRED, FRED_2024, ANNA)
    chat.request("Add Fred")
    chat.correct("The current year is 2024.")
    chat.correct("I meant lunch with Anna.")
    calls = [call for answer in chat.answers for call in answer.calls]
    assert [(call.id, call.amends) for call in calls] == [("c1", None), ("c2", "c1"), ("c3", "c2")]
    assert world(chat) == [ANNA_ENTRY]
    assert ids(chat.standing) == ["c3"]


def test_a_correction_value_is_told_as_it_is(talk):
    chat, events = talk(FRED, FRED_2024)
    chat.request("Add Fred")
    correction = Correction("The date is wrong.", 2, Mistake(Kind.WRONG_VALUE, "date"))
    chat.correct(correction)
    assert Corrected(1, correction, 0) in events
    assert chat.messages[2] == Message("user", "The date is wrong.")


def test_nothing_callable_back_puts_everything_back_and_says_so(talk):
    chat, events = talk(FRED, GARBAGE)
    chat.request("Add Fred")
    before = world(chat)
    answer = chat.correct("The year is wrong.")
    assert world(chat) == before == [FRED_ENTRY]
    assert (answer.undone, answer.redone, answer.calls) == (("c1",), True, ())
    assert events[-1] == Undone(1, ("c1",), redone=True)
    assert ids(chat.standing) == ["c1"]


def test_a_call_that_failed_puts_everything_back(talk):
    chat, events = talk(FRED, NO_SUCH_DAY)
    chat.request("Add Fred")
    answer = chat.correct("No, on February 30")
    assert (world(chat), answer.redone, answer.standing) == ([FRED_ENTRY], True, ())
    assert events[-1] == Undone(1, ("c1",), redone=True)
    assert answer.calls[0].amends == "c1"


def test_a_correction_after_a_failed_amendment_is_of_what_stands(talk):
    chat, events = talk(FRED, GARBAGE, FRED_2024)
    chat.request("Add Fred")
    chat.correct("The year is wrong.")
    answer = chat.correct("The current year is 2024.")
    assert (answer.amends, answer.undone, world(chat)) == (0, ("c1",), [FRED_2024_ENTRY])
    assert answer.calls[0].amends == "c1"
    assert Asked(2, "The current year is 2024.", 0) in events


def test_garbage_for_a_new_request_is_corrected_without_undoing_the_one_before(talk):
    chat, events = talk(ANNA, GARBAGE, GARBAGE, FRED)
    chat.request("Add Anna")
    chat.request("Add Fred")
    chat.correct("Just the call, please.")
    answer = chat.correct("Only the code.")
    assert (world(chat), answer.undone, answer.calls[0].amends) == ([FRED_ENTRY, ANNA_ENTRY], (), None)
    assert not any(isinstance(event, Undone) for event in events)


def test_several_calls_are_undone_newest_first(talk):
    chat, events = talk(f"{FRED}\n{ANNA}", FRED_2024)
    chat.request("Add both")
    answer = chat.correct("Only Fred, and in 2024")
    assert answer.undone == ("c2", "c1")
    assert Undone(1, ("c2", "c1")) in events
    assert world(chat) == [FRED_2024_ENTRY]


def test_several_new_calls_amend_the_old_ones_in_order(talk):
    chat, _ = talk(f"{FRED}\n{ANNA}", f"{FRED_2024}\n{ANNA}\n{ANNA.replace('Anna', 'Tom')}")
    chat.request("Add both")
    answer = chat.correct("In 2024, and Tom too")
    assert [call.amends for call in answer.calls] == ["c1", "c2", "c2"]


def test_one_good_call_among_failed_ones_is_enough(talk):
    chat, _ = talk(FRED, f"{NO_SUCH_DAY}\n{ANNA}")
    chat.request("Add Fred")
    answer = chat.correct("Wrong.")
    assert (answer.redone, world(chat)) == (False, [ANNA_ENTRY])


def test_a_call_id_says_which_turn_is_corrected(talk):
    chat, _ = talk(FRED, ANNA, FRED_2024)
    chat.request("Add Fred")
    chat.request("Add Anna")
    answer = chat.correct("The current year is 2024.", call="c1")
    assert (answer.amends, answer.undone, answer.calls[0].amends) == (0, ("c1",), "c1")
    assert world(chat) == [ANNA_ENTRY, FRED_2024_ENTRY]


def test_the_id_of_a_call_that_was_replaced_leads_to_what_replaced_it(talk):
    chat, _ = talk(FRED, FRED_2024, ANNA, FRED.replace("2023", "2025"))
    chat.request("Add Fred")
    chat.correct("The current year is 2024.")
    chat.request("Add Anna")
    answer = chat.correct("The current year is 2025.", call="c1")
    assert (answer.amends, answer.undone, answer.calls[0].amends) == (1, ("c2",), "c2")
    assert world(chat) == [ANNA_ENTRY, {**FRED_ENTRY, "date": "2025-11-11"}]


def test_the_id_of_a_call_that_failed_leads_to_what_stands_now(talk):
    chat, _ = talk(FRED, NO_SUCH_DAY, FRED_2024, ANNA)
    chat.request("Add Fred")
    chat.correct("No, on February 30")
    chat.correct("The current year is 2024.")
    answer = chat.correct("I meant Anna", call="c2")
    assert (answer.undone, world(chat)) == (("c3",), [ANNA_ENTRY])


def test_an_unknown_call_id_is_refused_and_nothing_happens(talk):
    chat, events = talk(FRED)
    chat.request("Add Fred")
    events.clear()
    with pytest.raises(BadOption, match=r"no call has the id 'c9'; this talk has c1$"):
        chat.correct("Wrong.", call="c9")
    assert (events, world(chat)) == ([], [FRED_ENTRY])


def test_there_must_be_something_to_correct(talk):
    chat, events = talk(FRED)
    with pytest.raises(BadOption, match="there is nothing to correct yet: say something first"):
        chat.correct("Wrong.")
    assert events == []


def test_what_stands_is_oldest_first_even_after_putting_back(talk):
    chat, _ = talk(FRED, ANNA, GARBAGE)
    chat.request("Add Fred")
    chat.request("Add Anna")
    chat.correct("Wrong.", call="c1")
    assert ids(chat.standing) == ["c1", "c2"]


@pytest.mark.parametrize(("can", "avoid"), [(True, (Wrong(FRED),)), (False, ())])
def test_a_model_that_can_is_told_what_not_to_say_again(talk, can, avoid):
    chat, _ = talk(FRED, FRED_2024)
    asked, reply = [], chat.model.reply

    async def listen(request, *, on_delta=None):
        asked.append(request.avoid)
        return await reply(request, on_delta=on_delta)

    chat.model.reply, chat.model.abilities = listen, replace(chat.model.abilities, avoids=can)
    chat.request("Add Fred")
    chat.correct("The current year is 2024.")
    assert asked == [(), avoid]
