"""Texts as the sentence and the description have them."""

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.phrases import in_place, phrased


def tool(**described):
    """A tool whose texts are described so, all of them needed."""
    properties = {name: {"type": "string", "description": text} for name, text in described.items()}
    return ToolSpec("find", parameters={"type": "object", "properties": properties, "required": [*described]})


@pytest.mark.parametrize(
    ("described", "said", "sentence", "whole"),
    [
        ("Genre of music", "jazz music", "jazz music in Seattle", "jazz"),
        ("The type of the crime.", "theft crimes", "cases about theft crimes", "theft"),
        ("Name of the hotel", "Hilton Hotel", "a room at the Hilton Hotel", "Hilton Hotel"),
        ("what happens", "charity event", "a charity event on Friday", "charity event"),
        ("The shift", "saturday", "I can do Saturday morning", "Saturday morning"),
        ("The shift", "Saturday", "Saturday, morning or evening", "Saturday"),
        ("The docket", "AL2562", "docket 2022/AL2562, please", "2022/AL2562"),
        ("The movie", "brief on 'Heat'", "Give me a brief on 'Heat'", "Heat"),
        ("The message", "see you at 10", "write 'see you at 10 tomorrow' to Bo", "see you at 10 tomorrow"),
        ("The city and state, e.g. Boston, MA", "New York", "rain in New York?", "New York, NY"),
        ("The city", "New York", "rain in New York?", "New York"),
    ],
)
def test_a_text_is_whole_and_alone(described, said, sentence, whole):
    assert phrased(tool(what=described), {"what": said}, sentence) == {"what": whole}


def test_another_argument_behind_a_text_is_not_of_it():
    words = {"crime": "theft in Los Angeles", "place": "Los Angeles, California"}
    assert phrased(tool(crime="", place=""), words, "theft in Los Angeles, California")["crime"] == "theft"


def test_an_address_is_the_one_of_the_sentence():
    spec = tool(to="The email address to send to", subject="The subject of the email")
    words = {"to": "John Doe", "subject": "Lunch"}
    told = phrased(spec, words, "Write to John Doe at john@doe.org about 'Lunch'")
    assert told == {"to": "john@doe.org", "subject": "Lunch"}


def test_the_word_before_a_kind_is_what_was_said_of_it():
    assert phrased(tool(room_type="The type of room"), {}, "a single room for two") == {"room_type": "single"}
    assert phrased(tool(room_type="The type of room"), {}, "book the room") == {}


def test_an_argument_whose_name_has_no_letters_of_ours_keeps_its_text():
    assert phrased(tool(数量=""), {"数量": "Spring season"}, "the Spring season") == {"数量": "Spring season"}


@pytest.mark.parametrize(
    ("sentence", "day", "seats", "whole", "left"),
    [
        ("plan Faust for Saturday at 11", "Saturday", "11", "Saturday at 11", None),
        ("Faust next Thursday at half past four", "next Thursday", "?", "next Thursday at half past four", "?"),
        ("Faust, tomorrow 10 am, 40 seats", "tomorrow", "40", "tomorrow 10 am", "40"),
        ("Faust on Saturday, 11 seats", "Saturday", "11", "Saturday", "11"),
    ],
)
def test_the_hour_belongs_to_its_day(sentence, day, seats, whole, left):
    kinds = {"play": {"type": "string"}, "when": {"type": "string"}, "seats": {"type": "integer"}}
    spec = ToolSpec("plan_show", "", {"type": "object", "properties": kinds, "required": ["play", "when"]})
    placed = in_place(spec, {"play": "Faust", "when": day, "seats": seats}, sentence, alone=True)
    assert (placed["when"], placed.get("seats")) == (whole, left)


@pytest.mark.parametrize(
    ("said", "sentence", "name"),
    [
        ("Kessler's", "Got it at Kessler's, 99.", "Kessler's"),
        ("St Olaf's", "St Olaf's is four minutes slow", "St Olaf's"),
        ("Bassi's", "Bassi's trousers are too long", "Bassi"),
    ],
)
def test_a_name_keeps_its_ending_where_nothing_is_owned(said, sentence, name):
    assert phrased(tool(who="who"), {"who": said}, sentence) == {"who": name}
