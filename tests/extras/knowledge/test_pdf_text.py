"""A page of a PDF as people read it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extras.knowledge import pages
from toolmend.extras.knowledge import Source
from toolmend.extras.knowledge.collect.pdf_text import Fragment, in_columns, undivided

LEFT = ["We traced", "every lock", "of forty", "long", "statements."]
RIGHT = ["None was", "held for", "more than", "a", "second."]


def rows(by: str) -> list[Fragment]:
    """Two columns, written row by row or column by column."""
    left = [Fragment(72, 700 - 14 * number, text) for number, text in enumerate(LEFT)]
    right = [Fragment(320, 700 - 14 * number, text) for number, text in enumerate(RIGHT)]
    return [*left, *right] if by == "column" else [piece for pair in zip(left, right, strict=True) for piece in pair]


def test_two_columns_written_row_by_row_are_read_one_after_the_other() -> None:
    assert in_columns(rows("row")) == "\n".join([*LEFT, *RIGHT])


def test_what_stands_above_and_below_the_columns_stays_there() -> None:
    head, foot = Fragment(200, 740, "On locks"), Fragment(300, 40, "7")
    assert in_columns([head, *rows("row"), foot]) == "\n".join(["On locks", *LEFT, *RIGHT, "7"])


def test_columns_that_are_written_one_after_the_other_are_left_alone() -> None:
    assert in_columns(rows("column")) == ""


def test_a_table_of_a_few_rows_is_none() -> None:
    assert (
        in_columns([Fragment(72, 760 - 14 * line, "A whole line of text") for line in range(9)] + rows("row")[:6]) == ""
    )


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("an exam-\nple of it", "an example of it"),
        ("well-\nknown, and well-known again", "well-known, and well-known again"),
        ("pages 12-\n14", "pages 12-\n14"),
        ("the Rhine-\nMain area", "the Rhine-\nMain area"),
        ("Stra-\nße", "Straße"),
    ],
)
def test_a_word_that_the_end_of_a_line_divides(text: str, whole: str) -> None:
    assert undivided(text) == whole


@pytest.mark.parametrize("before", [b"\r\n", b"\x00\x00junk\n", b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 500])
def test_bytes_before_the_mark_of_a_pdf(before: bytes, source: Callable[..., Source]) -> None:
    pytest.importorskip("pypdf")
    made = source("a.pdf", before + pages.pdf("We traced every lock of forty statements."))
    assert (made.form, made.text) == ("pdf", "We traced every lock of forty statements.")
