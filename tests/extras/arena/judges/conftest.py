"""Let a scripted judge answer about matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from label_study import Study, published_study

from fakes.judges import Answers, scripted
from toolmend.extras.arena.judges.asking import ask, terms_of
from toolmend.extras.arena.judges.judgements import Judgement, open_book
from toolmend.extras.arena.judges.matches import JudgedPair
from toolmend.extras.arena.judges.prompt import Prompt

Judged = Callable[..., list[Judgement]]


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """Let a judge answer about matches: the judgements."""

    def run(answers: Answers, matches: Sequence[JudgedPair], way: str = "likert") -> list[Judgement]:
        model, prompt = scripted(answers), Prompt(way)
        with open_book(tmp_path / "judgements.jsonl", terms_of(model, way, prompt)) as book:
            anyio.run(lambda: ask(matches, model, prompt, book))
            return list(book.found.values())

    return run


@pytest.fixture
def asked(tmp_path: Path) -> Callable[..., tuple[Study, list[Judgement]]]:
    """The published study made up with some habits, and what its judge says when it is asked."""

    def run(**habits: Any) -> tuple[Study, list[Judgement]]:
        study, prompt = published_study(**habits), Prompt("likert")
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        with open_book(path, terms_of(study.judge, "likert", prompt)) as book:
            anyio.run(lambda: ask(study.matches, study.judge, prompt, book))
            return study, list(book.found.values())

    return run
