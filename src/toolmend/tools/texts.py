"""How tool errors show values, list names and say what a validator (pydantic) found: short, because weak models imitate
what an error dumps on them.

And when two names are the same to a person; and text from outside, without what only a model would see.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

_SHOWN = 60
_NAME = 80
_SEEN = frozenset("\n\t\u200c\u200d")  # the last two join letters, or keep them apart, in scripts that need it
_TAGS = range(0xE0000, 0xE1000)
_SPACES = str.maketrans("\n\t", "  ")
_EXPECTED = "Input should be "
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_MISSING = ("missing", "missing_argument")


def shown(value: Any) -> str:
    """The repr of a value, shortened."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """At most three of the known names, the most similar first."""
    return get_close_matches(name[:_NAME], list(known), n=3, cutoff=0.0)


def folded(name: str) -> str:
    """The same text for names that are the same to a person: NFC, letter case folded, white space collapsed."""
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return " ".join(composed.split())


def clean(text: str, most: int | None = None) -> str:
    """A text without control characters and without those that no reader sees and a model does (tags, reversals of
    direction); cut where it is longer than `most`."""
    plain = text.isascii() and text.translate(_SPACES).isprintable()
    seen = text if plain else "".join(filter(_is_seen, text))
    if most is None or len(seen) <= most:
        return seen
    return f"{seen[:most]} … ({len(seen) - most:,} characters more)"


def _is_seen(character: str) -> bool:
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs") or ord(character) in _TAGS
    return character in _SEEN or not hidden


def refusals(
    details: Sequence[Mapping[str, Any]], arguments: Mapping[str, Any], names: Sequence[str], found: Sequence[str] = ()
) -> str:
    """Pydantic's `errors()` in words. `names` are the parameters; `found` are sentences that are known already."""
    known = {sentence.partition(": ")[0] for sentence in found}
    sentences = list(found)
    expected: dict[str, list[str]] = {}
    got: dict[str, Any] = {}
    for detail in details:
        path = _path(detail, arguments)
        if f"argument {path!r}" in known:
            continue
        if detail["type"] in _MISSING:
            sentences.append(f"argument {path!r} is missing")
        elif detail["type"] in _UNKNOWN:
            sentences.append(unknown_argument(path, detail["input"], names))
        else:
            expected.setdefault(path, []).append(str(detail["msg"]))
            got[path] = detail["input"]
    for path, wanted in expected.items():
        where = f"argument {path!r}" if path else "the arguments"
        sentences.append(f"{where}: {_together(wanted)}, got {shown(got[path])}")
    return "; ".join(sentences)


def unknown_argument(path: str, value: Any, names: Sequence[str]) -> str:
    """The sentence for an argument nobody asked for; `*N` is a positional one too many."""
    takes = f"it takes {', '.join(names)}" if names else "it takes none"
    if path.startswith("*"):
        return f"one positional argument too many: {shown(value)} ({takes})"
    return f"there is no argument {path!r} ({takes})" if "." not in path else f"argument {path!r} is not known"


def _together(messages: Sequence[str]) -> str:
    """What the branches of a union expect, as one clause."""
    if all(message.startswith(_EXPECTED) for message in messages):
        return f"should be {' or '.join(dict.fromkeys(message.removeprefix(_EXPECTED) for message in messages))}"
    return " or ".join(dict.fromkeys(message[:1].lower() + message[1:] for message in messages))


def _path(detail: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """Where it is, following the value itself: pydantic also names the branch of a union, which nobody wrote."""
    value: Any = arguments
    text = ""
    location = detail["loc"]
    for index, step in enumerate(location):
        last_of_missing = index == len(location) - 1 and detail["type"] in _MISSING
        if isinstance(value, Mapping) and (step in value or last_of_missing):
            text += f".{step}" if text else str(step)
            value = value.get(step)
        elif isinstance(value, (list, tuple)) and isinstance(step, int) and step < len(value):
            text += f"[{step}]"
            value = value[step]
    return text
