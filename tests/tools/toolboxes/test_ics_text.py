"""The text of an iCalendar file: whatever it is, what is not touched keeps its bytes."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolmend.tools.toolboxes.ics_text import IcsText, escaped

PIECES = [
    "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "begin:valarm", "END:VALARM", "END:NOTHING",
    "BEGIN:", "SUMMARY:Tea", 'ATTENDEE;CN="A: b; c":mailto:x', "DTSTART;TZID=Europe/Berlin:20261202T180000",
    "no line at all",
    "", " ",
    " folded", "\tfolded too", 'X;Y="open:1', "X====:2", "DESCRIPTION;ENCODING=QUOTED-PRINTABLE:a=", "\u00e9\u20ac",
]  # fmt: skip
_ANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ENDS = ["\n", "\r\n", "\r", "\r\r\n", ""]


@_ANY
@given(
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(ENDS))),
    st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]),
)
def test_a_text_that_is_not_touched_is_the_same(rows: list[tuple[str, str]], codec: str) -> None:
    data = "".join(piece + end for piece, end in rows).encode(codec)
    assert IcsText.of(data).to_bytes() == data


@_ANY
@given(st.binary(max_size=200))
def test_bytes_that_are_no_text_are_the_same_or_refused(data: bytes) -> None:
    try:
        text = IcsText.of(data)
    except ValueError:
        return
    assert text.to_bytes() == data


@_ANY
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=200))
def test_a_line_that_is_written_is_read_again(title: str) -> None:
    text = IcsText.of(b"")
    event = text.add([("SUMMARY", "", escaped(title))])
    [again] = IcsText.of(text.to_bytes()).events
    assert event.first("SUMMARY") is not None
    assert again.first("SUMMARY").text == title  # type: ignore[union-attr]


@_ANY
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=200))
def test_no_line_is_longer_than_75_octets(title: str) -> None:
    text = IcsText.of(b"")
    text.add([("SUMMARY", "", escaped(title))])
    assert max(map(len, text.to_bytes().split(b"\r\n"))) <= 75
