"""What these tests share: a calendar's tools, and samples of events as a run leaves them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolmend.base.events import Asked, Called, Corrected, Event, Finished, Marked, Read, Replied, Tried, Undone
from toolmend.base.messages import Call, CallResult, ToolSpec
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.store import Run, RunConfig, Sample, StoredContestant
from toolmend.tools import Toolbox
from toolmend.training.datasets.talks import Origin, StoredTalk, talk_of

Add = Callable[..., str]
WRONG_TIME = Mistake(Kind.WRONG_VALUE, "time", "action.add_calendar_entry", "12:00", "13:00")
SAID = Correction("The time is wrong.", 2, WRONG_TIME)


def line(time: str = "12:00", title: str = "Lunch") -> str:
    """A call as an embedded model writes it."""
    return f'action.add_calendar_entry("{title}", date="2024-05-03", time="{time}")'


def turn(
    number: int, said: str, time: str, *, right: bool | None = None, amends: int | None = None, step: int = 0
) -> list[Event]:
    """The events of one turn; `right` None for one that nobody marked."""
    call = Call("action.add_calendar_entry", {"title": "Lunch", "date": "2024-05-03", "time": time}, f"c{number}")
    events: list[Event] = [Asked(number, said, amends)]
    if amends is not None:
        events.append(Undone(number, (f"c{amends}",)))
    text = line(time)
    events += [Replied(number, text, model="m"), Read(number, (call,)), Called(number, call, CallResult(call.id, "ok"))]
    if right is not None:
        mark, mistakes = (Mark.CORRECT, ()) if right else (Mark.MISTAKE, (WRONG_TIME,))
        events.append(Marked(number, (mark,), mistakes, step=step))
    return events


def mended() -> list[Event]:
    """A wrong reply, a correction, a right one; and two branches: level 1 was wrong again, level 3 right."""
    events = turn(0, "Add a lunch on May 3 2024 at noon.", "13:00", right=False)
    events.append(Tried(0, "level 1", Correction("That is wrong.", 1, WRONG_TIME), line("13:00"), (Mark.RECURRING,),
                        (WRONG_TIME,), (WRONG_TIME,)))  # fmt: skip
    events.append(Tried(0, "level 3", Correction("It is at noon.", 3, WRONG_TIME), line(), (Mark.FIXED,), (),
                        (WRONG_TIME,)))  # fmt: skip
    later = turn(1, SAID.text, "12:00", right=True, amends=0)
    later.insert(1, Corrected(1, SAID, 0))
    return [*events, *later, Finished()]


def sample(events: list[Event], case: str = "quick/lunch", model: str = "m") -> Sample:
    """A finished sample."""
    return Sample(case, model, "oneline", events=tuple(events))


def run() -> Run:
    """A run of the calendar."""
    config = RunConfig("tiny", contestants=(StoredContestant("m", "oneline"),), settings={"tools": "calendar"})
    return Run("run1", config, "2024-05-01T00:00:00", status="finished")


def talk(events: list[Event]) -> StoredTalk:
    """The talk of these events, about the calendar."""
    tools: tuple[ToolSpec, ...] = Toolbox.load("calendar").specs
    return talk_of(sample(events), Origin("run1", "tiny", "quick/lunch", 0, "m", "oneline"), tools, "Be brief.")


@pytest.fixture
def lunch() -> StoredTalk:
    """The talk of `mended`."""
    return talk(mended())
