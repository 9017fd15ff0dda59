"""Many models in memory: the least recently used goes, nothing is loaded twice."""

from __future__ import annotations

import pytest

from toolmend.base.errors import BadOption, ModelError
from toolmend.extras.keras.resident import Residents, size, usual_budget


def take(residents: Residents, name: str, need: int = 40) -> object:
    return residents.get(name, name, need, lambda: object())


def names(residents: Residents) -> list[object]:
    return list(residents._held)


def test_the_least_recently_used_goes() -> None:
    held = Residents(lambda: 100)
    first = take(held, "a")
    take(held, "b")
    assert take(held, "a") is first
    take(held, "c")
    assert names(held) == ["a", "c"]


def test_what_cannot_fit_drives_nobody_out() -> None:
    held = Residents(lambda: 100)
    take(held, "a"), take(held, "b")
    with pytest.raises(ModelError, match=r"big needs 0.2 kB; the budget is 0.1 kB; less is needed with dtype=bfloat16"):
        take(held, "big", 200)
    assert names(held) == ["a", "b"]


def test_a_load_that_fails_leaves_nothing() -> None:
    held = Residents(lambda: 100)
    with pytest.raises(ZeroDivisionError):
        held.get("a", "a", 10, lambda: 1 // 0)
    assert names(held) == []


def test_the_budget_is_found_when_it_is_needed() -> None:
    asked: list[int] = []
    held = Residents(lambda: asked.append(1) or 100)
    assert asked == []
    take(held, "a"), take(held, "b")
    assert asked == [1]


@pytest.mark.parametrize("text", ["much", "12 XB", "-3GB", "900"])
def test_what_is_no_size(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLMEND_MEMORY", text)
    with pytest.raises(BadOption, match=r"TOOLMEND_MEMORY is .*, not a size such as 12GB"):
        usual_budget()


def test_the_environment_sets_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLMEND_MEMORY", "1.5 gb")
    assert usual_budget() == 1_500_000_000
    monkeypatch.delenv("TOOLMEND_MEMORY")
    assert usual_budget(1000) == 800
    assert usual_budget() > 0


@pytest.mark.parametrize(("count", "text"), [(16_100_000_000, "16.1 GB"), (5_000_000, "5.0 MB"), (100, "0.1 kB")])
def test_bytes_for_people(count: int, text: str) -> None:
    assert size(count) == text


def test_a_model_that_is_not_held_can_be_let_go() -> None:
    held = Residents(lambda: 100)
    take(held, "a"), take(held, "b")
    held.drop("a"), held.drop("a")
    assert names(held) == ["b"]
