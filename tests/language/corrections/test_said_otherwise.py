"""Values that are said in the words of people who type as they speak."""

import pytest

from toolmend.base.messages import Call
from toolmend.language.corrections import understand

CALL = Call("add", {"title": "Late shift", "time": "21:15"})


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("change the title to night shift pls", "Night shift"),
        ("The title was supposed to be night shift.", "Night shift"),
        ("title should've been review with mr. bell", "Review with mr. bell"),
    ],
)
def test_what_was_supposed_to_be_is_the_title(said, title):
    assert understand(said, [CALL], ()).edits == {0: {"title": title}}
