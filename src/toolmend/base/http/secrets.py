"""Keeping keys out of everything that is shown or stored. Knows nothing of where a key comes from."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

HIDDEN = "***"
_SHORTEST = 8
"""Shorter values are placeholders ("none", "EMPTY", "ollama"): hiding them would spoil ordinary text."""

# What keys of known makers look like, half hidden ones too ("sk-ab***yz"), and what stands after "Bearer".
_KEYS = re.compile(r"\b(?:sk|gsk|xai|nvapi|hf|pk|rk|or)[-_][\w*.\-]{6,}|\bAIza[\w*\-]{10,}", re.ASCII)
_BEARER = re.compile(r"\b(Bearer|Basic)\s+[^\s\"',;]+", re.IGNORECASE)


class Secrets:
    """Values that must never be seen, in the spellings they can turn up in."""

    def __init__(self, *values: str) -> None:
        spelled: set[str] = set()
        for value in values:
            if len(value) >= _SHORTEST:
                spelled |= {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
                spelled |= {quote(value), quote(value, safe="")}
        # The longest first: one may be a part of another.
        self._spelled = sorted(spelled, key=len, reverse=True)

    def hide(self, text: str) -> str:
        """The text without the values; nothing else changes. For what is kept."""
        for value in self._spelled:
            text = text.replace(value, HIDDEN)
        return text

    def hide_all(self, text: str) -> str:
        """Also without whatever looks like somebody's key. For error texts: servers like to quote one."""
        return _KEYS.sub(HIDDEN, _BEARER.sub(rf"\1 {HIDDEN}", self.hide(text)))

    def __repr__(self) -> str:
        return "Secrets()"
