"""Files that ask for more than they are worth: each is an outcome, and the file after it is read."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator

import pytest

from toolmend.base.budget import Budget, OverBudget
from toolmend.extras.knowledge import Outcome, Source
from toolmend.extras.knowledge.collect import Item, apart, read
from toolmend.extras.knowledge.collect.markdown import front_matter
from toolmend.extras.knowledge.fetch.robots import RobotsRules, parse

BILLION = "\n".join(["a0: &a0 [lol, lol]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))])


def item(name: str, data: bytes) -> Item:
    return Item(data, name, f"file:///{name}")


def outcomes(name: str, data: bytes) -> list[str]:
    return [each.name if isinstance(each, Outcome) else "read" for each in read(item(name, data))]


@pytest.fixture
def small() -> Iterator[Callable[..., apart.CollectorProcess]]:
    """Processes that may take less than the usual one."""
    made: list[apart.CollectorProcess] = []

    def make(**limits: float) -> apart.CollectorProcess:
        made.append(apart.CollectorProcess(**limits))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_aliases_of_front_matter_stand_for_nothing() -> None:
    header, body = front_matter(f"---\n{BILLION}\n---\nText.")
    assert (header["a1"], body) == ("&a1 [*a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0]", "Text.")


def test_front_matter_of_a_million_entries_is_none() -> None:
    header, _ = front_matter("---\ntitle: x\nlist:\n" + "- a\n" * 3_000 + "---\n")
    assert header == {"title": "x"}


def test_what_a_parser_raises_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_item: Item) -> Source:
        raise MemoryError

    monkeypatch.setattr("toolmend.extras.knowledge.collect.markdown.read", broken)
    assert outcomes("a.md", b"A text.") == ["unreadable"]


def test_a_page_that_takes_too_long_is_given_up_and_the_next_is_read(
    small: Callable[..., apart.CollectorProcess],
) -> None:
    pytest.importorskip("trafilatura")
    attributes = " ".join(f"a{number}=1" for number in range(20_000))
    reader = small(cpu=1)
    page = f"<html><body><p {attributes}>Words and words.</p></body></html>".encode() * 3
    (late,) = reader.read(item("a.html", page))
    (good,) = reader.read(item("b.md", b"# Title\n\nA text of some words."))
    assert isinstance(late, Outcome) and isinstance(good, Source)
    assert (late.name, late.says, good.title) == ("bomb", "reading it takes more than 2,048 MB or 1 s", "Title")


def test_more_memory_than_it_may_have_is_no_memory_of_ours(small: Callable[..., apart.CollectorProcess]) -> None:
    reader = small(memory=400 << 20)
    (large,) = reader.read(item("a.json", b'{"outside": [' + b"{}," * 8_000_000 + b"{}]}"))
    (good,) = reader.read(item("b.md", b"# Title\n\nA text of some words."))
    assert isinstance(large, Outcome) and large.name in ("bomb", "unreadable") and isinstance(good, Source)


def test_a_process_that_is_killed_takes_one_item_along(small: Callable[..., apart.CollectorProcess]) -> None:
    reader = small()
    assert isinstance(reader.read(item("a.md", b"One text."))[0], Source)
    assert reader._process is not None
    os.kill(reader._process.pid, signal.SIGSTOP)
    reader._seconds = 0.2
    (stopped,) = reader.read(item("b.md", b"Another text."))
    reader._seconds = 60.0
    assert isinstance(stopped, Outcome) and isinstance(reader.read(item("c.md", b"A third text."))[0], Source)


def test_the_process_knows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    assert "sk-canary" not in apart._environment().values()


def test_what_is_read_apart_is_what_is_read_here(small: Callable[..., apart.CollectorProcess]) -> None:
    given = item("a.md", b"---\ntitle: A\n---\n# B\n\nSee <https://doi.org/10.1000/x> [1].")
    empty = item("b.md", b"")
    facts = item("c.json", b'{"outside": {"about": "a.example", "says": "reliable", "by": "me", "date": "2026-01-01"}}')
    for each in (given, empty, facts):
        assert small().read(each) == read(each)


def test_patterns_of_a_site_cost_what_they_may() -> None:
    rules = parse("User-agent: *\n" + f"Disallow: /{'*a' * 500}\n" * 2_000)
    with pytest.raises(OverBudget, match="to match its patterns takes more than 500,000 steps"):
        rules.forbids("/" + "a" * 2_000)


def test_patterns_as_sites_have_them_cost_little() -> None:
    rules = RobotsRules(tuple((False, f"/{number}/*/private$") for number in range(5_000)))
    assert rules.forbids("/4999/x/private") == "/4999/*/private$"


def test_a_budget_is_one_for_all_that_is_inside() -> None:
    budget = Budget("it", bytes=10)
    budget.spend("bytes", 6)
    with pytest.raises(OverBudget, match=r"^it takes more than 10 bytes$"):
        budget.spend("bytes", 5)
