"""`toolmend show` and `toolmend run` in every form, on standard output and into files, and what filters let through."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from toolmend.evals.store import Store

Invoke = Callable[..., Result]
FORMS = ("text", "json", "markdown", "html")
BEGINNINGS = dict(zip(FORMS, ("tiny · run ", '{\n "schema": 1,', "## `tiny`", "<!doctype html>"), strict=True))


@pytest.fixture
def played(invoke: Invoke, suite: Path) -> str:
    """A run of two models."""
    assert invoke("run", suite, "--model", "canned/late", "--model", "canned/right").exit_code == 0
    with Store() as store:
        return store.runs()[0].id


# forms ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_report_in_every_form(invoke: Invoke, played: str, form: str) -> None:
    result = invoke("show", "--format", form)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.lstrip().startswith(BEGINNINGS[form])


@pytest.mark.parametrize("form", FORMS)
def test_a_file_has_what_standard_output_would_have(invoke: Invoke, played: str, form: str, tmp_path: Path) -> None:
    shown = invoke("show", "--format", form).stdout_bytes
    result = invoke("show", "--format", form, "--out", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith(f"toolmend: wrote {tmp_path}/out (")
    assert (tmp_path / "out").read_bytes() == shown
    assert list(tmp_path.glob(".*.part")) == []


def test_run_writes_its_report_in_any_form(invoke: Invoke, suite: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    result = invoke("run", suite, "--model", "canned/late", "--format", "html", "--out", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_file_that_cannot_be_written(invoke: Invoke, played: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = invoke("show", "--out", tmp_path / "file" / "out")
    assert (result.exit_code, result.stderr) == (2, f"toolmend: {tmp_path}/file/out: cannot be written (File exists)\n")


def test_what_goes_wrong_leaves_the_file_that_was_there(invoke: Invoke, played: str, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    out.write_text("mine")
    result = invoke("show", "--format", "html", "--model", "gpt", "--out", out)
    assert (result.exit_code, out.read_text()) == (2, "mine")


def test_a_device_is_written_into_and_not_replaced(invoke: Invoke, played: str) -> None:
    assert invoke("show", "--out", os.devnull).exit_code == 0
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_prices_add_money(invoke: Invoke, played: str, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text('currency: EUR\nmodels: {"canned/*": {input: 1, output: 2}}\n')
    assert "EUR" in invoke("show", "--prices", prices).stdout
    cost = json.loads(invoke("show", "--format", "json", "--prices", prices).stdout)["contestants"][0]["cost"]
    assert (cost["money"], cost["currency"]) == (0.0, "EUR")


def test_prices_without_a_model_name_it(invoke: Invoke, played: str, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("currency: EUR\nmodels: {other: {input: 1, output: 1}}\n")
    result = invoke("show", "--prices", prices)
    assert result.exit_code == 2
    assert "has no price for canned/late, canned/right" in result.stderr


# filters -------------------------------------------------------------------------------------------------------------


def found(invoke: Invoke, *filters: str) -> list[str]:
    """Model and attempt of the conversations found, each once."""
    result = invoke("show", *filters or ("--case", "lunch"), "--format", "json")
    assert result.exit_code == 0, result.stderr
    rows = json.loads(result.stdout)["samples"]
    return list(dict.fromkeys(f"{row['model']} {row['attempt']}" for row in rows))


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([], 4),
        (["--mark", "fixed"], 2),
        (["--grep", "13:00"], 2),
        (["--grep", "ADD A LUNCH"], 4),
        (["--grep", "dinner"], 0),
        (["--grep", "lunch", "--model", "right", "--case", "lunch"], 2),
    ],
)
def test_filters(invoke: Invoke, played: str, filters: list[str], expected: int) -> None:
    assert len(found(invoke, *filters)) == expected


def test_chosen_conversations_as_markdown(invoke: Invoke, played: str) -> None:
    result = invoke("show", "--mark", "fixed", "--format", "markdown")
    assert result.stdout.startswith("```text\nquick/lunch · canned/late · oneline · attempt 1\n  you    Add a lunch")
    assert result.stdout.count("```") == 2


def test_chosen_conversations_as_html(invoke: Invoke, played: str) -> None:
    shown = invoke("show", "--mark", "fixed", "--format", "html").stdout
    assert "Conversations of this run with mark fixed." in shown
    assert "<table" not in shown


# the list -----------------------------------------------------------------------------------------------------------


def test_forms_that_lists_do_not_have(invoke: Invoke, played: str) -> None:
    result = invoke("show", "--list", "--format", "html")
    assert (result.exit_code, result.stderr) == (2, "toolmend: --list is text or json, not html\n")
