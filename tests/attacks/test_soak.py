"""What `make soak` prints of what it saw, without the soaking."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("httpx2")


def test_growth_descriptors_and_p95_by_quarter_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    made = runpy.run_path(str(Path(__file__).with_name("soak.py")))["Soak"]({}, {}, 0.0)
    made.begun, made.end = 0.0, 120.0
    made.sizes["arena"] = [(float(at), 1024 * (100 if at < 80 else 110), 60 + at // 100 * 30) for at in range(120)]
    made.times["arena"] = [(10.0, 0.1), (40.0, 0.2), (70.0, 0.3), (100.0, 0.9), (121.0, 0.9)]
    assert made.report() == [
        "arena: memory grew by 10%",
        "arena: descriptors grew by 30",
        "arena: p95 went from 0.20 s to 0.90 s",
    ]
    assert capsys.readouterr().out.splitlines()[:2] == [
        "arena     100.0 MiB warm, at the end   110.0 (+10%); files 60, 90",
        "arena         5 answers, p95 by quarter 100, 200, 300, 900 ms",
    ]
