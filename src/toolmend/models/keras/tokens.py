"""Text to ids and back for a model's own tokenizer: a tokenizer.json (tokenizers) or a SentencePiece file.

Special tokens count only where a template wrote them: what stands in messages is kept from being one (`harmless`).
Knows no template and no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from toolmend.errors import BadFile
from toolmend.models.builtin.tokens import byte_letters

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_GAP = "\u200b"  # what keeps the name of a special token in a message from being the token

KNOWN = (
    "<s> </s> <unk> <pad> <bos> <eos> <start_of_turn> <end_of_turn> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS]"
    " [TOOL_CALLS] [TOOL_RESULTS] [/TOOL_RESULTS]"
).split()
"""Pieces of SentencePiece files that are special where a file has them as one piece: the file does not say it."""

CALLS = "[TOOL_CALLS]"
"""The one special token that a reply's text needs: what follows are calls."""


class KerasTokens(Protocol):
    """What both kinds of tokenizer can do."""

    specials: Mapping[str, int]

    @property
    def size(self) -> int:
        """One more than the largest id."""
        ...

    @property
    def bytes_of(self) -> list[bytes]:
        """The bytes of every token, by id; special ones have none."""
        ...

    def encode(self, prompt: str) -> list[int]:
        """Ids of a rendered prompt; nothing is put before or after it."""
        ...

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, special ones left out."""
        ...


class JsonTokens:
    """A tokenizers.Tokenizer, as a tokenizer.json holds it."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        added = tokenizer.get_added_tokens_decoder()
        named = {name: number for name in KNOWN if (number := tokenizer.token_to_id(name)) is not None}
        marked = {token.content: number for number, token in added.items() if token.special}
        self.specials: Mapping[str, int] = marked | named
        self._hidden = frozenset(number for name, number in self.specials.items() if name != CALLS)

    @classmethod
    def read(cls, path: Path) -> JsonTokens:
        """The tokenizer of a file. Raises BadFile."""
        from tokenizers import Tokenizer

        try:
            return cls(Tokenizer.from_file(str(path)))
        except Exception as error:  # the library raises bare Exception for every kind of bad file
            raise BadFile(path, f"not a tokenizer ({error})") from error

    @property
    def size(self) -> int:
        """One more than the largest id."""
        return 1 + max(self._tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)

    @cached_property
    def bytes_of(self) -> list[bytes]:
        """The bytes of every token, by id; special ones have none."""
        names = [self._tokenizer.id_to_token(number) or "" for number in range(self.size)]
        pieces = "▁" in "".join(names[:4096]) or any(map(_BYTE.fullmatch, names))
        text = _piece_bytes if pieces else _letter_bytes
        return [b"" if number in self._hidden else text(name) for number, name in enumerate(names)]

    def encode(self, prompt: str) -> list[int]:
        """Ids of a rendered prompt; nothing is put before or after it."""
        ids: list[int] = self._tokenizer.encode(prompt, add_special_tokens=False).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, special ones left out."""
        shown = [each for each in ids if each not in self._hidden]
        text: str = self._tokenizer.decode(shown, skip_special_tokens=False)
        return text


class PieceTokens:
    """A SentencePiece model: Gemma's, Mistral's, and that of Llama 2 and its children such as Vicuna."""

    def __init__(self, model: bytes) -> None:
        import sentencepiece

        self._pieces = sentencepiece.SentencePieceProcessor()
        self._pieces.LoadFromSerializedProto(model)
        unknown, names = self._pieces.unk_id(), list(range(self._pieces.GetPieceSize()))
        control = {self._pieces.IdToPiece(number): number for number in names if self._pieces.IsControl(number)}
        named = {name: self._pieces.PieceToId(name) for name in KNOWN}
        self.specials: Mapping[str, int] = control | {
            name: number for name, number in named.items() if number != unknown
        }
        self._hidden = frozenset(self.specials.values())
        self._puts_space = self._pieces.EncodeAsPieces("a")[0].startswith("▁")
        longest = sorted(map(re.escape, self.specials), key=len, reverse=True)
        self._split = re.compile(f"({'|'.join(longest)})") if longest else re.compile("(?!)")

    @classmethod
    def read(cls, path: Path) -> PieceTokens:
        """The tokenizer of a file. Raises BadFile."""
        try:
            return cls(path.read_bytes())
        except (RuntimeError, OSError, ValueError) as error:
            raise BadFile(path, f"not a SentencePiece model ({error})") from error

    @property
    def size(self) -> int:
        """One more than the largest id."""
        return int(self._pieces.GetPieceSize())

    @cached_property
    def bytes_of(self) -> list[bytes]:
        """The bytes of every token, by id; special ones have none."""
        silent = {*self._hidden, self._pieces.unk_id()}
        names = [self._pieces.IdToPiece(number) for number in range(self.size)]
        return [b"" if number in silent else _piece_bytes(name) for number, name in enumerate(names)]

    def encode(self, prompt: str) -> list[int]:
        """Ids of a rendered prompt; the text between special tokens is encoded piece by piece, as Llama 2 has it.

        A text that begins with a space has the one that the tokenizer would put before it (mistral-common).
        """
        ids: list[int] = []
        for part in filter(None, self._split.split(prompt)):
            if part in self.specials:
                ids.append(self.specials[part])
            else:
                ids += self._pieces.EncodeAsIds(part[1:] if self._puts_space and part.startswith(" ") else part)
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, special ones left out."""
        parts: list[list[int]] = [[]]
        for each in ids:
            if each == self.specials.get(CALLS):
                parts.append([])
            elif each not in self._hidden:
                parts[-1].append(int(each))
        return CALLS.join(self._pieces.DecodeIds(part) for part in parts)


def drops_space(tokens: KerasTokens) -> bool:
    """Whether the space that a text's first token begins with is no part of the text."""
    wordy = (number for number, text in enumerate(tokens.bytes_of) if text[:1] == b" " and text[1:].isalpha())
    first = next(wordy, None)
    return first is not None and not tokens.decode([first]).startswith(" ")


def harmless(value: Any, specials: Sequence[str], gap: str = _GAP) -> Any:
    """Texts, also inside of lists and mappings, in which no special token can be read: a gap stands in each."""
    if isinstance(value, str):
        for name in specials:
            if name in value:
                value = value.replace(name, name[:1] + gap + name[1:])
        return value
    if isinstance(value, Mapping):
        return {key: harmless(each, specials, gap) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [harmless(each, specials, gap) for each in value]
    return value


def _piece_bytes(name: str) -> bytes:
    found = _BYTE.fullmatch(name)
    return bytes((int(found[1], 16),)) if found else name.replace("▁", " ").encode()


def _letter_bytes(name: str) -> bytes:
    letters = byte_letters()
    return bytes(letters[each] for each in name) if all(each in letters for each in name) else name.encode()
