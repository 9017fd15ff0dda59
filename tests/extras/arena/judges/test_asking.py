"""Both orders of every match are asked, once; stopped anywhere, the next call goes on."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from fakes.judges import match, scripted, seen
from toolmend.base.errors import BudgetSpent, ModelError
from toolmend.base.messages import Reply, Request, Usage
from toolmend.evals.running.runner import Progress
from toolmend.extras.arena.judges.asking import ask, terms_of
from toolmend.extras.arena.judges.judgements import Book, open_book, read_judgements
from toolmend.extras.arena.judges.prompt import Prompt
from toolmend.models import Abilities, Model
from toolmend.models.budget import Spending
from toolmend.models.scripted import Scripted

PROMPT = Prompt("likert")
MATCHES = [match(number) for number in range(3)]


def book_of(path: Path, model: Model) -> Book:
    return open_book(path / "j.jsonl", terms_of(model, "likert", PROMPT))


def test_both_orders_are_asked(tmp_path: Path) -> None:
    model = scripted(lambda first, second: "3")
    with book_of(tmp_path, model) as book:
        done = anyio.run(lambda: ask(MATCHES, model, PROMPT, book))
    assert done == Progress(6, 6, 0)
    assert sorted(map(seen, model.requests)) == sorted(
        pair for n in range(3) for pair in ((f"x {n}", f"y {n}"), (f"y {n}", f"x {n}"))
    )
    assert {each.prompt_hash for each in book.found.values()} == {PROMPT.digest}


def test_what_is_there_is_not_asked_again(tmp_path: Path) -> None:
    first, again = (scripted(lambda *_: "3") for _ in range(2))
    with book_of(tmp_path, first) as book:
        anyio.run(lambda: ask(MATCHES[:2], first, PROMPT, book))
    with book_of(tmp_path, again) as book:
        anyio.run(lambda: ask(MATCHES, again, PROMPT, book))
    assert (len(first.requests), len(again.requests), len(book.found)) == (4, 2, 6)
    assert len(read_judgements(book.path)[1]) == 6


def test_cancelled_it_keeps_what_was_answered(tmp_path: Path) -> None:
    class Stops:
        name, abilities = "scripted/judge", Abilities()
        asked = 0

        async def reply(self, request: Request, **_: object) -> Reply:
            self.asked += 1
            if self.asked == 4:
                raise KeyboardInterrupt
            return Reply("3")

    with book_of(tmp_path, Stops()) as book, pytest.raises(BaseException):  # noqa: B017  # a group of it
        anyio.run(lambda: ask(MATCHES, Stops(), PROMPT, book, concurrency=1))
    rest = scripted(lambda *_: "5")
    with book_of(tmp_path, rest) as book:
        assert len(book.found) == 3
        anyio.run(lambda: ask(MATCHES, rest, PROMPT, book))
    found = read_judgements(book.path)[1]
    assert sorted(each.text for each in found) == ["3", "3", "3", "5", "5", "5"]
    assert len({(each.pair, each.order) for each in found}) == 6


def test_an_error_is_kept_and_tried_again(tmp_path: Path) -> None:
    def broken(request: Request) -> str:
        raise ModelError("no server")

    bad, good = Scripted(broken, "scripted/judge"), scripted(lambda *_: "3")
    with book_of(tmp_path, bad) as book:
        assert anyio.run(lambda: ask(MATCHES, bad, PROMPT, book)) == Progress(6, 6, 6)
    assert {each.error for each in read_judgements(book.path)[1]} == {"no server"}
    with book_of(tmp_path, good) as book:
        assert anyio.run(lambda: ask(MATCHES, good, PROMPT, book)) == Progress(6, 6, 0)


def test_a_slow_answer_is_an_error(tmp_path: Path) -> None:
    class Slow:
        name, abilities = "scripted/judge", Abilities()

        async def reply(self, request: Request, **_: object) -> Reply:
            await anyio.sleep_forever()
            raise AssertionError

    with book_of(tmp_path, Slow()) as book:
        assert anyio.run(lambda: ask(MATCHES[:1], Slow(), PROMPT, book, timeout=0.001)).errors == 2
    assert {each.error for each in read_judgements(book.path)[1]} == {"timed out after 0.001 s"}


def test_a_budget_ends_it_and_counts_what_was_spent_before(tmp_path: Path) -> None:
    def told(_request: Request) -> Reply:
        return Reply("3", usage=Usage(90, 10))

    model = Scripted(told, "scripted/judge")
    for limit, done in ((250, 3), (400, 4), (10_000, 6)):
        with book_of(tmp_path, model) as book:
            try:
                anyio.run(lambda: ask(MATCHES, model, PROMPT, book, concurrency=1, budget=Spending(limit)))  # noqa: B023
            except BudgetSpent:
                assert done < 6
            assert len(book.found) == done
    assert len(model.requests) == 6


def test_a_question_that_was_cut_is_said_to_be(tmp_path: Path) -> None:
    model = Scripted([Reply("3", truncated=True)], "scripted/judge")
    with book_of(tmp_path, model) as book:
        anyio.run(lambda: ask(MATCHES[:1], model, PROMPT, book))
    assert all(each.truncated for each in read_judgements(book.path)[1])
