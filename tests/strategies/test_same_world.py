"""The same decisions end in the same world, whatever the strategy they are made in: refused ones too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.messages import Call, Reply
from toolmend.models.scripted import Scripted
from toolmend.reading import render
from toolmend.session import Limits, Session
from toolmend.tools import Toolbox

HALL = Call("create_room", {"name": "Hall", "description": "wide", "room_from": "", "direction": ""})
PLACES = ["Hall", "Cellar", "Hall-Cellar", "Nowhere"]
DECISIONS = st.lists(
    st.one_of(
        st.builds(
            lambda name, room, side: Call(
                "create_room", {"name": name, "description": "cold: very", "room_from": room, "direction": side}
            ),
            st.sampled_from(["Hall", "Cellar", "Tower"]),
            st.sampled_from(["", *PLACES]),
            st.sampled_from(["", "north", "south", "up"]),
        ),
        st.builds(
            lambda room, name, hp, cell: Call(
                "add_enemy",
                {"room_name": room, "name": name, "description": "it's 'grim'", "species": "orc", "hp": hp}
                | {"dodge": 0.5, "prot": 0.5, "spd": 1, "cell_index": cell},
            ),
            st.sampled_from(PLACES),
            st.sampled_from(["Grim", "Grom"]),
            st.sampled_from([1, 20, 21, "5", 2.5]),
            st.sampled_from([-1, 1, 9]),
        ),
        st.builds(lambda name: Call("remove_room", {"name": name}), st.sampled_from(PLACES)),
        st.just(Call("remove_room", {})),
    ),
    max_size=8,
).map(lambda calls: [HALL, *calls])


def values(call: Call) -> str:
    """As a model writes them for `freyr`."""
    lines = [
        f"- {name}: {value if isinstance(value, str) else json.dumps(value)}" for name, value in call.arguments.items()
    ]
    return "\n".join(lines) or "- nothing"


def world_after(strategy: str, tools: str, *replies: Any, roles: dict[str, list[str]] | None = None) -> Any:
    """The world after one turn in which the model, or that of each role, gives these replies."""
    box = Toolbox.load(tools)
    models = {role: Scripted(texts or [""], f"scripted/{role}") for role, texts in (roles or {}).items()}
    session = Session(
        Scripted(replies or [""]), box, strategy, roles=models, limits=Limits(repeats=99, rounds=99), mend=False
    )
    session.request("Do it")
    return box.state()


def by_freyr(tools: str, calls: list[Call]) -> Any:
    roles = {
        "intent": [", ".join(call.tool for call in calls) or "talk"],
        "params": [values(call) for call in calls],
        "summary": ["Not all of it failed."],
        "chat": ["Hello."],
    }
    return world_after("freyr?retries=0", tools, roles=roles)


def by_native(tools: str, calls: list[Call]) -> Any:
    return world_after("native?retries=99", tools, *(Reply("", (call,)) for call in calls), "Done.")


def by_native_at_once(tools: str, calls: list[Call]) -> Any:
    return world_after("native?retries=0", tools, Reply("Here." if not calls else "", tuple(calls)), "Done.")


def by_react(tools: str, calls: list[Call]) -> Any:
    steps = [f"Action: {call.tool}\nAction Input: {json.dumps(dict(call.arguments))}" for call in calls]
    return world_after("react?steps=99&retries=99", tools, *steps, "Final Answer: Done.")


def by_oneline(tools: str, calls: list[Call]) -> Any:
    return world_after("oneline", tools, "\n".join(render(call) for call in calls) or "Nothing.")


@pytest.mark.parametrize("way", [by_native, by_native_at_once, by_react, by_oneline])
@given(calls=DECISIONS)
@settings(deadline=None, max_examples=40)
def test_the_same_decisions_end_in_the_same_world(way: Any, calls: list[Call]) -> None:
    assert way("dungeon", calls) == by_freyr("dungeon", calls)


def test_a_whole_story() -> None:
    calls = [
        HALL,
        Call("create_room", {"name": "Cellar", "description": "cold", "room_from": "Hall", "direction": "south"}),
        Call("create_room", {"name": "Cellar", "description": "twice", "room_from": "Hall", "direction": "north"}),
        Call(
            "add_trap",
            {
                "corridor_name": "Hall-Cellar",
                "name": "Pit",
                "description": "deep",
                "effect": "a: fall",
                "cell_index": 1,
            },
        ),
        Call("remove_room", {"name": "Attic"}),
    ]
    worlds = [way("dungeon", calls) for way in (by_freyr, by_native, by_native_at_once, by_react, by_oneline)]
    assert all(world == worlds[0] for world in worlds)
    assert "Pit" in json.dumps(worlds[0]) and "twice" not in json.dumps(worlds[0])
