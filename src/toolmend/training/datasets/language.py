"""Whether a text is English, by its letters (py3langid, Lui & Baldwin 2012). Short texts are taken for English."""

from __future__ import annotations

from functools import cache
from typing import Any

from toolmend.errors import MissingExtra

SURE = 0.6
"""How sure another language must be: with less, names and numbers alone would make another language of a request."""
LEAST = 20
"""Bytes of letters that are too few to tell."""
ENGLISH = ("en", "pcm")
"""English, and the pidgin for which dates and names in English sentences are taken."""


def other_language(text: str) -> str:
    """The code of the language ("de") where the text is surely not English, else "". Raises MissingExtra."""
    if sum(len(letter.encode("utf-8", "replace")) for letter in text if letter.isalpha()) < LEAST:
        return ""
    language, sure = _identifier().classify(text.encode("utf-8", "replace").decode())
    return str(language) if language not in ENGLISH and sure >= SURE else ""


@cache
def _identifier() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError as error:
        raise MissingExtra("telling languages apart", "data") from error
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
