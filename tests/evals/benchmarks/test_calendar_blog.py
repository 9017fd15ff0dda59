"""The published notation: replies written so that they earn published rows, read back from the tables they make.

The transcripts that the post links to are not here. Not every published row can be earned under one rule: Llama 3.2
1B's 🥦🔥 (fixed, and no call to see it in), Gemma 2B's three corrections of one 🍄, and Mistral's 🍄 without ✔ at a
request were given by eye.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import anyio
import pytest

from toolmend.base.events import Event, Finished, Marked
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake, glyphs
from toolmend.evals.benchmarks.calendar_blog import BlogLine, Tables, tables
from toolmend.evals.benchmarks.published import published_data
from toolmend.evals.store import Sample
from toolmend.evals.suites.suite import Case, Suite
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools.toolboxes import Calendar

PUBLISHED = published_data("calendar")

Play = Callable[..., Any]
Make = Callable[..., Sample]

ADD = "action.add_calendar_entry"
FRED = f'{ADD}("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
FRED_24 = FRED.replace("2023", "2024")
FRED_UNDATED = f'{ADD}("Meeting with Fred", time="17:00", duration=30)'
ROCK = f'{ADD}("Rock Concert", date="2024-11-11", time="20:00", duration=30)'
ROCK_3H = ROCK.replace("30)", "60*3)")
PAUL = f'{ADD}("Meeting with Paul", date="2024-11-12", time="08:00", duration=30)'
CANCEL = 'action.remove_calendar_entry("Meeting with Fred", "2024-11-11", "17:00")'
JUNK = "Ok.\nOk.\nOk."

GEMMA, LLAMA = "Gemma 2 9B-instr", "Llama-3.1 8B-instr"
COMPLETE = {
    GEMMA: [FRED, FRED_24, ROCK, ROCK_3H, PAUL, CANCEL],
    LLAMA: [FRED, FRED_UNDATED, FRED_24, ROCK, ROCK_3H, PAUL, CANCEL],
}


def spaced(call: str) -> str:
    """Codegemma's year, spelled with a space."""
    return call.replace("2024-", "20 24-")


# A number is a request of the dialogue; a mistake is a correction that names it.
ROWS: dict[str, list[tuple[int | Mistake, str]]] = {
    "Gemini online": [
        (0, FRED),
        (1, FRED_UNDATED),
        (Mistake(Kind.MISSING_ARGUMENT, "date"), FRED_24),
        (2, ROCK.replace("30)", "60)")),
        (Mistake(Kind.WRONG_VALUE, "duration"), ROCK.replace("30)", '"thirty")')),
        (Mistake(Kind.WRONG_TYPE, "duration"), ROCK),
        (3, ROCK_3H),
        (4, PAUL.replace("Paul", "Fred")),
        (Mistake(Kind.WRONG_VALUE, "title"), PAUL),
        (5, CANCEL),
    ],
    "Llama 3.2 3B-instr": [
        (0, FRED),
        (1, FRED_24),
        (2, ROCK),
        (3, ROCK_3H.replace("add_", "update_")),
        (Mistake(Kind.UNKNOWN_TOOL), ROCK_3H),
        (4, PAUL.replace("2024-11-12", "11/12/2024")),
        (Mistake(Kind.WRONG_FORMAT, "date"), JUNK),
        (5, JUNK),
    ],
    "Codegemma7B-instr": [
        (0, FRED),
        (1, spaced(FRED_24)),
        (Mistake(Kind.WRONG_FORMAT, "date"), spaced(FRED_24)),
        (2, spaced(ROCK)),
        (3, spaced(ROCK_3H)),
        (4, spaced(PAUL)),
        (5, spaced(CANCEL).replace(")", ", duration=30)")),
        (Mistake(Kind.UNKNOWN_ARGUMENT, "duration"), spaced(CANCEL).replace("Fred", "Paul")),
        (Mistake(Kind.WRONG_VALUE, "title"), spaced(CANCEL)),
    ],
    "vicuna 1.5 7b-instr": [
        (0, FRED),
        (1, FRED_24),
        (2, ROCK),
        (3, JUNK),
        (Mistake(Kind.NO_CALL), JUNK),
        (4, f"{PAUL}\n{ROCK}"),
        (Mistake(Kind.EXTRA_CALL), f"{PAUL}\n{PAUL}"),
        (5, f"{CANCEL}\nEnjoy your day!"),
    ],
}


@pytest.fixture
def dialogue(calendar: Suite) -> Case:
    return calendar.experiments[1].cases[0]


@pytest.fixture
def complete(calendar: Suite, sample: Make) -> Callable[..., Tables]:
    """The tables of one run of the complete chat."""
    return lambda events: tables(calendar, [sample(events, case="complete/dialogue")])


