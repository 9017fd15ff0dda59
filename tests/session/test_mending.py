"""Corrections that are mended in a talk: no model where words do, and what is undone, kept and told."""

import datetime as dt

from toolmend import Toolbox, tool
from toolmend.base.events import Guarded
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools.toolboxes import Calendar

ADD = 'action.add_calendar_entry("Dinner with Martha", date="2026-03-06", time="07:00")'
ENTRY = {"title": "Dinner with Martha", "date": "2026-03-06", "time": "07:00", "duration": 30}
REQUEST = "Add dinner with Martha on Friday at seven"


def mended(talk, *replies, request=REQUEST):
    box = Calendar()
    box.now = dt.datetime(2026, 3, 4, 9)
    chat, events = talk(ADD, *replies, tools=box, mend=True)
    chat.request(request)
    events.clear()
    return chat, events


def entries(chat):
    return chat.tools.state()["entries"]


def test_a_value_that_is_given_is_put_in_and_no_model_is_asked(talk):
    chat, events = mended(talk)
    answer = chat.correct("No, seven in the evening.")
    assert entries(chat) == [{**ENTRY, "time": "19:00"}]
    assert (answer.undone, answer.calls[0].amends, answer.usage.output_tokens) == (("c1",), "c1", 0)
    assert Guarded(1, "mended", "edit") in events


def test_what_is_told_of_a_mended_call_is_the_call(talk):
    chat, _ = mended(talk)
    assert str(chat.correct("at 8 pm")) == ADD.replace("07:00", "20:00")
    assert chat.messages[-1].content == ADD.replace("07:00", "20:00")


def test_a_question_leaves_the_call_as_it_was_and_is_answered_by_its_number(talk):
    chat, _ = mended(talk, request="Add dinner with Marta on Friday at seven")
    answer = chat.say("That's wrong.")
    assert str(answer) == "Which is right? 1: title Dinner with Marta. 2: time 19:00. Or say it in your words."
    assert (answer.calls, answer.redone, entries(chat)) == ((), True, [ENTRY])
    chat.say("the second")
    assert entries(chat) == [{**ENTRY, "time": "19:00"}]


def test_taking_back_undoes_and_stays_undone(talk):
    chat, _ = mended(talk)
    answer = chat.say("Forget it.")
    assert (entries(chat), answer.undone, answer.redone) == ([], ("c1",), False)


def test_a_mended_turn_can_be_taken_back(talk):
    chat, _ = mended(talk)
    chat.correct("at 8 pm")
    chat.undo()
    assert entries(chat) == [ENTRY]


def test_one_correction_after_the_other(talk):
    chat, _ = mended(talk)
    chat.say("No, seven in the evening.")
    chat.say("And an hour later, for two hours.")
    assert entries(chat) == [{**ENTRY, "time": "20:00", "duration": 120}]


def test_without_it_the_model_is_asked(talk):
    chat, events = talk(ADD, ADD.replace("07:00", "18:00"))
    chat.request(REQUEST)
    chat.correct("No, seven in the evening.")
    assert entries(chat)[0]["time"] == "18:00"
    assert not any(isinstance(event, Guarded) for event in events)


def test_of_a_model_that_speaks_the_notation_only_the_blamed_part_is_taken(talk):
    box = Calendar()
    box.now = dt.datetime(2026, 3, 4, 9)
    said = 'add_calendar_entry(title="Dinner with Martha", date="6 March", time="7 am")'
    replies = (said, 'change(time="eight in the evening", title="Supper")')
    chat, events = talk(*replies, tools=box, strategy="spoken", mend=True)
    chat.request("Add the usual with Martha")
    chat.correct("The time is wrong.")
    assert entries(chat) == [{**ENTRY, "time": "20:00"}]
    assert Guarded(1, "mended", "asked anew") in events


def test_of_a_model_that_says_words_only_the_last_exchange_is_asked_about(talk):
    box = Calendar(now=dt.datetime(2026, 3, 4, 9))
    replies = (
        'add_calendar_entry(title="Tea", date="tomorrow", time="4 pm")',
        'add_calendar_entry(title="Dinner with Martha", date="6 March", time="7 am")',
        'change(time="eight in the evening")',
    )
    chat, _ = talk(*replies, tools=box, strategy="spoken", mend=True)
    chat.request("Tea tomorrow at four")
    chat.request("Add the usual with Martha")
    chat.correct("The time is wrong.")
    shown = chat.model.requests[-1].messages
    assert [message.content for message in shown[1:]] == ["Add the usual with Martha", replies[1], "The time is wrong."]
    assert [entry["time"] for entry in entries(chat)] == ["16:00", "20:00"]


