"""Memory of a small life: both formulas as they are, what is told once, and reflection that cites."""

from __future__ import annotations

from toolmend.extras.agents.worlds.mind import Mind, by_code, by_paper, minds_of
from toolmend.extras.agents.worlds.town import Town
from toolmend.extras.memory import Memory


def memories(*rows: tuple[str, float, str]) -> list[Memory]:
    return [
        Memory(number, "Ada", "observation", "Ada", text, weight, at)
        for number, (text, weight, at) in enumerate(rows, 1)
    ]


OLD, NEW, NOW = "2023-02-13T07:00:00Z", "2023-02-14T07:00:00Z", "2023-02-14T08:00:00Z"


def test_the_paper_puts_the_newer_first_and_the_code_the_older() -> None:
    two = memories(("a plan for roses", 0.3, OLD), ("a plan for bread", 0.3, NEW))
    assert [memory.text for memory in by_paper(two, "What plan?", NOW)] == ["a plan for bread", "a plan for roses"]
    assert [memory.text for memory in by_code(two, "What plan?", NOW)] == ["a plan for roses", "a plan for bread"]


def test_the_code_lets_relevance_count_more_than_importance() -> None:
    two = memories(("a plan for roses", 0.3, OLD), ("the plan of a lifetime", 0.9, OLD))
    assert by_paper(two, "roses plan", NOW)[0].text == "the plan of a lifetime"
    assert by_code(two, "roses plan", NOW)[0].text == "a plan for roses"


def test_a_life_tells_nobody_the_same_twice_nor_what_it_heard_from_him_nor_about_himself() -> None:
    ada, ben, *_ = minds_of(Town(1), "paper")
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
