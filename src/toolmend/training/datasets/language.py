"""Whether a text is surely not English, by its letters (py3langid, Lui & Baldwin 2012). Short texts are English.

Needs the extra `knowledge`; without it every text is taken for English, and `tells_languages` says so.
"""

from __future__ import annotations

from functools import cache
from typing import Any

SURE = 0.6
"""How sure another language must be: with less, names and numbers alone would make another language of a request."""
LEAST = 20
"""Bytes of letters that are too few to tell."""
ENGLISH = ("en", "pcm")
"""English, and the pidgin for which dates and names in English sentences are taken."""


def other_language(text: str) -> str:
    """The code of the language ("de") where the text is surely not English, else ""."""
    if sum(len(letter.encode("utf-8", "replace")) for letter in text if letter.isalpha()) < LEAST:
        return ""
    if (identifier := _identifier()) is None:
        return ""
    language, sure = identifier.classify(text.encode("utf-8", "replace").decode())
    return str(language) if language not in ENGLISH and sure >= SURE else ""


def tells_languages() -> bool:
    """Whether languages can be told apart here."""
    return _identifier() is not None


@cache
def _identifier() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except (ImportError, OSError):  # it unpacks its model into the folder for temporary files, which may be full
        return None
