"""Personal data: found by form and check digits; dates, times and numbers of things are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.training.datasets.personal import kinds_in


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Write to ada.lovelace+x@mail.example.org!", "e-mail"),
        ("Call +49 30 901820 now", "phone"),
        ("Call (030) 901-8200", "phone"),
        ("Ring 415-555-0132 at noon", "phone"),
        ("My number is +1 (415) 555 0132.", "phone"),
        ("Pay with 4111 1111 1111 1111", "card"),
        ("card 5500005555555559", "card"),
        ("To GB82 WEST 1234 5698 7654 32 please", "IBAN"),
        ("To DE89370400440532013000", "IBAN"),
        ("The server is 192.168.1.20", "IP"),
        ("The server is 2001:db8::8a2e:370:7334", "IP"),
        ("sk-proj-abcdefghijklmnopqrstuvwx", "key"),
        ("AKIAIOSFODNN7EXAMPLE", "key"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "key"),
    ],
)  # fmt: skip
def test_found(text: str, kind: str) -> None:
    assert kinds_in(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00", duration=180)',
        "From 10:00:30 to 12:15 on 2024-11-11, 17:00",
        "Order 4111111111111112 of 2024",
        "Version 1.2.3 and 10.5",
        "03.05.2024 12:00",
        "Rooms 100 200 300",
        "in 2023 2024 2025",
        "The dead:beef of 127.0.0.1 and ::1",
        "@home and me@work",
        "DE00370400440532013000",
        "0000 0000 0000 0000",
    ],
)
def test_not_found(text: str) -> None:
    assert kinds_in(text) == []


@given(st.integers(2000, 2099), st.integers(1, 12), st.integers(1, 28), st.integers(0, 23), st.integers(0, 59))
def test_no_date_and_time_is_anybodys(year: int, month: int, day: int, hour: int, minute: int) -> None:
    text = f'f(date="{year}-{month:02}-{day:02}", time="{hour:02}:{minute:02}") {day}.{month}.{year} {hour}:{minute:02}'
    assert kinds_in(text) == []
