"""The published experiment, which no simulated talk may repeat: its prompts, and six of their words in a row.

The filter does not look at complaints: eleven of the nineteen corrections printed there are said word for word.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


def published(text: str) -> bool:
    """Whether a sentence repeats the published experiment: one of its prompts, or six words of one in a row."""
    words = _words(text)
    prompts, runs = _published()
    return " ".join(words) in prompts or any(" ".join(words[i : i + 6]) in runs for i in range(len(words) - 5))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


@cache
def _published() -> tuple[frozenset[str], frozenset[str]]:
    lines = files("toolmend.training").joinpath("data", "published.txt").read_text(encoding="utf-8").splitlines()
    prompts = [_words(line) for line in lines if line.strip() and not line.startswith("#")]
    runs = {" ".join(words[i : i + 6]) for words in prompts for i in range(len(words) - 5)}
    return frozenset(" ".join(words) for words in prompts), frozenset(runs)
