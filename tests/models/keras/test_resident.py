"""Many models in memory: the least recently used goes, pinned ones stay, nothing is loaded twice."""

from __future__ import annotations

import threading

import pytest

from toolmend.errors import BadOption, ModelError
from toolmend.models.keras.resident import Residents, bytes_of, size, usual_budget


def take(residents: Residents, name: str, need: int = 40, *, pinned: bool = False) -> object:
    return residents.get(name, name, need, lambda: object(), pinned=pinned)


def test_the_least_recently_used_goes() -> None:
    held = Residents(100)
    take(held, "a"), take(held, "b"), take(held, "a")
    take(held, "c")
    assert held.names == ["a", "c"]


def test_a_pinned_one_stays() -> None:
    held = Residents(100)
    take(held, "a", pinned=True), take(held, "b"), take(held, "c")
    assert held.names == ["a", "c"]


def test_what_cannot_fit_drives_nobody_out() -> None:
    held = Residents(100)
    take(held, "a", pinned=True), take(held, "b")
    with pytest.raises(ModelError, match=r"big needs 0.1 kB; the budget is 0.1 kB, of which pinned .* 0.0 kB \(a\)"):
        take(held, "big", 80)
    assert held.names == ["a", "b"]


def test_nothing_is_loaded_twice_under_concurrency() -> None:
    held, loaded, gate = Residents(100), list[int](), threading.Barrier(8)

    def load() -> object:
        loaded.append(1)
        return object()

    def run() -> None:
        gate.wait()
        held.get("a", "a", 10, load)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loaded == [1]


def test_a_load_that_fails_leaves_nothing() -> None:
    held = Residents(100)
    with pytest.raises(ZeroDivisionError):
        held.get("a", "a", 10, lambda: 1 // 0)
    assert held.names == []


def test_the_budget_is_found_when_it_is_needed() -> None:
    asked: list[int] = []
    held = Residents(lambda: asked.append(1) or 100)
    assert asked == []
    take(held, "a"), take(held, "b")
    assert asked == [1]


@pytest.mark.parametrize(
    ("text", "count"), [("12GB", 12_000_000_000), ("1.5 gb", 1_500_000_000), ("16GiB", 16 << 30), ("900", 900)]
)
def test_sizes_in_words(text: str, count: int) -> None:
    assert bytes_of(text, "it") == count


@pytest.mark.parametrize("text", ["much", "12 XB", "-3GB", "iB"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(BadOption, match=r"it is .*, not a size such as 12GB"):
        bytes_of(text, "it")


def test_the_environment_sets_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLMEND_MEMORY", "2GB")
    assert usual_budget() == 2_000_000_000
    monkeypatch.delenv("TOOLMEND_MEMORY")
    assert usual_budget(1000) == 800
    assert usual_budget() > 0


@pytest.mark.parametrize(("count", "text"), [(16_100_000_000, "16.1 GB"), (5_000_000, "5.0 MB"), (100, "0.1 kB")])
def test_bytes_for_people(count: int, text: str) -> None:
    assert size(count) == text
