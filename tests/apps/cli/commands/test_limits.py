"""`toolmend run` with limits and a cache: exit code 3, one line, and the same command goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from click.testing import Result

from toolmend import registry
from toolmend.base.messages import Reply, Request, Usage
from toolmend.evals.store import Store
from toolmend.models.scripted import Scripted

Invoke = Callable[..., Result]
RIGHT = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
PRICES = 'currency: EUR\nmodels: {"costly/*": {input: 100, output: 0}}\n'


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """The requests to models of the family `costly`: 1,000 tokens each. `costly/silent` counts none, `costly/hung`
    never answers."""
    requests: list[Request] = []

    class Costly(Scripted):
        async def reply(self, request: Request, **options: object) -> Reply:
            requests.append(request)
            if self.name == "costly/hung":
                await anyio.sleep_forever()
            return Reply(RIGHT, usage=Usage() if self.name == "costly/silent" else Usage(990, 10))

    monkeypatch.setitem(registry.models._table, "costly", lambda name: Costly(["x"], f"costly/{name}"))
    return requests


@pytest.fixture
def prices() -> Path:
    path = Path("prices.yaml")
    path.write_text(PRICES, encoding="utf-8")
    return path


@pytest.fixture
def four(suite: Path) -> Path:
    """A suite of four samples."""
    suite.write_text(suite.read_text().replace("attempts: 2", "attempts: 4"))
    return suite


def run_id() -> str:
    with Store(create=False) as store:
        (run,) = store.runs()
        return run.id


def test_spent_tokens_end_it_and_the_line_says_how_to_go_on(invoke: Invoke, four: Path, asked: list[Request]) -> None:
    words = ["run", four, "--model", "costly/x", "--concurrency", 1, "--format", "json", "--max-tokens-total"]
    result = invoke(*words, 2000)
    assert (result.exit_code, len(asked)) == (3, 2)
    assert json.loads(result.stdout)["run"]["samples"] == 2
    assert result.stderr == (
        f"toolmend: stopped: 2,000 of 2,000 tokens are spent; 2 of 4 samples are kept in run {run_id()}, 2 left. "
        "The same command goes on, with a higher limit\n"
    )
    result = invoke(*words, 4800)
    assert (result.exit_code, len(asked)) == (0, 4)
    assert "4 samples in 0 s, 4,000 tokens" in result.stderr


def test_spent_money_ends_it(invoke: Invoke, four: Path, asked: list[Request], prices: Path) -> None:
    words = ["run", four, "--model", "costly/x", "--concurrency", 1, "--prices", prices, "--max-cost"]
    result = invoke(*words, "0.15")
    assert (result.exit_code, len(asked)) == (3, 2)
    assert "stopped: 0.198 of 0.15 EUR are spent; 2 of 4 samples" in result.stderr
    result = invoke(*words, "0.5")
    assert (result.exit_code, "4,000 tokens, 0.396 EUR" in result.stderr) == (0, True)


def test_a_server_that_counts_nothing_can_have_no_limit(invoke: Invoke, four: Path, asked: list[Request]) -> None:
    result = invoke("run", four, "--model", "costly/silent", "--max-tokens-total", 5, "--concurrency", 1)
    assert result.exit_code == 3
    assert "costly/silent does not say how many tokens it used, so no limit can be kept; 1 of 4" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--max-cost", "1"], "--max-cost needs to know what tokens cost: add --prices FILE (docs/prices.md)"),
        (["--prices", "none.yaml"], "none.yaml: cannot be read"),
        (["--model", "canned/right", "--prices", "prices.yaml"], "prices.yaml has no price for canned/right; add it"),
    ],
)
def test_what_a_limit_lacks_is_said_before_anything_runs(
    invoke: Invoke, suite: Path, asked: list[Request], prices: Path, words: list[str], said: str
) -> None:
    result = invoke("run", suite, "--model", "costly/x", *words)
    assert (result.exit_code, asked, Path(suite.parent / "runs.db").exists()) == (2, [], False)
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["--max-tokens-total", "0"], ["--max-cost", "0"], ["--timeout", "0"]])
def test_no_limit_is_nothing(invoke: Invoke, suite: Path, words: list[str]) -> None:
    assert invoke("run", suite, "--model", "canned/right", *words).exit_code == 2


def test_the_cache_answers_for_the_server(invoke: Invoke, suite: Path, asked: list[Request]) -> None:
    suite.write_text(suite.read_text().replace("attempts: 2", "attempts: 1"))
    reports = []
    for words in (["--cache"], ["--cache"], ["--no-cache"]):
        result = invoke("run", suite, "--model", "costly/x", "--format", "json", *words)
        reports.append(json.loads(result.stdout)["contestants"][0]["outcomes"]["cached"])
    assert (reports, len(asked)) == ([0, 1, 0], 2)


def test_a_hung_model_is_an_error_in_time(invoke: Invoke, suite: Path, asked: list[Request]) -> None:
    result = invoke("run", suite, "--model", "costly/hung", "--timeout", "0.05")
    assert result.exit_code == 1
    assert "First: quick/lunch: timed out after 0.05 s" in result.stderr
