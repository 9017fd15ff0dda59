"""`toolmend convert`: what it prints, and how it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Invoke = Callable[..., Result]


def test_files_and_sizes(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("convert", "smol/calendar", "--to", "hf", str(tmp_path / "out"))
    assert done.exit_code == 0
    weights = tmp_path / "out" / "adapter_model.safetensors"
    assert f"{weights.stat().st_size:>12,}  {weights}\n" in done.stdout


def test_an_unknown_model(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("convert", "smol/nothing", "--to", "hf", str(tmp_path / "out"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "unknown model to convert 'smol/nothing'; known: smol/calendar" in done.stderr
    assert not (tmp_path / "out").exists()
