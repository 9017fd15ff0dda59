"""How dates, times and lengths are said: whatever is said means what was meant."""

import re
from datetime import date, time
from random import Random

import pytest

from toolmend.training import saying

ALL_TIMES = [time(hour, minute) for hour in range(24) for minute in range(60)]
SOME_DAYS = [date(2024, 1, 1), date(2024, 2, 29), date(2023, 12, 31), date(2030, 11, 11), date(2021, 5, 3)]
HOURS = dict(zip("twelve one two three four five six seven eight nine ten eleven".split(), range(12), strict=True))


def of_word(text):
    return next(value for value in range(70) if saying.number(value) == text)


def minutes_of_day(said):
    """What a time in words means, in minutes of the day; an independent reader of the forms."""
    if said in ("noon", "twelve noon", "midday"):
        return 720
    if said == "midnight":
        return 0
    match = re.fullmatch(r"(.+?) (am|a\.m\.|pm|p\.m\.|in the morning|in the afternoon|in the evening|at night)", said)
    clock, half = match.groups()
    clock = clock.removeprefix("a ").removesuffix(" o'clock")
    if past := re.fullmatch(r"(quarter past|half past|half|quarter to) (\w+)", clock):
        total = HOURS[past[2]] * 60 + {"quarter past": 15, "half past": 30, "half": 30, "quarter to": -15}[past[1]]
    elif past := re.fullmatch(r"([\w-]+) (?:minutes )?(past|to) (\w+)", clock):
        total = HOURS[past[3]] * 60 + of_word(past[1]) * (1 if past[2] == "past" else -1)
    else:
        hour, _, rest = clock.partition(" ")
        total = HOURS[hour] * 60 + (of_word(rest.removeprefix("oh ")) if rest else 0)
    total %= 720
    late = {"am": 0, "a.m.": 0, "pm": 1, "p.m.": 1, "in the morning": 0, "in the afternoon": 1, "in the evening": 1}
    if half == "at night":
        return total + 720 * (total >= 22 * 60 - 720)  # from ten at night to four at night
    return total + 720 * late[half]


@pytest.mark.parametrize("seed", range(6))
def test_every_time_in_words_means_that_time(seed):
    wrong = [
        (value, said)
        for value in ALL_TIMES
        if minutes_of_day(said := saying.clock_in_words(value, Random(f"{seed} {value}")))
        != value.hour * 60 + value.minute
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("value", "sayings"),
    [
        (time(12, 0), {"noon", "twelve noon", "midday"}),
        (time(0, 0), {"midnight"}),
        (time(17, 0), {"five in the evening", "five o'clock in the evening", "five pm", "five p.m."}),
        (time(9, 30), {"half past nine in the morning", "half past nine am", "half past nine a.m.",
                       "half nine in the morning", "half nine am", "half nine a.m.",
                       "nine thirty in the morning", "nine thirty am", "nine thirty a.m."}),
        (time(11, 45), {"quarter to twelve in the morning", "a quarter to twelve in the morning",
                        "eleven forty-five in the morning", "eleven forty-five am", "eleven forty-five a.m."}),
        (time(23, 45), {"quarter to twelve at night", "a quarter to twelve at night",
                        "eleven forty-five at night", "eleven forty-five pm", "eleven forty-five p.m."}),
        (time(8, 5), {f"{said} {half}" for said in ("eight oh five", "five past eight", "five minutes past eight")
                      for half in ("in the morning", "am", "a.m.")}),
        (time(20, 50), {f"{said} {half}" for said in ("eight fifty", "ten to nine", "ten minutes to nine")
                        for half in ("in the evening", "pm", "p.m.")}),
        (time(8, 7), {f"eight oh seven {half}" for half in ("in the morning", "am", "a.m.")}),
        (time(0, 15), {"quarter past twelve at night", "quarter past twelve am", "quarter past twelve a.m.",
                       "a quarter past twelve at night", "a quarter past twelve am", "a quarter past twelve a.m.",
                       "twelve fifteen at night", "twelve fifteen am", "twelve fifteen a.m."}),
    ],
)  # fmt: skip
def test_times_in_words(value, sayings):
    assert {saying.clock_in_words(value, Random(seed)) for seed in range(500)} == sayings


@pytest.mark.parametrize(
    ("value", "some"),
    [
        (time(17, 0), {"5PM", "5 PM", "5pm", "17:00", "5 p.m.", "5 in the evening"}),
        (time(9, 30), {"9:30", "09:30", "9:30AM", "9:30 am", "9.30am", "9h30"}),
        (time(12, 0), {"noon", "12pm", "12 PM", "midday"}),
        (time(0, 0), {"midnight", "12am"}),
        (time(20, 0), {"8pm", "8:00PM", "8 o'clock in the evening", "20h"}),
    ],
)
def test_times_in_figures(value, some):
    assert some <= {saying.clock(value, Random(seed)) for seed in range(6000)}


@pytest.mark.parametrize("seed", range(3))
def test_every_time_in_figures_means_that_time(seed):
    for value in ALL_TIMES:
        said = saying.clock(value, Random(f"{seed} {value}"))
        if figures := re.match(r"(\d\d?)(?:[:.h]?(\d\d))?", said):
            hour, minute = int(figures[1]), int(figures[2] or 0)
            assert minute == value.minute, said
            assert hour in (value.hour, value.hour % 12 or 12), said
            late = re.search(r"[pP]\.?[mM]|afternoon|evening", said)
            assert not late or value.hour >= 12, said
            assert not re.search(r"[aA]\.?[mM]|morning", said) or value.hour < 12, said


