"""Words given to the wrong argument, or to none, go where what stands beside them tells."""

from typing import Any

import pytest

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.roles import in_their_roles


def tool(required: str, **properties: Any) -> ToolSpec:
    schemas = {name: {"type": "string"} | (schema or {}) for name, schema in properties.items()}
    return ToolSpec("do", "", {"type": "object", "properties": schemas, "required": required.split()})


ROOM = {"enum": ["hall", "depot", "attic"]}
MOVE = tool("what room", what=None, room=ROOM)


@pytest.mark.parametrize(
    ("sentence", "took", "room"),
    [
        ("bring it back from the hall into the depot", "hall", "depot"),
        ("take the lamp out of the attic to the hall", "attic", "hall"),
        ("bring it from the hall", "hall", "hall"),  # nowhere else is said
        ("put it in the hall", "hall", "hall"),
        ("from the attic to the hall or to the depot", "attic", "attic"),  # two
    ],
)
def test_a_place_is_the_one_that_is_gone_to(sentence: str, took: str, room: str) -> None:
    assert in_their_roles(MOVE, {"what": "lamp", "room": took}, sentence)["room"] == room


def test_a_place_to_come_from_stays() -> None:
    fetch = tool("from_room", from_room=ROOM)
    assert in_their_roles(fetch, {"from_room": "hall"}, "from the hall to the depot") == {"from_room": "hall"}


@pytest.mark.parametrize(
    ("sentence", "words", "name", "play"),
    [
        ("Ferreira here, Puss in Boots", {"name": "Puss in Boots", "play": "Ferreira"}, "Ferreira", "Puss in Boots"),
        ("Theo to Hamlet, under Hartigan", {"name": "Theo", "play": "Hamlet"}, "Hartigan", "Hamlet"),
        ("My name is Ines Roth, for Hamlet", {"name": "Hamlet", "play": "?"}, "Ines Roth", "Hamlet"),
        ("seats for Theo in Hamlet", {"name": "Theo", "play": "Hamlet"}, "Theo", "Hamlet"),
        ("Theo sits under the stage in Hamlet", {"name": "Theo", "play": "Hamlet"}, "Theo", "Hamlet"),
    ],
)  # fmt: skip
def test_who_asks_is_who_says_so(sentence: str, words: dict[str, str], name: str, play: str) -> None:
    reserve = tool("name play", name=None, play=None)
    assert in_their_roles(reserve, words, sentence) == {"name": name, "play": play}


def test_when_is_a_day() -> None:
    plan = tool("play when", play=None, when=None)
    swapped = in_their_roles(plan, {"play": "Easter Monday", "when": "Hamlet"}, "Hamlet on Easter Monday")
    assert swapped == {"play": "Hamlet", "when": "Easter Monday"}
    kept = {"play": "Twelfth Night", "when": "after the break"}
    assert in_their_roles(plan, kept, "Twelfth Night after the break") == kept


def test_a_year_is_no_text() -> None:
    enter = tool("title", title=None, donor=None, year_made={"type": "integer"})
    words = {"title": "coat", "donor": "about 1950"}
    assert in_their_roles(enter, words, "a coat from about 1950") == {"title": "coat", "year_made": "1950"}
    kept = {"title": "coat", "donor": "Class of 1950"}
    assert in_their_roles(enter, kept, "a coat from the Class of 1950") == kept


def test_a_side_stands_before_what_has_it() -> None:
    log = tool("where", where=None, side={"enum": ["left", "right"]})
    assert in_their_roles(log, {"where": "left knee"}, "my left knee hurts") == {"where": "knee", "side": "left"}
    kept = {"where": "Left Bank"}
    assert in_their_roles(log, kept, "at the Left Bank") == kept


def test_a_name_beside_a_form_of_the_arguments_name_is_its() -> None:
    add = tool("title", title=None, soloist=None)
    told = {"title": "Ave Maria"}
    assert in_their_roles(add, told, "Ave Maria, Sunniva sings the solo")["soloist"] == "Sunniva"
    assert in_their_roles(add, told, "Ave Maria, Sunniva hums") == told
    assert in_their_roles(add, told, "Ave Maria, solo or not") == told


def test_who_is_here_is_no_owner() -> None:
    spec = tool("guest", guest={"type": "string"}, room={"type": "integer"})
    sentence = "31, Mr Oyelaran's here for his key"
    assert in_their_roles(spec, {"guest": "Mr Oyelaran", "room": "31"}, sentence)["guest"] == "Mr Oyelaran"
