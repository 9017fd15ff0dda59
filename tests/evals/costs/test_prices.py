"""Files of prices: read strictly, the cost of some tokens, models without a price named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import Usage
from toolmend.evals.costs.prices import Price, Prices, load_prices

Write = Callable[[str], Path]
TEXT = 'currency: EUR\nmodels:\n  a/b: {input: 1, output: 2.5}\n  "c/*": {input: 0, output: 0}\n'


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def file(text: str) -> Path:
        path = tmp_path / "prices.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return file


def test_prices_are_for_a_million_tokens(write: Write) -> None:
    prices = load_prices(write(TEXT))
    assert prices.currency == "EUR"
    assert prices.cost(Usage(1_000_000, 200_000), "a/b") == 1.5
    assert prices.cost(Usage(1_000_000, 200_000), "c/anything?temperature=1") == 0


def test_json_will_do(write: Write) -> None:
    prices = load_prices(write('{"currency": "EUR",\n "models": {"a/b": {"input": 1e-2, "output": 2}}}'))
    assert prices.models == {"a/b": Price(0.01, 2.0)}


def test_models_without_a_price_are_all_named(write: Write) -> None:
    path = write(TEXT)
    with pytest.raises(BadOption) as caught:
        load_prices(path).check(["a/b", "x/y?top_k=1", "c/d", "e/f"])
    assert str(caught.value) == (
        f"{path} has no price for e/f, x/y?top_k=1; "
        'add it under models ("e/f": {input: …, output: …}; 0 where it costs nothing)'
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("currency: EUR", "currency: 5", 1, "currency: must be text, not 5"),
        ("currency: EUR", "money: EUR", 1, "money: unknown key 'money'"),
        ("currency: EUR\n", "", 1, "currency: is missing"),
        (TEXT[14:], "models: []", 2, "models: must be a mapping"),
        (TEXT[14:], "models: {}", 2, "models: must not be empty"),
        (TEXT[14:], "", 1, "models: is missing"),
        ("{input: 1, output: 2.5}", "5", 3, "a/b: must be a mapping"),
        ("input: 1", "input: cheap", 3, "input: must be a number of at least 0, not 'cheap' (the price of a million"),
        ("input: 1", "input: -1", 3, "input: must be a number of at least 0, not -1"),
        ("input: 1", "input: true", 3, "input: must be a number of at least 0, not True"),
        ("input: 1, ", "", 3, "input: is missing (the price of a million tokens)"),
        ("input: 1", "inputs: 1", 3, "inputs: unknown key 'inputs' (did you mean input?)"),
        (TEXT, "- a\n", None, "the file must be a mapping"),
        (TEXT, "a: [", 1, "not YAML"),
    ],
)
def test_a_broken_file_is_told_with_line_and_key(write: Write, old: str, new: str, line: int | None, what: str) -> None:
    with pytest.raises(BadFile) as caught:
        load_prices(write(TEXT.replace(old, new, 1)))
    assert (caught.value.line, caught.value.what[: len(what)]) == (line, what)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        load_prices(tmp_path / "none.yaml")


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_more_tokens_never_cost_less(read: int, written: int) -> None:
    prices = Prices("EUR", {"*": Price(0.1, 0.3)})
    one, more = prices.cost(Usage(read, written), "a/b"), prices.cost(Usage(read + 1, written + 1), "a/b")
    assert 0 <= one <= more