def talk(case: Case, lines: Sequence[tuple[int | Mistake, str]]) -> list[Event]:
    """A talk with the corrections that its author gave, and the replies that came."""
    events: list[Event] = []
    session = Session(Scripted([reply for _, reply in lines]), Calendar(), sink=events.append, mend=False)

    async def play() -> None:
        ends, number = {}, 0
        for said, _ in lines:
            if isinstance(said, Mistake):
                ends[number] = await session.play(Correction("…", 2, said), ends[number])
            else:
                number, step = said, case.steps[said]
                ends[number] = await session.play(step.say, None if step.amends is None else ends[step.amends])
            events.append(Marked(ends[number].turn, (), step=number))

    anyio.run(play)
    return [*events, Finished()]


def row(lines: Iterable[BlogLine]) -> list[str]:
    return [glyphs(line.marks) for line in lines]


def published_row(name: str) -> list[str]:
    return [glyphs([Mark(mark) for mark in line["marks"]]) for line in PUBLISHED["complete"][name]]


# 4.1 -----------------------------------------------------------------------------------------------------------------

FIRST = {"correct": FRED, "mistake": FRED_24, "garbage": "I cannot do that."}


@pytest.mark.parametrize("name", PUBLISHED["reliability"])
def test_reliability_rows_can_be_earned(name: str, calendar: Suite, played: Play, sample: Make) -> None:
    (case,) = calendar.experiments[0].cases
    marks = PUBLISHED["reliability"][name]
    samples = [
        sample(played([FIRST[mark]], case, calendar.experiments[0]).events, case="reliability/first", attempt=attempt)
        for attempt, mark in enumerate(marks)
    ]
    assert [mark.value for mark in tables(calendar, samples[::-1]).reliability] == marks


def test_only_five_attempts_are_shown(calendar: Suite, played: Play, sample: Make) -> None:
    events = played([FRED], calendar.experiments[0].cases[0], calendar.experiments[0]).events
    samples = [sample(events, case="reliability/first", attempt=attempt) for attempt in range(8)]
    assert glyphs(tables(calendar, samples).reliability) == "✔ ✔ ✔ ✔ ✔"


# 4.2 -----------------------------------------------------------------------------------------------------------------


def test_the_glyphs_of_the_best_row() -> None:
    assert published_row(GEMMA) == ["✔ 🍄", "🥦", "✔", "✔", "✔", "✔"]


@pytest.mark.parametrize("name", COMPLETE)
def test_rows_of_the_whole_talk_are_earned_by_playing_it(
    name: str, calendar: Suite, dialogue: Case, played: Play, complete: Callable[..., Tables]
) -> None:
    found = complete(played(COMPLETE[name], dialogue, calendar.experiments[1], branches=()).events)
    assert row(found.complete) == published_row(name)
    assert found.gave_up is False


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_the_whole_talk_with_its_authors_corrections(
    name: str, dialogue: Case, complete: Callable[..., Tables]
) -> None:
    found = complete(talk(dialogue, ROWS[name]))
    assert row(found.complete) == published_row(name)
    assert [line.correction for line in found.complete] == [x["correction"] for x in PUBLISHED["complete"][name]]


def test_the_first_lines_of_a_row_that_cannot_be_earned_whole(dialogue: Case, complete: Callable[..., Tables]) -> None:
    lines: list[tuple[int | Mistake, str]] = [
        (0, f"Sure!\n{FRED_24}"),
        (Mistake(Kind.CHATTER), FRED_24.replace("2024-11-11", "11/11/2024")),
        (Mistake(Kind.WRONG_FORMAT, "date"), FRED_24),
        (1, FRED_24),
        (2, JUNK),
    ]
    found = complete(talk(dialogue, lines))
    assert row(found.complete) == published_row("Llama 3.2 1B-instr")[:5] == ["✔ 🍄", "🥦 🍄", "🥦", "✔", "🔥🔥"]


def test_giving_up(calendar: Suite, dialogue: Case, played: Play, complete: Callable[..., Tables]) -> None:
    how = calendar.experiments[1]
    found = complete(played([FRED, FRED_24, JUNK, JUNK], dialogue, how, corrections=0, branches=()).events)
    assert (row(found.complete), found.gave_up) == (["✔ 🍄", "🥦", "🔥🔥", "🔥🔥"], True)


def test_a_year_that_stays_wrong_recurs(dialogue: Case, complete: Callable[..., Tables]) -> None:
    found = complete(talk(dialogue, [(0, FRED), (1, FRED), (Mistake(Kind.WRONG_VALUE, "date"), FRED_24)]))
    assert row(found.complete) == ["✔ (🍄)", "(🍄)", "🥦"]


def test_a_year_that_was_guessed_is_no_mistake(dialogue: Case, complete: Callable[..., Tables]) -> None:
    assert row(complete(talk(dialogue, [(0, FRED_24), (1, FRED_24)])).complete) == ["✔", "✔"]


def test_no_check_mark_without_a_call(dialogue: Case, complete: Callable[..., Tables]) -> None:
    assert row(complete(talk(dialogue, [(0, "I cannot do that.")])).complete) == ["🔥"]


