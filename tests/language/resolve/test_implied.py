"""What a sentence or a description implies for arguments that a reply left out."""

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.implied import implied


def tool(required=(), **properties):
    return ToolSpec("t", parameters={"type": "object", "properties": properties, "required": list(required)})


def test_what_must_be_given_and_is_not_said_has_the_default_that_is_described():
    spec = tool(("size",), size={"type": "string", "description": "The size. Default is 'medium'."})
    assert implied(spec, {}, "A coffee, please") == {"size": "medium"}


def test_a_switch_that_is_named_is_on():
    spec = tool(verdict={"type": "string"}, with_verdict={"type": "boolean"})
    assert implied(spec, {}, "Get the case with the verdict")["with_verdict"] == "yes"


def test_the_one_name_that_is_left_goes_to_the_one_text_that_is_missing():
    spec = tool(("rooms", "city"), rooms={"type": "integer"}, city={"type": "string"})
    assert implied(spec, {"rooms": "5"}, "Price a house in San Francisco with 5 rooms")["city"] == "San Francisco"


def test_a_switch_that_is_refused_is_off():
    spec = tool(full_text={"type": "boolean"})
    assert implied(spec, {}, "Find the case in Texas. Don't return the full text") == {"full_text": "no"}
    assert implied(tool(paid={"type": "boolean", "default": False}), {}, "He hasn't paid") == {}


def test_a_member_that_is_named_is_meant_where_the_copy_is_none():
    spec = tool(("price",), price={"type": "string", "enum": ["free", "cheap", "dear"]})
    assert implied(spec, {"price": "chest"}, "a concert with cheap tickets") == {"price": "cheap"}


def test_options_that_are_described_are_members_but_examples_are_not():
    either = {"type": "string", "description": "Either 'imperial' or 'metric'."}
    such = {"type": "string", "description": "For example 'Lunch' or 'Dentist'."}
    assert implied(tool(unit=either), {"unit": "miles"}, "in metric, please") == {"unit": "metric"}
    assert implied(tool(title=such), {"title": "tea"}, "tea after lunch") == {"title": "tea"}


def test_all_members_of_a_list_that_are_named():
    spec = tool(facts={"type": "array", "items": {"type": "string", "enum": ["rating", "player_count", "age"]}})
    assert implied(spec, {"facts": "rating"}, "rating and player count of it") == {"facts": ["rating", "player_count"]}


def test_a_switch_that_was_refused_stays_refused():
    spec = tool(helmet={"type": "boolean"})
    assert implied(spec, {"helmet": "no"}, "he's got a helmet already") == {"helmet": "no"}
