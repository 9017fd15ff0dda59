"""Headers of GGUF files: what they say, and every way in which they can be wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from toolmend.base.errors import BadFile
from toolmend.models.gguf import load
from toolmend.models.gguf.header import Header

Write = Callable[..., Path]


def test_says_what_the_model_is(tiny: Path) -> None:
    header = Header.read(tiny)
    assert (header.kind, header.number("context_length"), header.word("eos")) == ("llama", 4096, "<|im_end|>")
    assert header.shapes["blk.0.ffn_down.weight"] == (96, 64)
    assert dict(header.marks) == {"<|im_start|>": True, "<|im_end|>": True}


def test_a_token_takes_two_bytes_for_each_key_and_value_of_each_layer(tiny: Path) -> None:
    assert Header.read(tiny).cache_bytes == 2 * 2 * 64 * 2


def test_a_cut_off_file_is_told_with_what_is_missing(tiny: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(tiny.read_bytes()[:-200_000])
    with pytest.raises(BadFile, match=r"cut\.gguf: is cut off: 0\.2 MB are missing; get the file anew"):
        Header.read(cut)


def test_wherever_a_file_ends_it_is_one_line(tiny: Path, tmp_path: Path) -> None:
    whole, cut = tiny.read_bytes(), tmp_path / "cut.gguf"
    for length in range(0, 6000, 97):
        cut.write_bytes(whole[:length])
        with pytest.raises(BadFile) as told:
            Header.read(cut)
        assert "\n" not in str(told.value)


def test_damaged_counts_are_no_reason_to_take_all_memory(tiny: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.gguf"
    data = bytearray(tiny.read_bytes())
    data[8:16] = b"\xff" * 8
    damaged.write_bytes(data)
    with pytest.raises(BadFile, match="its header is damaged or cut off"):
        Header.read(damaged)


@pytest.mark.parametrize(
    ("content", "told"), [(b"PK\x03\x04 a zip", "is no GGUF file"), (b"GGUF\x00\x00\x00\x03", "is GGUF of version")]
)
def test_foreign_files(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "foreign.gguf"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=told):
        load(str(path))


def test_an_adapter_is_no_model(tmp_path: Path, write_adapter: Write) -> None:
    with pytest.raises(BadFile, match="is an adapter, not a model; say gguf/MODEL"):
        load(str(write_adapter(tmp_path / "a.gguf")))


def test_a_model_is_no_adapter(tiny: Path) -> None:
    with pytest.raises(BadFile, match="is no LoRA adapter"):
        load(f"{tiny}?adapter={tiny}")


def test_an_adapter_for_another_architecture(tiny: Path, tmp_path: Path, write_adapter: Write) -> None:
    adapter = write_adapter(tmp_path / "a.gguf", arch="qwen2")
    with pytest.raises(BadFile, match=r"a\.gguf: was made for qwen2, and tiny\.gguf is llama"):
        load(f"{tiny}?adapter={adapter}")


def zeros(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.zeros(shape, np.float32)


@pytest.mark.parametrize(
    ("stem", "halves", "told"),
    [
        ("blk.0.attn_q.weight", {"a": zeros(2, 32), "b": zeros(64, 2)}, "is 64 x 64 in tiny.gguf; lora_a of 32 x 2"),
        ("blk.0.attn_q.weight", {"a": zeros(2, 64), "b": zeros(64, 3)}, "do not fit: another base?"),
        ("blk.0.attn_q.weight", {"a": zeros(2, 64)}, "has no other half that fits"),
        ("blk.9.attn_q.weight", {"a": zeros(2, 64), "b": zeros(64, 2)}, "for which tiny.gguf has no weight"),
        ("token_embd.weight", {"a": zeros(259, 2), "b": zeros(64, 2)}, "train it without embed_tokens"),
    ],
)
def test_adapters_that_do_not_fit(
    tiny: Path, tmp_path: Path, write_adapter: Write, stem: str, halves: dict[str, object], told: str
) -> None:
    more = {f"{stem}.lora_{side}": half for side, half in halves.items()}
    adapter = write_adapter(tmp_path / "a.gguf", more=more)
    with pytest.raises(BadFile, match=told):
        load(f"{tiny}?adapter={adapter}")
