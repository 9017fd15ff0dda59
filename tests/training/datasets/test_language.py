"""Languages: English requests are English, others are told."""

from __future__ import annotations

import pytest

from toolmend.evals.suites.suite import load_suite

pytest.importorskip("py3langid")

from toolmend.training.datasets.language import other_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Füge am 3. Mai um 12 Uhr ein Mittagessen mit Ada hinzu", "de"),
        ("Ajoute un déjeuner avec Ada le 3 mai à midi", "fr"),
        ("明天下午三点和弗雷德开会", "zh"),
        ("Add a lunch with Ada on May 3 at noon", ""),
        ("Ja, um zwölf", ""),
    ],
)
def test_told(text: str, language: str) -> None:
    assert other_language(text) == language


@pytest.mark.parametrize(
    "name", ["calendar", "calendar_dev", "calendar_test", "calendar_unseen", "dungeon", "growth", "shop"]
)
def test_no_request_of_a_suite_is_foreign(name: str) -> None:
    said = {step.say for case in load_suite(name).cases().values() for step in case.steps}
    assert {text for text in said if other_language(text)} == set()