# 4.3 -----------------------------------------------------------------------------------------------------------------


def fixing(calendar: Suite, played: Play, sample: Make, cells: Sequence[Sequence[str]]) -> list[Sample]:
    """Samples of the first case of each group, whose replies to the correction are of these marks."""
    how = calendar.experiments[2]
    samples = []
    for group, cell in zip(PUBLISHED["fixing"]["columns"], cells, strict=True):
        case = next(case for case in how.cases if case.group == group)
        right = case.steps[-1].reference
        replies = {"fixed": right, "mistake": f"I apologize.\n{right}", "garbage": "I apologize."}
        for attempt, mark in enumerate(cell):
            events = played([replies[mark]], case, how, corrections=1, branches=()).events
            samples.append(sample(events, case=f"fixing/{case.id}", attempt=attempt))
    return samples


@pytest.mark.parametrize("name", PUBLISHED["fixing"]["rows"])
def test_fixing_rows_can_be_earned(name: str, calendar: Suite, played: Play, sample: Make) -> None:
    cells = PUBLISHED["fixing"]["rows"][name]
    found = tables(calendar, fixing(calendar, played, sample, cells)).fixing
    assert [[mark.value for mark in found[column]] for column in PUBLISHED["fixing"]["columns"]] == cells


def test_two_mistakes_are_a_fire(calendar: Suite, played: Play, sample: Make) -> None:
    case = calendar.experiments[2].cases[0]
    reply = case.steps[-1].reference.replace("20:00", "21:00").replace("=30", "=45")
    events = played([reply], case, calendar.experiments[2], corrections=1, branches=()).events
    assert tables(calendar, [sample(events, case=f"fixing/{case.id}")]).fixing == {"wrong time": (Mark.GARBAGE,)}


def test_other_cases_than_the_first_of_a_column_are_not_shown(calendar: Suite, played: Play, sample: Make) -> None:
    case = calendar.experiments[2].cases[1]
    events = played([case.steps[-1].reference], case, calendar.experiments[2]).events
    assert tables(calendar, [sample(events, case=f"fixing/{case.id}")]).fixing == {}


# 5 -------------------------------------------------------------------------------------------------------------------


def of_published(name: str) -> Tables:
    """A published row as tables."""
    data = PUBLISHED
    lines = [BlogLine(x["turn"], x["correction"], tuple(map(Mark, x["marks"]))) for x in data["complete"][name]]
    cells = zip(data["fixing"]["columns"], data["fixing"]["rows"][name], strict=True)
    first = tuple(map(Mark, data["reliability"][name]))
    return Tables(first, tuple(lines), False, {column: tuple(map(Mark, cell)) for column, cell in cells})


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        (GEMMA, {"correct": 10, "fixed": 7, "mistake": 4, "garbage": 0}),
        (LLAMA, {"correct": 10, "fixed": 8, "mistake": 3, "garbage": 1}),
    ],
)
def test_the_recap_is_the_sum_of_the_three_tables(
    name: str, counts: dict[str, int], calendar: Suite, played: Play, sample: Make
) -> None:
    first, whole, how = calendar.experiments[0].cases[0], calendar.experiments[1].cases[0], calendar.experiments
    samples = fixing(calendar, played, sample, PUBLISHED["fixing"]["rows"][name])
    samples += [sample(played([FRED], first, how[0]).events, case="reliability/first", attempt=n) for n in range(5)]
    samples.append(sample(played(COMPLETE[name], whole, how[1], branches=()).events, case="complete/dialogue"))
    assert tables(calendar, samples).recap() == counts
    assert PUBLISHED["recap"][name] == of_published(name).recap() == counts


def test_seven_of_eight_published_recaps_are_the_sum_of_their_tables() -> None:
    data = PUBLISHED
    assert {name for name in data["recap"] if of_published(name).recap() != data["recap"][name]} == {
        "vicuna 1.5 7b-instr"  # one 🔥 fewer than its tables have
    }


def test_a_double_fire_is_two_and_a_recurring_mistake_one() -> None:
    made = Tables(
        (), (BlogLine("", False, (Mark.GARBAGE, Mark.GARBAGE)), BlogLine("", True, (Mark.RECURRING,))), False, {}
    )
    assert made.recap() == {"correct": 0, "fixed": 0, "mistake": 1, "garbage": 2}


def test_samples_that_could_not_be_run_are_in_no_table(calendar: Suite, sample: Make) -> None:
    found = tables(calendar, [sample([], case="complete/dialogue", status="error")])
    assert found == Tables((), (), False, {})


def test_published_rows_come_with_their_source() -> None:
    assert (PUBLISHED["date"], "Keras chatbot arena" in PUBLISHED["source"]) == (
        "2024-12-05",
        True,
    )


def test_the_published_file_is_as_long_as_it_was() -> None:
    data = PUBLISHED
    assert [len(data[part]) for part in ("reliability", "complete", "recap")] == [8, 9, 8]
    assert len(data["fixing"]["rows"]) == 8
