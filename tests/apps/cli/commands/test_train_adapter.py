"""`toolmend train adapter`: what it asks for, shows and prints; the training itself is somebody else's. Needs torch."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

pytest.importorskip("torch")

Invoke = Callable[..., Result]
FIGURES = {"word_for_word": 1200, "replies": 1642, "tokens": 1000, "steps": 3}
ROW = {"step": 1, "tokens": 500, "of": 1000, "loss": 0.5, "tokens_per_second": 250}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Training that only reports; what it was asked for."""
    calls: list[Any] = []

    def train_adapter(wanted: Any, tell: Any, say: Any, stop: Callable[[], bool]) -> dict[str, Any] | None:
        calls.append(wanted)
        tell(ROW)
        if wanted.tokens == 7:
            os.kill(os.getpid(), signal.SIGTERM)
        return None if stop() else FIGURES

    monkeypatch.setattr("toolmend.training.adapter.teaching.train_adapter", train_adapter)
    return calls


def test_it_teaches_what_was_asked_for(invoke: Invoke, asked: list[Any]) -> None:
    done = invoke("train", "adapter", "--out", "o", "--minutes", "3", "--talks", "both", "--from", "old")
    assert done.exit_code == 0
    (wanted,) = asked
    assert (wanted.base, wanted.out, wanted.work, wanted.minutes, wanted.tokens) == (
        "smollm2", Path("o"), Path("o.work"), 3.0, None
    )  # fmt: skip
    assert (wanted.course.name, wanted.rounds, wanted.begin) == ("both", 2, Path("old"))


def test_how_many_replies_come_out_word_for_word_is_told(invoke: Invoke, asked: list[Any]) -> None:
    done = invoke("train", "adapter", "--out", "o", "--tokens", "1000")
    assert done.stdout == "o: 1,200 of 1,642 replies of talks kept back, word for word\n"


def test_a_signal_stops_it_after_a_step(invoke: Invoke, asked: list[Any]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    done = invoke("train", "adapter", "--out", "o", "--tokens", "7")
    assert done.exit_code == 130
    assert done.stderr.splitlines()[-1] == "toolmend: stopped; the state is kept in o.work: the same command goes on"
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("how_long", [(), ("--minutes", "1", "--tokens", "1")], ids=["none", "both"])
def test_how_long_is_said_once(invoke: Invoke, asked: list[Any], how_long: tuple[str, ...]) -> None:
    done = invoke("train", "adapter", "--out", "o", *how_long)
    assert done.exit_code == 2
    assert "say how long: --minutes N, or --tokens N" in done.stderr
    assert asked == []
