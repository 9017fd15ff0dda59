"""A conversation as token ids: the spelling, the byte-level vocabulary and the one chat template of embedded models.

    <|begin_of_text|> <|user|> request <|assistant|> reply <|eot_id|> <|user|> … <|assistant|>

System text is not part of it: an embedded model knows its toolbox from training. The spelling is reversible, and every
word has one form in it, so that a small model can copy it (docs/log.md, 2026-11-21):

    Meeting with Fred at 5PM   ->   ^ meeting with^ fred at 5_^^ pm      (^ capital, ^^ all capitals, _ no space before)

Frequent strings of a toolbox (`", date="`) are given one character each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PAD, BEGIN, END, USER, ASSISTANT = range(5)
SPECIAL = ("<|pad|>", "<|begin_of_text|>", "<|eot_id|>", "<|user|>", "<|assistant|>")

_FIRST_SHORTHAND = 0x0E
_MARKS = {(True, 0): "\x01", (False, 1): "\x02", (True, 1): "\x03", (False, 2): "\x04", (True, 2): "\x05"}
_OF_MARK = {mark: key for key, mark in _MARKS.items()}  # (glued, 0 as it is, 1 capital, 2 all capitals)
_PIECE = re.compile(r"[A-Z][A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]")
_WORD = re.compile(r"( ?)([A-Za-z]+)")
_SPELLED = re.compile(r"([\x01-\x05]?) ([a-z]+)")
_RESERVED = re.compile(r"[\x00-\x08\x0e-\x1f\ud800-\udfff]")  # lone surrogates have no bytes to encode


class Spelling:
    """Both directions of the spelling, with up to 18 shorthands. `decode(encode(text)) == text`
    for every text without control characters and lone surrogates (those become U+FFFD)."""

    def __init__(self, shorthands: Sequence[str] = ()) -> None:
        self.shorthands = tuple(shorthands)
        self._code = {text: chr(_FIRST_SHORTHAND + n) for n, text in enumerate(self.shorthands)}
        self._text = {code: text for text, code in self._code.items()}
        longest_first = sorted(map(re.escape, self.shorthands), key=len, reverse=True)
        self._find = re.compile("|".join(longest_first)) if longest_first else None

    def encode(self, text: str) -> str:
        """Text as the tokenizer sees it."""
        text = _RESERVED.sub("\ufffd", text)
        if self._find:
            text = self._find.sub(lambda match: self._code[match.group()], text)
        if text[:1] == " " or (text[:1].isascii() and text[:1].isalpha()):
            text = " " + text
        return _WORD.sub(_spell, text)

    def decode(self, text: str) -> str:
        """The text that was encoded. Any text is accepted; marks out of place are dropped."""
        text = _SPELLED.sub(_unspell, text)
        text = re.sub("[\x01-\x05]", "", text)
        if text[:1] == " ":
            text = text[1:]
        for code, short in self._text.items():
            text = text.replace(code, short)
        return text


def _spell(match: re.Match[str]) -> str:
    glued = not match.group(1)
    pieces = []
    for piece in _PIECE.findall(match.group(2)):
        case = 0 if piece.islower() else 1 if len(piece) == 1 or piece[1:].islower() else 2
        pieces.append(f"{_MARKS.get((glued, case), '')} {piece.lower()}")
        glued = True
    return "".join(pieces)


def _unspell(match: re.Match[str]) -> str:
    glued, case = _OF_MARK.get(match.group(1), (False, 0))
    word = match.group(2)
    word = word.upper() if case == 2 else word.capitalize() if case == 1 else word
    return word if glued else " " + word


class BuiltinTokens:
    """Text to ids and back. `tokenizer` is a tokenizers.Tokenizer whose first five ids are SPECIAL."""

    def __init__(self, tokenizer: Tokenizer, spelling: Spelling) -> None:
        self.tokenizer, self.spelling = tokenizer, spelling

    def encode(self, text: str) -> list[int]:
        """Ids of a text without special tokens; a special token's name inside the text is taken apart."""
        spelled = self.spelling.encode(text.replace("<|", "<\u200b|"))
        ids: list[int] = self.tokenizer.encode(spelled, add_special_tokens=False).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, special ones left out."""
        spelled: str = self.tokenizer.decode([i for i in ids if i >= len(SPECIAL)])
        return self.spelling.decode(spelled).replace("<\u200b|", "<|")

    def prompt(self, turns: Sequence[tuple[str, str]]) -> list[int]:
        """Ids of a conversation of (role, text) turns, ready for the next reply. Roles other than user and
        assistant are left out."""
        ids = [BEGIN]
        for role, text in turns:
            if role == "user":
                ids += [USER, *self.encode(text)]
            elif role == "assistant":
                ids += [ASSISTANT, *self.encode(text), END]
        return [*ids, ASSISTANT]
