"""The spelling of embedded models as rules of the `tokenizers` library, so that any program that reads a tokenizer.json
gives the same ids and the same text.

Encoding is a chain of normalizers, decoding a chain of decoders behind the byte level. Marks are set by patterns of no
width (never at the very beginning, where tokenizers 0.23 panics); case is folded letter by letter, for A to Z alone.
Knows spelling.py's alphabet, and nothing of vocabularies.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from tokenizers import Regex, Tokenizer, decoders, normalizers

from toolmend.models.builtin.spelling import CAPITAL, GLUED, GLUED_CAPITAL, GLUED_UPPER, UPPER, Spelling

FOUND, STOP = "\x06", "\ufdd0"  # set and taken away again on the way; neither survives in a text
_LOUD = "[A-Z][A-Z](?![a-z])"  # the beginning of a piece in capitals, as spelling._PIECE takes it
_FIRST = "[A-Z](?![A-Z](?![a-z]))"  # a capital that begins a piece in small letters, or stands alone
_MARKED = (
    (f" (?={_LOUD})", UPPER + " "),
    (f" (?={_FIRST})", CAPITAL + " "),
    (f"(?<![A-Z ])(?={_LOUD})", GLUED_UPPER + " "),
    (f"(?<![A-Z ])(?={_FIRST})|(?<=[A-Z])(?=[A-Z][a-z])", GLUED_CAPITAL + " "),
    ("(?<![A-Za-z ])(?=[a-z])", GLUED + " "),
)
_RESERVED = r"[\x00-\x08\x0e-\x1f]"


def respelled(tokenizer: Tokenizer, spelling: Spelling) -> Tokenizer:
    """A copy of a spelled vocabulary's tokenizer that takes and gives real text."""
    made = Tokenizer.from_str(tokenizer.to_str())
    made.normalizer = normalizers.Sequence(list(_normalizers(spelling)))
    made.decoder = decoders.Sequence([decoders.ByteLevel(), *_decoders(spelling)])
    return made


def _normalizers(spelling: Spelling) -> Iterator[Any]:
    yield normalizers.Replace("<|", "<\u200b|")
    yield normalizers.Replace(Regex(_RESERVED), "\ufffd")
    longest_first = sorted(spelling.codes.items(), key=lambda item: len(item[1]), reverse=True)
    if longest_first:
        # What is found from left to right is marked at its end first: replaced one after the other, a longer one could
        # take the beginning of a shorter one that comes before it.
        yield normalizers.Replace(Regex(f"(?:{'|'.join(_literal(text) for _, text in longest_first)})\\K"), FOUND)
    for code, text in longest_first:
        yield normalizers.Replace(text + FOUND, code)
    yield normalizers.Prepend(" ")
    yield normalizers.Replace(Regex(r"\A (?![ A-Za-z])"), "")
    for pattern, marked in _MARKED:
        yield normalizers.Replace(Regex(pattern), marked)
    for upper, lower in zip(ascii_uppercase, ascii_lowercase, strict=True):
        yield normalizers.Replace(upper, lower)


def _decoders(spelling: Spelling) -> Iterator[Any]:
    yield decoders.Replace(Regex(f"(?<=[{UPPER}{GLUED_UPPER}] [a-z]{{1,64}})(?=[A-Z])"), STOP)
    for upper, lower in zip(ascii_uppercase, ascii_lowercase, strict=True):
        yield decoders.Replace(Regex(f"(?<=[{CAPITAL}{GLUED_CAPITAL}] ){lower}"), upper)
        yield decoders.Replace(Regex(f"(?<=[{UPPER}{GLUED_UPPER}] [A-Za-z]*){lower}"), upper)
    yield decoders.Replace(Regex(f"[{GLUED}{GLUED_CAPITAL}{GLUED_UPPER}] (?=[A-Za-z])"), "")
    yield decoders.Replace(Regex(f"[{GLUED}-{GLUED_UPPER}{STOP}]"), "")
    yield decoders.Replace(Regex(r"\A "), "")
    for code, text in spelling.codes.items():
        yield decoders.Replace(code, text)
    yield decoders.Replace("<\u200b|", "<|")


def _literal(text: str) -> str:
    """A text as a pattern of Oniguruma: letters and spaces as they are, everything else by its number."""
    return "".join(each if each.isalnum() else f"\\x{{{ord(each):x}}}" for each in text)
