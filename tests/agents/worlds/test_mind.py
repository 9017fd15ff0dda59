"""Memory of a small life: what is told once, and reflection that cites."""

from __future__ import annotations

from toolmend.agents.worlds.mind import Mind, minds_of
from toolmend.agents.worlds.town import Town


def test_a_life_tells_nobody_the_same_twice_nor_what_it_heard_from_him_nor_about_himself() -> None:
    ada, ben, *_ = minds_of(Town(1))
    thoughts = [memory.text for memory in ada.to_tell(ben, 3)]
    assert thoughts[0] == Town(1).invitation
    ada.tells(ben, thoughts[0], 3)
    assert thoughts[0] not in [memory.text for memory in ada.to_tell(ben, 4)]
    assert thoughts[0] not in [memory.text for memory in ben.to_tell(ada, 4)]
    assert all(not memory.text.startswith("Ben ") for memory in ada.to_tell(ben, 4))
    [heard] = [memory for memory in ben.memories if memory.text == thoughts[0]]
    assert heard.who == "Ada"


def test_what_is_recalled_is_fresh_again() -> None:
    mind = Mind(Town(1), 0)
    mind.recall("What plans?", 9)
    assert mind.memories[0].at == "2023-02-13T11:30:00.000000Z"


def test_a_reflection_comes_when_enough_came_in_and_cites_what_most_people_told() -> None:
    mind = Mind(Town(1), 0)
    for teller in ("Ben", "Cleo"):
        mind.keep("Dan plans to sing", 1, who=teller)
    assert mind.reflect(1) is None
    for number in range(50):
        mind.keep(f"the cat sleeps under tree {number}", 2)
    reflection = mind.reflect(2)
    assert reflection is not None
    assert (reflection.text, reflection.kind) == ("Many talk about it: Dan plans to sing", "reflection")
    [cited] = [memory for memory in mind.memories if memory.number in reflection.cites]
    assert cited.text == "Dan plans to sing"
    assert mind.reflect(2) is None
