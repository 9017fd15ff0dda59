"""Packed rows: what was packed is taught, what was kept back is the exam, and half a file is one line. Needs torch."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

pytest.importorskip("torch")

from toolmend.base.errors import BadFile, BadOption
from toolmend.training.adapter.packed_rows import PackedCourse, pack_rows, packed_course
from toolmend.training.adapter.rows import Row

ROWS = [Row((5, 6, 49_151), (False, True, True)), Row(tuple(range(11)), (False,) * 10 + (True,))]
KEPT = [Row((7, 8), (False, True))]


def packed(path: Path) -> PackedCourse:
    pack_rows(path, ROWS, KEPT, base="smollm2", course="people 1", title="taught")
    return packed_course(path, "smollm2")


def test_rows_come_in_their_order_again_and_again(tmp_path: Path) -> None:
    course = packed(tmp_path / "rows.xz")
    assert [course.row(seed, None) for seed in range(4)] == [*ROWS, *ROWS]  # type: ignore[arg-type]


def test_what_is_kept_back_is_the_exam(tmp_path: Path) -> None:
    assert packed(tmp_path / "rows.xz").kept_back(None) == KEPT  # type: ignore[arg-type]


def test_the_same_rows_make_the_same_bytes(tmp_path: Path) -> None:
    packed(tmp_path / "one.xz")
    packed(tmp_path / "two.xz")
    assert (tmp_path / "one.xz").read_bytes() == (tmp_path / "two.xz").read_bytes()


def test_a_token_that_16_bits_cannot_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"big has tokens above 65,536: its rows cannot be packed"):
        pack_rows(tmp_path / "rows.xz", [Row((65_536,), (True,))], (), base="big", course="", title="")
    assert not (tmp_path / "rows.xz").exists()


def test_rows_for_another_base_are_refused(tmp_path: Path) -> None:
    packed(tmp_path / "rows.xz")
    with pytest.raises(BadFile, match=r"rows\.xz: has rows for the base smollm2, not other; pack them for it"):
        packed_course(tmp_path / "rows.xz", "other")


def test_what_holds_no_rows_or_half_of_them_is_one_line(tmp_path: Path) -> None:
    packed(tmp_path / "rows.xz")
    whole = (tmp_path / "rows.xz").read_bytes()
    spoilt = {
        whole[:-40]: r"is no \.xz file, or cut off",
        b"rows": r"is no \.xz file, or cut off",
        lzma.compress(b'{"talks": 1}\n'): r"holds no packed rows \('rows'\); `toolmend train pack` makes them",
        lzma.compress(lzma.decompress(whole)[:-3]): r"holds fewer or more rows than its first line says",
        lzma.compress(lzma.decompress(whole).replace(b'"rows": 1', b'"rows": 2')): r"has rows of version 2",
    }
    for content, told in spoilt.items():
        (tmp_path / "rows.xz").write_bytes(content)
        with pytest.raises(BadFile, match=told):
            packed_course(tmp_path / "rows.xz", "smollm2")
