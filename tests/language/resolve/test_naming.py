"""Names as the sentence gives them, and changes that are new calls after all."""

from __future__ import annotations

import pytest

from toolmend.language.resolve.naming import named_after, new_after_all, renamed
from toolmend.tools.toolboxes import Calendar

ADD = next(spec for spec in Calendar().specs if "title" in spec.properties and "duration" in spec.properties)


@pytest.mark.parametrize(
    ("title", "sentence", "name"),
    [
        ("Feast", "Saturday at noon, call it Our Feast, ten hours", "Our Feast"),
        ("Feast", "the feast on Saturday at noon", "Feast"),
        ("rehearsal mona", "and one with mona the day after", "Rehearsal with mona"),
        ("one on one with mona", "one on one with mona tomorrow", "one on one with mona"),
    ],
)
def test_a_new_call_is_named_after_what_was_said(title: str, sentence: str, name: str) -> None:
    assert named_after(title, sentence, "Rehearsal with Lenny") == name


@pytest.mark.parametrize(
    ("title", "sentence", "name"),
    [
        ("lol. its Loft Night", "they renamed it lol. its Loft Night now", "Loft Night"),
        ("Lunch with the Millers", "the Millers are ill but the Bakers can come", "Lunch with the Bakers"),
        ("dinner", "s/Millers/Bakers/ on the lunch", "Lunch with the Bakers"),
        ("tea with our Millers", "it is only tea", "tea with the Millers"),
        ("Tea", "call it a day", "Tea"),
        ("Lunch", "Olena will come too", "Lunch with the Millers and Olena"),
        ("Ana to lunch", "Add Ana to the lunch, please", "Lunch with the Millers and Ana"),
        ("Lunch", "it's bakers, not millers", "Lunch with the bakers"),
        ("Tea", "The Millers come, too", "Tea"),
        ("Lunch to fish and chips", "change lunch to fish and chips", "fish and chips"),
        ("Lunch to go", "it is a lunch to go", "Lunch to go"),
        ("Milo's called Shark Party", "Milo wants his called Shark Party. Fine.", "Shark Party"),
    ],
)
def test_a_call_is_renamed_as_was_said(title: str, sentence: str, name: str) -> None:
    old = "Gig Night" if "Loft" in name else "Lunch with the Millers"
    assert renamed(title, old, sentence) == name


@pytest.mark.parametrize(
    ("words", "sentence", "title"),
    [
        ({"time": "9 pm"}, "then the real show, 9 pm, call it Loft Night", "Loft Night"),
        ({"time": "half past seven"}, "Then I sleep from half past seven", "sleep"),
        ({"time": "half eleven"}, "Call with Ada that day as well, half eleven", "Call with Ada"),
        ({"title": "ranking"}, "And put the ranking in for the third.", "ranking"),
        ({"date": "21 Feb", "time": "1 pm"}, "Unload Lyon. 21 Feb. 1 pm. 2 h.", "Unload Lyon"),
        ({"date": "21 Feb", "time": "1 pm"}, "It starts 21 Feb, 1 pm.", None),
        ({"time": "9 pm"}, "then make it 9 pm instead", None),
        ({"time": "9 pm"}, "then the gig at 9 pm", None),
        ({"title": "tea"}, "put tea instead", None),
        ({"time": "9 pm"}, "at 9 pm", None),
    ],
)
def test_a_change_is_a_new_call_where_the_sentence_goes_on(
    words: dict[str, str], sentence: str, title: str | None
) -> None:
    new = new_after_all(ADD, words, sentence, ["Gig"])
    assert (new and new["title"]) == title