def test_an_answer_completes_the_call_that_waited_for_it_and_no_model_is_asked(talk):
    box = Calendar(now=dt.datetime(2026, 3, 4, 9))
    chat, events = talk(
        'add_calendar_entry(title="Tea", date="tomorrow", time="?")', tools=box, strategy="spoken", mend=True
    )
    assert str(chat.say("Tea tomorrow")) == "At what time?"
    answer = chat.say("It's at five in the afternoon.")
    assert entries(chat) == [{"title": "Tea", "date": "2026-03-05", "time": "17:00", "duration": 30}]
    assert (answer.usage.output_tokens, Guarded(1, "mended", "answer") in events) == (0, True)


def test_an_answer_completes_the_change_of_a_call_that_was_put_back(talk):
    replies = ('add_calendar_entry(title="Tea", date="6 March", time="3 pm")', 'change(time="?")')
    chat, _ = talk(*replies, tools=Calendar(now=dt.datetime(2026, 3, 4, 9)), strategy="spoken", mend=True)
    chat.say("Tea on Friday")
    with chat.mending(False):
        assert str(chat.correct("Not at three")) == "At what time?"
    chat.say("at 5 pm")
    assert entries(chat) == [{"title": "Tea", "date": "2026-03-06", "time": "17:00", "duration": 30}]


def test_one_answer_leads_to_the_next_question(talk):
    box = Calendar(now=dt.datetime(2026, 3, 4, 9))
    chat, _ = talk('add_calendar_entry(title="Tea", date="?", time="?")', tools=box, strategy="spoken", mend=True)
    chat.say("Tea, please")
    assert str(chat.say("on Friday")) == "At what time?"
    chat.say("at 5 pm")
    assert [(entry["date"], entry["time"]) for entry in entries(chat)] == [("2026-03-06", "17:00")]


def test_a_needless_question_is_answered_by_what_was_said_before(talk):
    box = Calendar(now=dt.datetime(2026, 3, 4, 9))
    chat, _ = talk(
        'add_calendar_entry(title="Tea", date="tomorrow", time="?")', tools=box, strategy="spoken", mend=True
    )
    chat.say("Tea tomorrow at 4 pm")
    chat.correct("I did say the time.")
    assert [entry["time"] for entry in entries(chat)] == ["16:00"]


def test_a_question_that_is_not_answered_is_left_to_the_strategy(talk):
    box = Calendar(now=dt.datetime(2026, 3, 4, 9))
    replies = ('add_calendar_entry(title="Tea", date="tomorrow", time="?")', 'change(time="6 pm")')
    chat, _ = talk(*replies, tools=box, strategy="spoken", mend=True)
    chat.say("Tea tomorrow")
    chat.correct("I don't like this.")
    assert [entry["time"] for entry in entries(chat)] == ["18:00"]


def test_an_argument_that_the_tool_has_not_is_said_in_one_line_and_nothing_changes(talk):
    chat, _ = mended(talk)
    assert str(chat.correct("The room is wrong.")) == "There is no room here: nothing was changed."
    assert entries(chat) == [ENTRY]


def test_a_contradiction_is_asked_about_and_nothing_changes(talk):
    chat, _ = mended(talk)
    assert str(chat.correct("The time is 5 pm and the time is 6 pm.")) == (
        "Which is right? 1: time 17:00. 2: time 18:00. Or say it in your words."
    )
    assert entries(chat) == [ENTRY]


def test_a_call_that_cannot_be_undone_stays_and_is_not_made_again(talk):
    sent: list[str] = []

    @tool
    def send(text: str, time: str) -> str:
        """Send something."""
        sent.append(text)
        return "sent"

    chat, _ = talk('send("Hello", "07:00")', tools=Toolbox.of(send), mend=True)
    chat.request("Send Hello at seven")
    assert str(chat.correct("The text is Hi.")) == (
        "send cannot be undone: what it did stays done, and nothing was changed."
    )
    assert sent == ["Hello"]


def test_what_is_played_as_published_is_not_mended():
    assert Session(Scripted([""]), Calendar(), "freyr_paper").mender is None
    assert Session(Scripted([""]), Calendar()).mender is not None


def test_a_question_is_open_again_when_its_answer_is_taken_back(talk):
    chat, _ = mended(talk, request="Add dinner with Marta on Friday at seven")
    chat.say("That's wrong.")
    offers = chat.offers
    chat.say("the second")
    chat.undo()
    assert chat.offers == offers != ()
    chat.say("the first")
    assert entries(chat) == [{**ENTRY, "title": "Dinner with Marta"}]


def test_what_was_insisted_on_is_forgotten_when_the_turn_is_taken_back(talk):
    chat, events = mended(talk, request="Add dinner with Martha on Friday at 7 am")
    for _ in range(2):
        chat.correct("The time is wrong.")
        chat.undo()
    assert [event.detail for event in events if isinstance(event, Guarded)] == ["insists", "insists"]
