"""What others published about a suite: evals/suites/shipped/published/NAME.json, with source and date."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def published_data(name: str) -> dict[str, Any]:
    """The published figures of that name."""
    text = files("toolmend.evals.suites.shipped").joinpath("published", f"{name}.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
