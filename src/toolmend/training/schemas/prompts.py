"""What stands in every prompt of the strategies, taken from their files: the preset's `prompts` (see builtin/brief.py).

The first sentence of a prompt becomes its tag, [intent] for freyr_intent.md; the others are left out. That of native
needs none: what is sent with tools is told apart by them.
"""

from __future__ import annotations

import re
from functools import cache

from toolmend.models.builtin.brief import Brief
from toolmend.strategies.prompt import source

PROMPTS = {
    "oneline": "line",
    "native": "",
    "react": "react",
    "freyr_intent": "intent",
    "freyr_params": "values",
    "freyr_summary": "summary",
    "freyr_chat": "chat",
    "freyr_paper_intent": "list",
    "freyr_paper_params": "lines",
    "freyr_paper_summary": "sum",
    "freyr_paper_chat": "talk",
}
SKIPPED = ("The current state:", "The state is now:", "The state after them:")
_LEAST = 16
_TEMPLATED = re.compile(r"{%.*?%}|{{.*?}}|\n", re.DOTALL)


@cache
def brief() -> Brief:
    """The sentences of all prompts, with their tags."""
    phrases: dict[str, str] = {}
    for name, tag in PROMPTS.items():
        parts = [part.strip() for part in _TEMPLATED.split(source(name))]
        found = [part for part in parts if len(part) >= _LEAST and part not in SKIPPED and part not in phrases]
        phrases |= {part: "" if place or not tag else f"[{tag}]" for place, part in enumerate(found)}
    return Brief(phrases, SKIPPED)
