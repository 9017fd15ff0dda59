"""Text to ids and back for a model's own tokenizer: a tokenizer.json (tokenizers) or a SentencePiece file.

Special tokens count only where a template wrote them (templates.harmless). Knows no template and no model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from toolmend.errors import BadFile

KNOWN = "<s> </s> <unk> <pad> <bos> <eos> <start_of_turn> <end_of_turn> [INST] [/INST] [TOOL_CALLS]".split()
"""Pieces of SentencePiece files that are special where a file has them as one piece: the file does not say it."""

CALLS = "[TOOL_CALLS]"
"""The one special token that a reply's text needs: what follows are calls."""


class KerasTokens(Protocol):
    """What both kinds of tokenizer can do. `size` is one more than the largest id."""

    specials: Mapping[str, int]
    size: int

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
        self.size = 1 + max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)
        self._hidden = frozenset(number for name, number in self.specials.items() if name != CALLS)

    @classmethod
    def read(cls, path: Path) -> JsonTokens:
        """The tokenizer of a file. Raises BadFile."""
        from tokenizers import Tokenizer

        try:
            return cls(Tokenizer.from_file(str(path)))
        except Exception as error:  # the library raises bare Exception for every kind of bad file
            raise BadFile(path, f"not a tokenizer ({error})") from error

    def encode(self, prompt: str) -> list[int]:
        """Ids of a rendered prompt; nothing is put before or after it."""
        ids: list[int] = self._tokenizer.encode(prompt, add_special_tokens=False).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, special ones left out."""
        shown = [token for token in ids if token not in self._hidden]
        text: str = self._tokenizer.decode(shown, skip_special_tokens=False)
        return text


class PieceTokens:
    """A SentencePiece model: Gemma's, Mistral's, and that of Llama 2 and its children such as Vicuna."""

    def __init__(self, model: bytes) -> None:
        import sentencepiece

        self._pieces = sentencepiece.SentencePieceProcessor()
        self._pieces.LoadFromSerializedProto(model)
        self.size = int(self._pieces.GetPieceSize())
        control = {
            self._pieces.IdToPiece(number): number for number in range(self.size) if self._pieces.IsControl(number)
        }
        named = {name: self._pieces.PieceToId(name) for name in KNOWN}
        known = {name: number for name, number in named.items() if number != self._pieces.unk_id()}
        self.specials: Mapping[str, int] = control | known
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
        hidden = set(self.specials.values())
        return str(self._pieces.DecodeIds([int(token) for token in ids if token not in hidden]))
