"""Whatever the simulated people say of a time, a day or a length is read back as it was meant, typed or dictated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from random import Random

import pytest

from dictated import spoken
from toolmend.language.resolve import Resolved, resolve
from toolmend.training import saying

SEEDS = range(40)
TIME = {"type": "string", "format": "time"}
DATE = {"type": "string", "format": "date"}
MINUTES = {"type": "integer", "x-unit": "minutes"}
# Seven o'clock is at both ends of these hours.
HOURS, OPEN = "07-19", range(7 * 60 + 1, 19 * 60)
NEW_YEAR = date(2024, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("say", [saying.clock, saying.clock_in_words, saying.clock_face])
def test_a_time_within_the_hours_is_read_back(say: Callable[[time, Random], str]) -> None:
    failures = {}
    for seed, minute in _drawn(OPEN):
        value = time(minute // 60, minute % 60)
        said = say(value, Random(f"{seed} {minute}"))
        for text in (said, spoken(f"at {said}", Random(seed))):
            result = resolve(text, TIME, hours=HOURS)
            if not isinstance(result, Resolved) or result.value != f"{value:%H:%M}":
                failures[text] = result
    assert not failures


@pytest.mark.slow
def test_a_time_of_any_hour_is_read_back_or_left_open() -> None:
    failures = {}
    for seed, minute in _drawn(range(24 * 60)):
        value = time(minute // 60, minute % 60)
        text = saying.clock(value, Random(f"{seed} {minute}"))
        result = resolve(text, TIME)
        if f"{value:%H:%M}" not in ((result.value,) if isinstance(result, Resolved) else result.candidates):
            failures[text] = result
    assert not failures


@pytest.mark.slow
@pytest.mark.parametrize("with_year", [True, False])
@pytest.mark.parametrize("say", [saying.day, saying.day_in_words])
def test_a_day_is_read_back(say: Callable[..., str], with_year: bool) -> None:
    failures = {}
    for seed, number in _drawn(range(366)):
        value = NEW_YEAR + timedelta(number)
        said = say(value, Random(f"{seed} {number}"), with_year=with_year)
        # "20/1" is dictated as "twenty one".
        texts = (said,) if "/" in said and value.day % 10 == 0 else (said, spoken(said, Random(seed)))
        for text in texts:
            result = resolve(text, DATE, now="2024-01-01T00:00")
            if not isinstance(result, Resolved) or result.value != value.isoformat():
                failures[text] = result
    assert not failures


@pytest.mark.slow
@pytest.mark.parametrize("say", [saying.length, saying.length_in_words])
def test_a_length_is_read_back(say: Callable[[int, Random], str]) -> None:
    failures = {}
    for seed, minutes in _drawn(range(1, 601)):
        said = say(minutes, Random(f"{seed} {minutes}"))
        for text in (said, spoken(said, Random(seed))):
            result = resolve(text, MINUTES)
            if not isinstance(result, Resolved) or result.value != minutes:
                failures[text] = result
    assert not failures


def _drawn(values: range) -> Iterator[tuple[int, int]]:
    return ((seed, value) for seed in SEEDS for value in values)
