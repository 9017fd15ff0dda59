"""Strategies with `structured`: what they ask for in each role, and what they make of the replies."""

import pytest

from toolmend.base.messages import Call, CallResult, Message, Reply
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.strategies import Act, Ask, Talk, load_strategy
from toolmend.strategies.constraints import names, values
from toolmend.strategies.grammar import line
from toolmend.tools.toolboxes import Calendar

TOOLS = Dungeon().specs
TALK = Talk(TOOLS, (Message("user", "Make a hall"),))
KNOWN = [*(spec.full_name for spec in TOOLS), "talk"]
HALL = '{"name": "Hall", "description": "big", "room_from": null, "direction": null}'


@pytest.mark.parametrize("name", ["freyr", "oneline"])
def test_nothing_is_constrained_unless_asked(name):
    asked = load_strategy(name).turn(TALK).send(None)
    assert isinstance(asked, Ask) and asked.constraint is None


def test_oneline_asks_for_one_line():
    tools = Calendar().specs
    asked = load_strategy("oneline?structured=true").turn(Talk(tools, TALK.messages)).send(None)
    assert asked.constraint == line(tools)


def test_oneline_without_tools_constrains_nothing():
    assert load_strategy("oneline?structured=true").turn(Talk((), TALK.messages)).send(None).constraint is None


def test_freyr_asks_for_names_then_values_then_words():
    flow = load_strategy("freyr?structured=true&most=4").turn(TALK)
    intents = flow.send(None)
    assert (intents.role, intents.constraint) == ("intent", names(KNOWN, 4))
    assert intents.messages[0].content.endswith('Write it as JSON: {"intents": [NAME]}')
    params = flow.send(Reply('{"intents": ["create_room"]}'))
    assert (params.role, params.constraint) == ("params", values(TOOLS[0]))
    assert "as JSON" in params.messages[0].content
    act = flow.send(Reply(HALL))
    assert isinstance(act, Act)
    assert act.calls == (Call("create_room", {"name": "Hall", "description": "big"}),)
    summary = flow.send((CallResult("c1", "done"),))
    assert (summary.role, summary.constraint) == ("summary", None)
    assert "JSON" not in summary.messages[0].content


def test_freyr_asks_for_reasons_where_it_explains():
    flow = load_strategy("freyr?structured=true&explain=true").turn(TALK)
    assert flow.send(None).constraint == names(KNOWN, 10, reasons=True)


def test_talk_is_a_name_too():
    flow = load_strategy("freyr?structured=true").turn(TALK)
    flow.send(None)
    assert flow.send(Reply('{"intents": ["talk"]}')).role == "chat"


def test_a_server_that_ignored_it_is_read_as_ever():
    flow = load_strategy("freyr?structured=true").turn(TALK)
    flow.send(None)
    flow.send(Reply("create_room"))
    act = flow.send(Reply("- name: Hall\n- description: big"))
    assert act.calls == (Call("create_room", {"name": "Hall", "description": "big"}),)


def test_the_prompt_is_another_one():
    plain, structured = load_strategy("freyr"), load_strategy("freyr?structured=true")
    assert plain.prompt_hash != structured.prompt_hash
