"""Errors say what was wrong, where, and what is known."""

import pytest

from toolmend import errors
from toolmend.errors import BadFile, MissingExtra, ModelError, ToolError, ToolmendError, UnknownName


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UnknownName("suite", "calender", ["calendar", "lamp"]),
         "unknown suite 'calender' (did you mean calendar?); known: calendar, lamp"),
        (UnknownName("suite", "zzz", ["lamp", "calendar"]), "unknown suite 'zzz'; known: calendar, lamp"),
        (UnknownName("suite", "zzz", []), "unknown suite 'zzz'"),
        (UnknownName("model", "smal", ["small", "smalt"], "a folder is ./folder"),
         "unknown model 'smal' (did you mean smalt or small?); known: small, smalt; a folder is ./folder"),
        (MissingExtra("training", "train"), "training needs the extra 'train': pip install 'toolmend[train]'"),
        (BadFile("a.yaml", "not a suite"), "a.yaml: not a suite"),
        (BadFile("a.jsonl", "no JSON", 7), "a.jsonl:7: no JSON"),
        (ToolError("date: 30 Feb"), "date: 30 Feb"),
    ],
)  # fmt: skip
def test_what_errors_say(error, text):
    assert str(error) == text


def test_all_errors_have_one_root():
    named = ("UnknownName", "MissingExtra", "BadFile", "BadOption", "BudgetSpent", "ModelError", "ToolError")
    assert all(issubclass(getattr(errors, name), ToolmendError) for name in named)


@pytest.mark.parametrize("retryable", [True, False])
def test_a_model_error_says_whether_trying_again_may_help(retryable):
    assert ModelError("timeout", retryable=retryable).retryable is retryable


def test_a_bad_file_keeps_its_place():
    error = BadFile("a.jsonl", "no JSON", 7)
    assert (error.path, error.line, error.what) == ("a.jsonl", 7, "no JSON")
