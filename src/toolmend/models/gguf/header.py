"""What a GGUF file says of itself: metadata and tensors, read and checked before any engine sees the file.

Format: "GGUF" in the documentation of ggml, versions 2 and 3, little-endian. Knows no engine.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from toolmend.base.errors import BadFile
from toolmend.language.resolve.said import NOTATION

SPEAKS = "toolmend.notation"
"""The key under which an adapter says which version of the spoken notation it was taught."""

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _LIST = 8, 9
_MOST = 1 << 24  # of anything that is counted in a header: more is no header
_CONTROL = 3
_WHOLE = (_CONTROL, 4)  # types of tokens that are found in a text before it is cut into others

# Numbers in a block and bytes of a block, by ggml_type. A type that is missing here is not measured.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 16: (256, 66), 17: (256, 74), 18: (256, 98),
    19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4),
    27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2), 39: (32, 17),
}  # fmt: skip


@dataclass(frozen=True)
class Header:
    """Metadata by key, and the shape of each tensor by name, innermost dimension first as ggml has it."""

    path: Path
    meta: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]

    @classmethod
    def read(cls, path: Path) -> Header:
        """Read the head of a file. Raises BadFile for one that is missing, foreign or cut off."""
        try:
            with path.open("rb") as file:
                return _Reader(file, path).header()
        except FileNotFoundError as error:
            raise BadFile(path, "no such file") from error
        except OSError as error:
            raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
        except (struct.error, UnicodeDecodeError, MemoryError, OverflowError) as error:
            raise BadFile(path, "its header is damaged or cut off; get the file anew") from error

    @property
    def kind(self) -> str:
        """The architecture: `llama`, `qwen3` …"""
        return str(self.meta.get("general.architecture", ""))

    def number(self, key: str) -> int:
        """A whole number of its architecture, as in `context_length`; 0 where it is not said."""
        value = self.meta.get(f"{self.kind}.{key}", 0)
        return max(value) if isinstance(value, list) and value else value if isinstance(value, int) else 0

    @property
    def cache_bytes(self) -> int:
        """Bytes of keys and values that one token takes in float16."""
        heads = self.number("attention.head_count") or 1
        wide = self.number("embedding_length") // heads
        sizes = (self.number("attention.key_length") or wide) + (self.number("attention.value_length") or wide)
        return 2 * sizes * self.number("block_count") * (self.number("attention.head_count_kv") or heads)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Ids of its tokens."""
        return {token: number for number, token in enumerate(self.meta.get("tokenizer.ggml.tokens", ()))}

    @cached_property
    def marks(self) -> Mapping[str, bool]:
        """The tokens that stand for themselves, the longest first, and whether they are control tokens. The others of
        them are whatever a model's makers added: `<think>`, but blanks and HTML as well."""
        kinds = self.meta.get("tokenizer.ggml.token_type", ())
        tokens = self.meta.get("tokenizer.ggml.tokens", ())
        marks = {token: kind == _CONTROL for token, kind in zip(tokens, kinds, strict=False) if kind in _WHOLE}
        return dict(sorted(marks.items(), key=lambda mark: -len(mark[0])))

    def word(self, name: str) -> str:
        """The token that is `bos`, `eos` …; "" where there is none."""
        tokens, number = self.meta.get("tokenizer.ggml.tokens", []), self.meta.get(f"tokenizer.ggml.{name}_token_id")
        return str(tokens[number]) if isinstance(number, int) and number < len(tokens) else ""

    def check_model(self) -> None:
        """Whether this is a model that can talk. Raises BadFile."""
        if self.meta.get("general.type", "model") != "model":
            raise BadFile(self.path, f"is {_a(self.meta['general.type'])}, not a model; say gguf/MODEL?adapter=FILE")
        for key in (f"{self.kind}.context_length", "tokenizer.ggml.tokens"):
            if key not in self.meta:
                raise BadFile(self.path, f"says no {key}: it is no language model that llama.cpp could run")

    def check_adapter(self, base: Header) -> None:
        """Whether this is a LoRA adapter for that base. Raises BadFile saying what differs."""
        meta = self.meta
        if meta.get("general.type") != "adapter" or meta.get("adapter.type") != "lora":
            raise BadFile(self.path, "is no LoRA adapter (general.type adapter, adapter.type lora)")
        if self.kind != base.kind:
            raise BadFile(self.path, f"was made for {self.kind or 'nothing'}, and {base.path.name} is {base.kind}")
        for name, shape in self.shapes.items():
            stem, _, side = name.rpartition(".lora_")
            wanted, other = base.shapes.get(stem), self.shapes.get(f"{stem}.lora_{'b' if side == 'a' else 'a'}")
            if side not in ("a", "b") or wanted is None:
                raise BadFile(self.path, f"has {name}, for which {base.path.name} has no weight: another base?")
            if other is None or len(shape) != 2 or len(other) != 2:
                raise BadFile(self.path, f"{name} has no other half that fits")
            halves = (shape, other) if side == "a" else (other, shape)
            if stem == "token_embd.weight":  # llama.cpp ends the process where the head is tied to it
                raise BadFile(self.path, "changes the embedding, which cannot be run: train it without embed_tokens")
            if not _fits(*halves, wanted):
                a, b = map(_by, halves)
                raise BadFile(
                    self.path, f"{stem} is {_by(wanted)} in {base.path.name}; lora_a of {a} and lora_b of {b} do not "
                    "fit: another base?",
                )  # fmt: skip
        if not self.shapes:
            raise BadFile(self.path, "is an adapter without a tensor")
        if (version := meta.get(SPEAKS, NOTATION)) != NOTATION:
            raise BadFile(self.path, other_notation(version))