@pytest.mark.parametrize(
    ("hour", "part"),
    [(0, "at night"), (3, "at night"), (4, "in the morning"), (11, "in the morning"), (12, "in the afternoon"),
     (16, "in the afternoon"), (17, "in the evening"), (21, "in the evening"), (22, "at night"), (23, "at night")],
)  # fmt: skip
def test_parts_of_the_day(hour, part):
    assert saying.part_of_day(time(hour)) == part


@pytest.mark.parametrize(
    ("value", "text"), [(0, "zero"), (7, "seven"), (13, "thirteen"), (20, "twenty"), (45, "forty-five"), (60, "sixty")]
)
def test_numbers(value, text):
    assert saying.number(value) == text


@pytest.mark.parametrize(
    ("value", "word", "figure"),
    [(1, "first", "1st"), (2, "second", "2nd"), (3, "third", "3rd"), (4, "fourth", "4th"), (5, "fifth", "5th"),
     (8, "eighth", "8th"), (9, "ninth", "9th"), (11, "eleventh", "11th"), (12, "twelfth", "12th"),
     (13, "thirteenth", "13th"), (20, "twentieth", "20th"), (21, "twenty-first", "21st"), (22, "twenty-second", "22nd"),
     (23, "twenty-third", "23rd"), (28, "twenty-eighth", "28th"), (30, "thirtieth", "30th"),
     (31, "thirty-first", "31st")],
)  # fmt: skip
def test_ordinals(value, word, figure):
    assert (saying.ordinal(value), saying.nth(value)) == (word, figure)


NAMED = {
    "New Year's Day": (1, 1), "Valentine's Day": (2, 14), "Halloween": (10, 31), "Christmas Eve": (12, 24),
    "Christmas Day": (12, 25), "Boxing Day": (12, 26), "New Year's Eve": (12, 31),
}  # fmt: skip


def read_day(said):
    """Month and day of what was said, by an independent reader; both orders where only figures were said."""
    if named := re.sub(r" \d{4}$", "", said) in NAMED and NAMED[re.sub(r" \d{4}$", "", said)]:
        return {named}
    if figures := re.match(r"(?:(\d{4})-)?(\d+)[-/](\d+)", said):
        first, second = int(figures[2]), int(figures[3])
        return {(first, second)} if first <= 12 else {(second, first)}
    lower = said.lower()
    month = next(n for n, name in enumerate(saying.MONTHS, 1) if name[:3].lower() in lower)
    without_year = re.sub(r",? (19|20)\d\d$", "", lower)
    if number := re.search(r"\d+", without_year):
        return {(month, int(number[0]))}
    days = [day for day in range(1, 32) if re.search(rf"\b{saying.ordinal(day)}\b(?!-)", without_year)]
    return {(month, max(days, key=lambda day: len(saying.ordinal(day))))}


@pytest.mark.parametrize("with_year", [False, True])
def test_every_day_said_means_that_day(with_year):
    days = [date(2024, 1, 1).replace(month=month, day=day) for month in range(1, 13) for day in range(1, 30)]
    for value in [*days, *SOME_DAYS]:
        for seed in range(12):
            said = saying.day(value, Random(f"{seed} {value}"), with_year=with_year)
            assert (value.month, value.day) in read_day(said), said
            assert (str(value.year) in said) == with_year, said


def test_a_clock_face_does_not_say_the_half_of_the_day():
    for value in ALL_TIMES:
        said = saying.clock_face(value, Random(1))
        assert not re.search(r"\d|morning|afternoon|evening|night|[ap]\.?m\.?\b", said), said


def test_days_in_words_have_no_figure_but_the_year():
    for seed in range(100):
        assert not re.search(r"\d", saying.day_in_words(date(2024, 11, 11), Random(seed), with_year=False))
        assert saying.day_in_words(date(2024, 11, 11), Random(seed), with_year=True).endswith(" 2024")


def read_length(said):
    """Minutes of a length, by an independent reader."""
    text = said.lower()
    fixed = {"half an hour": 30, "1/2h": 30, "1/2 hour": 30, "0.5 hours": 30, "a quarter of an hour": 15, "1/4h": 15,
             "3/4h": 45, "three quarters of an hour": 45, "an hour": 60, "an hour and a half": 90,
             "an hour and a quarter": 75}  # fmt: skip
    if text in fixed:
        return fixed[text]
    text = re.sub(r"\ban\b", "one", text)
    text = re.sub(r"[a-z]+(-[a-z]+)?", lambda m: str(word) if (word := words().get(m[0])) is not None else m[0], text)
    text = re.sub(r" and a half| 1/2", ".5", text)
    text = re.sub(r" hours?\.5", ".5 hours", text)
    text = re.sub(r" and a quarter$", " 15 minutes", text)
    if match := re.fullmatch(r"(\d+)h(\d\d)", text):
        return int(match[1]) * 60 + int(match[2])
    hours = re.search(r"([\d.]+) ?(?:h|hrs?|hours?)\b", text)
    minutes = re.search(r"(\d+) ?(?:m|min|mins|minutes)\b", text)
    return round(float(hours[1]) * 60 if hours else 0) + (int(minutes[1]) if minutes else 0)


def words():
    return {saying.number(value): value for value in range(1, 60)}


@pytest.mark.parametrize("minutes", [5, 10, 15, 20, 30, 40, 45, 50, 60, 75, 90, 105, 120, 150, 180, 195, 240, 300, 480])
def test_every_length_said_means_that_length(minutes):
    for seed in range(150):
        for say in (saying.length, saying.length_in_words):
            said = say(minutes, Random(seed))
            assert read_length(said) == minutes, said


def test_lengths_in_words_have_no_figure():
    said = [saying.length_in_words(minutes, Random(seed)) for minutes in range(5, 480, 5) for seed in range(20)]
    assert not [text for text in said if re.search(r"\d", text)]
