"""`--role`: another model for one role of a strategy, in runs and talks; `auto`, and what guards say, in talks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]
RIGHT = 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'


def contestants(result: Result) -> list[tuple[str, str]]:
    assert result.exit_code == 0, result.stderr
    return [(row["model"], row["strategy"]) for row in json.loads(result.stdout)["contestants"]]


def test_a_role_is_given_to_the_strategies_that_have_it(invoke: Invoke, suite: Path) -> None:
    words = ("--model", "canned/right", "--strategy", "native", "--strategy", "freyr", "--role", "intent=canned/late")
    assert contestants(invoke("run", suite, *words, "--attempts", 1, "--format", "json")) == [
        ("canned/right", "native"),
        ("canned/right intent=canned/late", "freyr"),
    ]


def test_the_models_of_the_roles_are_asked_and_stored(invoke: Invoke, suite: Path) -> None:
    words = ("--strategy", "freyr", "--role", "intent=canned/late", "--role", "params=canned/right", "--attempts", 1)
    (row,) = json.loads(invoke("run", suite, *words, "--format", "json").stdout)["contestants"]
    assert row["model"] == "canned/late intent=canned/late params=canned/right"
    assert (row["roles"]["intent"]["model"], row["roles"]["params"]["model"]) == ("canned/late", "canned/right")


def test_a_model_that_writes_words_only_may_be_trained_for_anything(invoke: Invoke, suite: Path) -> None:
    words = ("--tools", "shop", "--strategy", "freyr", "--model", "canned/right", "--dry-run")
    result = invoke("run", "shop", *words, "--role", "summary=builtin/small")
    assert result.exit_code == 0, result.stderr
    result = invoke("run", "shop", *words, "--role", "params=builtin/small")
    assert (result.exit_code, "was trained for the toolbox calendar only" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--role", "intent"), "'intent' is no ROLE=MODEL"),
        (("--role", "intent=canned/a,canned/b"), "'intent=canned/a,canned/b' is no ROLE=MODEL"),
        (("--role", "intent=canned/a", "--role", "intent=canned/b"), "role 'intent' is given two models"),
        (("--role", "wish=canned/a"), "no strategy asks in a role 'wish'; the roles: chat, intent, params, summary"),
        (("--role", "intent=canned/a", "--max-cost", "1"), "--max-tokens-total can limit it"),
    ],
)
def test_what_is_refused(invoke: Invoke, suite: Path, words: tuple[str, ...], said: str) -> None:
    result = invoke("run", suite, "--strategy", "freyr", *words)
    assert (result.exit_code, said in result.stderr) == (2, True)


def test_a_model_that_calls_no_tools_is_refused_before_anything_runs(invoke: Invoke, suite: Path) -> None:
    result = invoke("run", suite, "--model", "builtin/small", "--strategy", "native")
    assert (result.exit_code, "does not call tools itself" in result.stderr) == (2, True)


def test_options_stand_in_the_name_of_a_strategy(invoke: Invoke, suite: Path) -> None:
    words = ("--model", "canned/right", "--strategy", "freyr?retries=0", "--attempts", 1, "--format", "json")
    assert contestants(invoke("run", suite, *words)) == [("canned/right", "freyr?retries=0")]


def test_a_talk_in_roles_and_what_the_strategy_says(invoke: Invoke) -> None:
    words = (
        "--model",
        "scripted/echo",
        "--strategy",
        "freyr?retries=0&summary=template",
        "--role",
        "chat=canned/right",
    )
    result = invoke("chat", *words, stdin="action.add_calendar_entry\n")
    assert result.stdout == (
        "  retries spent: unreadable: no values could be read\n"
        "  Nothing was done. Not done: action.add_calendar_entry (no values could be read).\n"
    )
    assert invoke("chat", *words, stdin="Hello, how are you?\n").stdout == (
        f"  retries spent: unreadable: no operation could be read\n  {RIGHT}\n"
    )


def test_auto_picks_and_says_so(invoke: Invoke, suite: Path) -> None:
    said = invoke("chat", "--model", "canned/right", "--strategy", "auto", stdin="Hi\n").stdout
    assert said.startswith("  auto: native: the model calls tools itself\n")
    result = invoke("run", suite, "--model", "canned/right", "--strategy", "auto", "--attempts", 1, "--format", "json")
    assert contestants(result) == [("canned/right", "auto")]


def test_a_told_model_plays_only_its_own_roles(invoke: Invoke, suite: Path) -> None:
    """The oracle writes bullet lines of values; canned/right a line of Python, which names a tool all the same."""
    words = ("--role", "intent=canned/right", "--role", "params=scripted/oracle", "--attempts", 1)
    assert invoke("run", suite, "--strategy", "freyr", *words).exit_code == 0
    (sample,) = json.loads(invoke("show", "--case", "lunch", "--format", "json").stdout)["samples"]
    said = [(event["role"], event["text"].split("\n")[0]) for event in sample["events"] if event["event"] == "replied"]
    assert said[:2] == [("intent", RIGHT), ("params", "- title: Lunch")]