def other_notation(version: object) -> str:
    """What is wrong with an adapter that was taught that version of the spoken notation."""
    return f"was taught version {version} of the spoken notation, and this toolmend speaks {NOTATION}: get a newer one"


class _Reader:
    """Reads one header, front to back."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self._size = os.fstat(file.fileno()).st_size

    def header(self) -> Header:
        """The header. Raises BadFile for what is none, or is cut."""
        if self._file.read(4) != b"GGUF":
            raise BadFile(self._path, "is no GGUF file")
        version = self._number("I")
        if version not in (2, 3):
            raise BadFile(self._path, f"is GGUF of version {version}; 2 and 3 are read (little-endian)")
        tensors, keys = self._count(), self._count()
        meta = {self._text(): self._value(self._number("I")) for _ in range(keys)}
        shapes, end = dict[str, tuple[int, ...]](), 0
        for _ in range(tensors):
            name, rank = self._text(), self._number("I")
            if rank > 8:
                raise struct.error
            shapes[name] = tuple(self._number("Q") for _ in range(rank))
            block, width = _BLOCKS.get(self._number("I"), (1, 0))
            end = max(end, self._number("Q") + math.prod(shapes[name]) // block * width)
        align = int(meta.get("general.alignment", 32)) or 32
        begin = -(-self._file.tell() // align) * align
        if begin + end > self._size:
            missing = begin + end - self._size
            raise BadFile(self._path, f"is cut off: {missing / 1e6:,.1f} MB are missing; get the file anew")
        return Header(self._path, meta, shapes)

    def _number(self, form: str) -> Any:
        return struct.unpack(f"<{form}", self._file.read(struct.calcsize(form)))[0]

    def _count(self) -> int:
        count = int(self._number("Q"))
        if count > _MOST:
            raise struct.error
        return count

    def _text(self) -> str:
        count = self._count()
        text = self._file.read(count)
        if len(text) != count:
            raise struct.error
        return text.decode("utf-8", "replace")

    def _value(self, kind: int) -> Any:
        if kind == _TEXT:
            return self._text()
        if kind == _LIST:
            inner, count = self._number("I"), self._count()
            if inner in _NUMBERS:
                form = f"<{count}{_NUMBERS[inner]}"
                return list(struct.unpack(form, self._file.read(struct.calcsize(form))))
            return [self._value(inner) for _ in range(count)]
        if kind not in _NUMBERS:
            raise struct.error
        return self._number(_NUMBERS[kind])


def _a(noun: object) -> str:
    return f"{'an' if str(noun)[:1] in 'aeiou' else 'a'} {noun}"


def _fits(a: tuple[int, ...], b: tuple[int, ...], weight: tuple[int, ...]) -> bool:
    """Whether two halves make a weight."""
    return (a[0], b[1], a[1]) == (weight[0], weight[1], b[0])


def _by(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape))
