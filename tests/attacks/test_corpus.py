"""What `make fuzz` found once is read like anything else, and a little of the fuzzing itself."""

from __future__ import annotations

import random
import runpy
from pathlib import Path

import pytest

pytest.importorskip("mcp")
pytest.importorskip("starlette")
pytest.importorskip("trafilatura")

FUZZ = runpy.run_path(str(Path(__file__).with_name("fuzz.py")))
FOUND = [(path.parent.name, path) for path in sorted(FUZZ["CORPUS"].rglob("*.bin"))]


@pytest.mark.parametrize(("target", "path"), FOUND, ids=lambda given: getattr(given, "stem", given))
def test_what_was_found_once_is_read(target: str, path: Path) -> None:
    FUZZ["TARGETS"][target][0](path.read_bytes())


@pytest.mark.parametrize("target", FUZZ["TARGETS"])
def test_damaged_inputs_are_read_or_refused(target: str) -> None:
    read, seeds = FUZZ["TARGETS"][target]
    chance = random.Random(3)
    for data in [*seeds, *(FUZZ["damaged"](chance, list(seeds)) for _ in range(40))]:
        read(data)
