"""Lists of intents in all the shapes that models write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.messages import ToolSpec
from toolmend.reading.intents import MOST_TIMES, Intents, read_intents

NAMES = ["create_room", "remove_room", "add_enemy", "add_trap", "remove_entity", "update_enemy_properties"]
TOOLS = tuple(ToolSpec(name) for name in NAMES)
ENEMY, TRAP, ROOM = "add_enemy", "add_trap", "create_room"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("add_enemy", [ENEMY]),
        ("add_enemy, add_enemy, add_trap", [ENEMY, ENEMY, TRAP]),
        ("add_enemy; add_trap | create_room", [ENEMY, TRAP, ROOM]),
        ("add_enemy and add_trap", [ENEMY, TRAP]),
        ("add_enemy -> add_trap", [ENEMY, TRAP]),
        ("add_enemy add_trap", [ENEMY, TRAP]),
        ("add_enemy,\nadd_enemy,\n", [ENEMY, ENEMY]),
        ("add_enemy\nadd_trap", [ENEMY, TRAP]),
        ("1. add_enemy\n2) add_trap\n(3) create_room", [ENEMY, TRAP, ROOM]),
        ("- add_enemy\n* add_trap\n• create_room", [ENEMY, TRAP, ROOM]),
        ("# Operations\n- add_enemy", [ENEMY]),
        ("\"add_enemy\", 'add_trap', `create_room`, **add_enemy**", [ENEMY, TRAP, ROOM, ENEMY]),
        ("[add_enemy, add_trap]", [ENEMY, TRAP]),
        ('["add_enemy", "add_trap"]', [ENEMY, TRAP]),
        ('{"operations": ["add_enemy", "add_trap"]}', [ENEMY, TRAP]),
        ('{"operations": "add_enemy, add_trap"}', [ENEMY, TRAP]),
        ('{"intents": [{"name": "add_enemy", "count": 2}, {"operation": "add_trap"}]}', [ENEMY, ENEMY, TRAP]),
        ('{"add_enemy": 2, "add_trap": "to guard it"}', [ENEMY, ENEMY, TRAP]),
        ('```json\n["add_enemy"]\n```', [ENEMY]),
        ("<think>add_trap?</think>add_enemy", [ENEMY]),
        ("Add Enemy, add-trap, addEnemy, ADD_TRAP", [ENEMY, TRAP, ENEMY, TRAP]),
        ("add_enemy(), add_trap(name='x', effect='y'), create_room", [ENEMY, TRAP, ROOM]),
        ("add_enemy (a goblin), add_trap (because, well, traps)", [ENEMY, TRAP]),
        ("2x add_enemy, 1 x add_trap", [ENEMY, ENEMY, TRAP]),
        ("3 add_enemy", [ENEMY] * 3),
        ("add_enemy x2", [ENEMY] * 2),
        ("add_enemy × 2, add_trap", [ENEMY, ENEMY, TRAP]),
        ("add_enemy (x3)", [ENEMY] * 3),
        ("add_enemy (2 times), add_trap twice", [ENEMY, ENEMY, TRAP, TRAP]),
        ("add_enemy (1), add_enemy (2)", [ENEMY, ENEMY]),
        ("Operations: add_enemy, add_trap", [ENEMY, TRAP]),
        ("operations = [add_enemy, add_trap]", [ENEMY, TRAP]),
        ("Here they are:\n\n1. **add_enemy**: a goblin.\n2. **add_trap** (x2): two of them.", [ENEMY, TRAP, TRAP]),
        ("First add_enemy, then add_trap, and finally create_room.", [ENEMY, TRAP, ROOM]),
        ("I would use add_enemy and then add_trap.", [ENEMY, TRAP]),
        ("To do that, I would have to call add_enemy once more", [ENEMY]),
        ("add_enemy\n\nExplanation: add_enemy is there for that.", [ENEMY]),
        ("add_enemy, because add_trap would not do", [ENEMY]),
        ("add_enemys", [ENEMY]),
        ("create room", [ROOM]),
    ],
)
def test_names(text, names):
    found = read_intents(text, TOOLS)
    assert (list(found.names), found.unknown, found.talk) == (names, (), False)


@pytest.mark.parametrize(
    "text", ["talk", "Talk", "talk (msg)", "conversation (msg)", "none", "None.", '["talk"]', "- talk", "talk: hello"]
)
def test_talk(text):
    found = read_intents(text, TOOLS)
    assert (found.names, found.unknown, found.talk) == ((), (), True)


def test_talk_beside_names():
    found = read_intents("add_enemy, talk", TOOLS)
    assert (found.names, found.talk) == ((ENEMY,), True)


def test_a_tool_may_have_the_name_that_means_talk():
    assert read_intents("talk", (ToolSpec("talk"),)) == Intents(("talk",), reasons=("",))


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("add_dragon", ["add_dragon"]),
        ("add_enemy, add_dragon", ["add_dragon"]),
        ("- add_enemy\n- summon dragon", ["summon dragon"]),
        ('["add_enemy", "fly"]', ["fly"]),
        ("update_enemy", ["update_enemy"]),
        ("Sure!", []),
        ("summon", ["summon"]),
        ("Sure, here they are:\n- add_enemy", []),
        ("I can do nothing about that, sorry.", []),
        ("", []),
    ],
)
def test_what_is_listed_and_is_no_name_is_told(text, unknown):
    assert list(read_intents(text, TOOLS).unknown) == unknown


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("add_enemy: a goblin guards it\nadd_trap - to be safe", ["a goblin guards it", "to be safe"]),
        ("1. **Add Enemy**: a goblin: green", ["a goblin: green"]),
        ("add_enemy x2: two goblins", ["two goblins", "two goblins"]),
        ("add_enemy (a goblin)", ["a goblin"]),
        ('{"add_enemy": "a goblin"}', ["a goblin"]),
        ('[{"name": "add_enemy", "reason": "a goblin"}]', ["a goblin"]),
        ("add_enemy because a goblin guards it", ["a goblin guards it"]),
        ("add_enemy, add_trap", ["", ""]),
    ],
)
def test_reasons_by_place(text, reasons):
    assert list(read_intents(text, TOOLS).reasons) == reasons


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("add_enemy, add_trap", ()),
        ("1. Add Enemy", ("list", "names")),
        ("```\nadd_enemy x2\n```", ("fence", "times")),
        ('["add_enemy"]', ("json",)),
        ("I want add_enemy", ("prose",)),
        ("<think>x</think>add_enemy", ("reasoning",)),
    ],
)
def test_leniencies_are_recorded(text, notes):
    assert read_intents(text, TOOLS).leniencies == notes


def test_the_receiver_may_be_left_out():
    tools = (ToolSpec("add", receiver="shop"), ToolSpec("remove", receiver="shop"))
    assert read_intents("shop.add, remove, Shop.Add", tools).names == ("shop.add", "shop.remove", "shop.add")


def test_what_may_do_harm_is_not_taken_for_a_name_that_is_near():
    tools = (ToolSpec("delete_everything", effect="danger"), ToolSpec("delete_entry"))
    assert read_intents("delete_everythin, delete_entri", tools).names == ("delete_entry",)
    assert read_intents("delete_everything", tools).names == ("delete_everything",)


def test_a_name_that_is_near_to_two_is_neither():
    tools = (ToolSpec("update_entry_a"), ToolSpec("update_entry_b"))
    assert read_intents("update_entry", tools).unknown == ("update_entry",)


def test_numbers_of_times_have_an_end():
    assert len(read_intents("add_enemy x999", TOOLS).names) == MOST_TIMES


texts = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=200),
    st.lists(
        st.sampled_from(
            [
                *NAMES,
                "talk",
                ", ",
                "\n",
                "- ",
                "1. ",
                "x2",
                " (",
                ")",
                ": ",
                '"',
                "[",
                "]",
                "{",
                "}",
                "```",
                "\ud800",
                "twice ",
            ]
        ),
        max_size=40,
    ).map("".join),
)


@given(texts)
@settings(deadline=None, max_examples=500)
def test_no_text_raises(text):
    found = read_intents(text, TOOLS)
    assert set(found.names) <= set(NAMES)
    assert len(found.reasons) == len(found.names)


def spelled(name: str) -> st.SearchStrategy[str]:
    """The name as models spell it."""
    return st.sampled_from(
        [name, name.upper(), name.replace("_", " "), name.replace("_", "-"), name.title(), f"{name}()", f'"{name}"']
    ) | st.sampled_from(["**{}**", "`{}`", "'{}'", "{}.", " {} ", "{} (because of it)"]).map(
        lambda way: way.format(name)
    )


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6), st.data())
@settings(deadline=None, max_examples=300)
def test_names_survive_quotes_numbers_case_and_bullets(names, data):
    form = data.draw(st.sampled_from([", ", "; ", "\n", "\n- ", "\n1. ", "\n* "]))
    text = form.join(["", *(data.draw(spelled(name)) for name in names)])
    assert read_intents(text, TOOLS).names == tuple(names)


MONSTERS = ["(", "[", "((a)", "-", "1. ", '["', "a,", "add_enemy, ", "add_enem ", "x", " (", "add_enemy x", "2x "]


@pytest.mark.parametrize("text", [*(piece * 20_000 for piece in MONSTERS), " " * 50_000 + "x"], ids=range(14))
def test_no_monster_raises(text):
    tools = tuple(ToolSpec(f"operation_number_{number}") for number in range(100))
    assert isinstance(read_intents(text, (*TOOLS, *tools)), Intents)
