"""Errors say what was wrong, where, and what is known."""

import sys
from importlib import metadata
from types import SimpleNamespace

import pytest

from toolmend.base import errors
from toolmend.base.errors import BadFile, MissingExtra, ModelError, ToolError, ToolmendError, UnknownName, lacking


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UnknownName("suite", "calender", ["calendar", "lamp"]),
         "unknown suite 'calender' (did you mean calendar?); known: calendar, lamp"),
        (UnknownName("suite", "zzz", ["lamp", "calendar"]), "unknown suite 'zzz'; known: calendar, lamp"),
        (UnknownName("suite", "zzz", []), "unknown suite 'zzz'"),
        (UnknownName("model", "smal", ["small", "smalt"], "a folder is ./folder"),
         "unknown model 'smal' (did you mean smalt or small?); known: small, smalt; a folder is ./folder"),
        (BadFile("a.yaml", "not a suite"), "a.yaml: not a suite"),
        (BadFile("a.jsonl", "no JSON", 7), "a.jsonl:7: no JSON"),
        (ToolError("date: 30 Feb"), "date: 30 Feb"),
    ],
)  # fmt: skip
def test_what_errors_say(error, text):
    assert str(error) == text


@pytest.mark.parametrize(
    ("record", "installs"),
    [
        ('{"url": "file:///srv/my%20tools", "dir_info": {"editable": true}}', "-e '/srv/my tools[mcp]'"),
        ('{"url": "file:///srv/toolmend", "dir_info": {}}', "'/srv/toolmend[mcp]'"),
        (None, "'toolmend[mcp]'"),
    ],
)
def test_an_extra_is_installed_from_where_this_was(
    monkeypatch: pytest.MonkeyPatch, record: str | None, installs: str
) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _: SimpleNamespace(read_text=lambda _: record))
    with pytest.raises(MissingExtra) as error:
        errors.needs("an MCP server", "mcp", "no_module_of_this_name")
    assert str(error.value) == f"an MCP server needs the extra 'mcp': {sys.executable} -m pip install {installs}"


def test_what_weighs_much_is_said_before_it_is_installed() -> None:
    assert "torch: 3 GB with its libraries for GPUs" in str(MissingExtra("teaching", "train"))


def test_all_errors_have_one_root():
    named = ("UnknownName", "MissingExtra", "BadFile", "BadOption", "BudgetSpent", "ModelError", "ToolError")
    assert all(issubclass(getattr(errors, name), ToolmendError) for name in named)


@pytest.mark.parametrize("retryable", [True, False])
def test_a_model_error_says_whether_trying_again_may_help(retryable):
    assert ModelError("timeout", retryable=retryable).retryable is retryable


def test_a_bad_file_keeps_its_place():
    error = BadFile("a.jsonl", "no JSON", 7)
    assert (error.path, error.line, error.what) == ("a.jsonl", 7, "no JSON")


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (ModuleNotFoundError("No module named 'pypdf'", name="pypdf"), "pypdf"),
        (
            ImportError("a separate project now. Install lxml[html_clean] or lxml_html_clean directly."),
            "lxml_html_clean",
        ),
        (ImportError("circular"), ""),
    ],
)
def test_a_missing_package_is_named(error: ImportError, name: str) -> None:
    assert lacking(error) == name
