"""How a model is talked to: its tokenizer (a tokenizer.json, or a SentencePiece file), its template, and which tokens
end a reply.

Special tokens count only where a template wrote them (templates.harmless). Knows no weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import Message, ToolSpec
from toolmend.extras.keras.folder import Folder, read_json
from toolmend.models import templates
from toolmend.models.openai_messages import WireNames

KNOWN = "<s> </s> <unk> <pad> <bos> <eos> <start_of_turn> <end_of_turn> [INST] [/INST] [TOOL_CALLS]".split()
"""Pieces of SentencePiece files that are special where a file has them as one piece: the file does not say it."""

CALLS = "[TOOL_CALLS]"
"""The one special token that a reply's text needs: what follows are calls."""
_WORDS = ("bos_token", "eos_token", "pad_token", "unk_token")


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


KerasTokens = JsonTokens | PieceTokens


class TemplateChat:
    """The template that is wanted, else a folder's own, else the one its tokens point to. `stops` end a reply.

    Raises UnknownName or BadOption listing the known templates, and BadFile for a tokenizer that lacks the template's
    special tokens.
    """

    def __init__(self, folder: Folder, tokens: KerasTokens, wanted: str, named: str) -> None:
        about = {} if folder.is_keras else _maybe(folder, "tokenizer_config.json")
        given = _maybe(folder, "generation_config.json").get("eos_token_id", folder.config.get("eos_token_id"))
        ends = [number for number in (given if isinstance(given, list) else [given]) if isinstance(number, int)]
        self.tokens, self.template = tokens, _template(folder, about, tokens, ends, wanted, named)
        if lacking := [name for name in self.template.needs if name not in tokens.specials]:
            template = f"which the template {self.template.name!r} needs"
            raise BadFile(folder.path, f"its tokenizer has no {lacking[0]}, {template}")
        named_ends = (tokens.specials[name] for name in self.template.stops if name in tokens.specials)
        self.stops: tuple[int, ...] = tuple(sorted({*ends, *named_ends}))
        self._marks = [*tokens.specials, *self.template.needs, *self.template.stops]

    def prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec], names: WireNames) -> list[int]:
        """Ids of a conversation, ready for the reply. No special token can be written by a message."""
        return self.tokens.encode(self.template.text(messages, tools, names, self._marks))


def _template(
    folder: Folder, about: dict[str, Any], tokens: KerasTokens, ends: Sequence[int], wanted: str, named: str
) -> templates.Template:
    file, source = folder.path / "chat_template.jinja", about.get("chat_template", "")
    if isinstance(source, list):
        source = next((variant.get("template", "") for variant in source if variant.get("name") == "default"), "")
    source = file.read_text(encoding="utf-8") if file.is_file() else str(source or "")
    if wanted == "own" and not source:
        raise BadOption(f"{folder.path} has no chat template of its own; known: {', '.join(templates.FAMILIES)}")
    if source and wanted in ("", "own"):
        words = {key: _word(about[key]) for key in _WORDS if about.get(key)}
        stops = [words.get("eos_token", ""), *(name for name, number in tokens.specials.items() if number in ends)]
        return templates.own(source, folder.path, tuple(filter(None, stops)), words)
    kind = "mistral" if "mistral" in folder.kind.lower() else folder.kind
    family = wanted or templates.guess(tokens.specials, kind, named)
    if not family:
        known = ", ".join(templates.FAMILIES)
        raise BadOption(f"{folder.path}: which chat template? Say template=NAME; known: {known}")
    return templates.find(family)


def _maybe(folder: Folder, name: str) -> dict[str, Any]:
    return read_json(folder.path / name) if (folder.path / name).is_file() else {}


def _word(value: Any) -> str:
    return str(value.get("content", "")) if isinstance(value, dict) else str(value)
