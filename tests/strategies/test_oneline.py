"""The strategy `oneline`: one request, one reply, its calls."""

import pytest

from toolmend.base.messages import Call, Message, Reply, Wrong
from toolmend.strategies import Act, Ask, Talk
from toolmend.strategies.oneline import Oneline
from toolmend.tools.toolboxes import Calendar

TOOLS = Calendar().specs
FRED = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
SAID = (
    Message("user", "Add Fred"),
    Message("assistant", FRED, (Call("action.add_calendar_entry", {}, "c1"),)),
    Message("user", "The current year is 2024."),
)


def turn(text, *, talk=None):
    """What is asked, and what is done with a reply."""
    flow = Oneline().turn(talk or Talk(TOOLS, SAID))
    asked = flow.send(None)
    done = flow.send(Reply(text))
    with pytest.raises(StopIteration):
        flow.send(())
    return asked, done


def test_the_system_text_comes_first_and_the_talk_in_order():
    asked, _ = turn(FRED)
    assert isinstance(asked, Ask)
    assert asked.messages[0].role == "system"
    assert asked.messages[1:] == tuple(Message(each.role, each.content) for each in SAID)
    assert SAID[1].calls != ()  # its notation is text: calls stand in it
    assert (asked.role, asked.tools, asked.constraint) == ("main", (), None)


def test_the_system_text_shows_the_api():
    text = Oneline().system_text(Talk(TOOLS, SAID))
    assert 'action.add_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM", duration=30)' in text.splitlines()[2]
    assert text.splitlines()[3] == 'action.remove_calendar_entry(title, date="YYYY-MM-DD", time="HH:MM")'
    assert text.endswith("Respond to every request with a single line of executable code.")


@pytest.mark.parametrize("system", ["Be brief. {{ api }}", ""])
def test_a_given_system_text_is_sent_as_it_is(system):
    asked, _ = turn(FRED, talk=Talk(TOOLS, SAID, system))
    assert asked.messages[0] == Message("system", system)


def test_the_call_of_the_reply_is_made():
    _, done = turn(FRED)
    assert isinstance(done, Act)
    arguments = {"title": "Meeting with Fred", "date": "2023-11-11", "time": "17:00", "duration": 30}
    assert done.calls == (Call("action.add_calendar_entry", arguments),)
    assert done.reading.problem is None


def test_a_reply_without_a_call_does_nothing():
    _, done = turn("I am sorry, Dave.")
    assert (done.calls, done.reading.problem) == ((), "no_call")


def test_a_description_cannot_run_as_a_template():
    import dataclasses

    tricky = dataclasses.replace(TOOLS[0], name="{{ 7 * 7 }}")
    assert "{{ 7 * 7 }}(" in Oneline().system_text(Talk((tricky,), SAID))


def test_a_world_that_can_be_seen_is_shown():
    text = Oneline().system_text(Talk(TOOLS, SAID, view=lambda: "an empty week"))
    assert "\nThe current state:\nan empty week\n\nAn argument with a default" in text


def test_it_says_what_it_is():
    assert (Oneline.name, Oneline.bare, len(Oneline().prompt_hash)) == ("oneline", True, 12)


def test_what_was_just_called_wrong_is_to_be_avoided():
    asked, _ = turn(FRED, talk=Talk(TOOLS, SAID, wrong=(Wrong(FRED),)))
    assert asked.avoid == (Wrong(FRED),)


def test_repeat_lets_it_be_said_again():
    assert Oneline(repeat=True).turn(Talk(TOOLS, SAID, wrong=(Wrong(FRED),))).send(None).avoid == ()
