"""How long to wait before a request is sent again."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.http import Retry
from toolmend.base.http.retries import retry_after

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 12:00:30 -0000", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(value, seconds):
    assert retry_after(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_retry_after_raises(value):
    asked = retry_after(value, NOW)
    assert asked is None or asked >= 0


def test_what_the_server_asks_for_goes_first():
    assert Retry().wait(1, 12.5) == 12.5


@pytest.mark.parametrize(("attempt", "least", "most"), [(1, 0.25, 0.5), (2, 0.5, 1.0), (3, 1.0, 2.0), (40, 30.0, 60.0)])
def test_the_wait_doubles_up_to_the_longest(attempt, least, most):
    assert least <= Retry().wait(attempt, None) <= most
