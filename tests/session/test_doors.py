"""The doors of a session: sync and async, from loops and threads, interrupted, one reply only, and played turns."""

import asyncio
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadOption, ModelError, ToolmendError
from toolmend.base.messages import Message, Options, Reply
from toolmend.base.mistakes import Correction
from toolmend.base.portal import Job, run_sync
from toolmend.models.model import Abilities
from toolmend.models.scripted import Scripted
from toolmend.session import Session, ask_once
from toolmend.tools import Toolbox, tool
from toolmend.tools.toolboxes import Calendar

FRED = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
FRED_2024 = FRED.replace("2023", "2024")


def dates(session: Session) -> list[str]:
    return [entry["date"] for entry in session.tools.state()["entries"]]


# sync and async ----------------------------------------------------------------------------------------------------


def test_every_door_has_an_async_twin():
    async def talk() -> list[list[str]]:
        chat, seen = Session(Scripted([FRED, FRED_2024, FRED]), Calendar(), mend=False), []
        await chat.asay("Add a meeting with Fred on Nov 11 at 5PM")
        seen.append(dates(chat))
        await chat.acorrect("The current year is 2024.")
        seen.append(dates(chat))
        await chat.arequest("Add it once more")
        seen.append(dates(chat))
        await chat.aundo()
        await chat.aundo()
        return [*seen, dates(chat)]

    assert asyncio.run(talk()) == [["2023-11-11"], ["2024-11-11"], ["2023-11-11", "2024-11-11"], ["2023-11-11"]]


def test_sync_doors_work_inside_a_running_loop():
    async def notebook() -> list[str]:
        chat = Session(Scripted([FRED, FRED_2024]), Calendar(), mend=False)
        chat.say("Add Fred")
        chat.correct("The current year is 2024.")
        return dates(chat)

    assert asyncio.run(notebook()) == ["2024-11-11"]


def test_sync_doors_work_from_several_threads():
    def talk(year: int) -> list[str]:
        chat = Session(Scripted([FRED, FRED.replace("2023", str(year))]), Calendar(), mend=False)
        chat.say("Add Fred")
        chat.correct("Another year.")
        return dates(chat)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(talk, range(2000, 2040)))
    assert results == [[f"{year}-11-11"] for year in range(2000, 2040)]


def test_an_error_comes_out_of_a_sync_door_as_it_was_raised():
    def script(_: Any) -> str:
        raise ModelError("no connection", retryable=True)

    with pytest.raises(ModelError, match="no connection") as caught:
        Session(Scripted(script), Calendar()).say("Add Fred")
    assert caught.value.retryable


def test_all_sync_doors_share_one_thread():
    async def name() -> str:
        return threading.current_thread().name

    assert run_sync(name) == run_sync(name) != threading.current_thread().name


# interrupted turns -------------------------------------------------------------------------------------------------


class Lamp(Toolbox):
    """A lamp far away: every command takes a moment."""

    receiver = "lamp"

    def __init__(self) -> None:
        self.colour = "off"

    @tool(undo="_back")
    async def light(self, colour: str) -> str:
        """Light it in a colour."""
        await anyio.lowlevel.checkpoint()
        before, self.colour = self.colour, colour
        return before

    async def _back(self, before: str) -> None:
        await anyio.lowlevel.checkpoint()
        self.colour = before


class Stuck(Scripted):
    """Gives its replies once, then never answers again."""

    async def reply(self, request: Any, *, on_delta: Any = None) -> Reply:
        if len(self.requests) == 1:
            await anyio.sleep_forever()
        return await super().reply(request, on_delta=on_delta)


class Interrupting(Scripted):
    """Gives its replies once; asked again, it is interrupted."""

    async def reply(self, request: Any, *, on_delta: Any = None) -> Reply:
        if len(self.requests) == 1:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            await anyio.sleep_forever()
        return await super().reply(request, on_delta=on_delta)


@pytest.mark.parametrize("backend", ["scope", "task"])
def test_a_turn_that_is_cancelled_puts_everything_back(backend):
    box = Lamp()
    chat = Session(Stuck(['lamp.light("red")']), box, mend=False)

    async def by_scope() -> None:
        await chat.arequest("Red light")
        async with anyio.create_task_group() as group:
            group.start_soon(chat.acorrect, "No, blue")
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()

    async def by_task() -> None:
        await chat.arequest("Red light")
        task = asyncio.create_task(chat.acorrect("No, blue"))
        while box.colour == "red":
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(by_scope() if backend == "scope" else by_task())
    assert (box.colour, len(chat.messages), [call.id for call in chat.standing]) == ("red", 2, ["c1"])


def test_an_interrupt_stops_what_was_awaited():
    ended: list[str] = []

    async def slow() -> None:
        try:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # as Ctrl-C does
            await anyio.sleep_forever()
        finally:
            ended.append("stopped")

    with pytest.raises(KeyboardInterrupt):
        run_sync(slow)
    assert ended == ["stopped"]


def test_jobs_run_side_by_side_and_one_that_is_cancelled_puts_things_right():
    begun, waiting, ended = threading.Barrier(2), threading.Event(), list[str]()

    async def meet(name: str) -> str:
        await anyio.to_thread.run_sync(begun.wait, 20)
        return name

    async def wait() -> None:
        try:
            waiting.set()
            await anyio.sleep_forever()
        finally:
            ended.append("stopped")

    first, second, third = Job(meet, "first").begin(), Job(meet, "second").begin(), Job(wait).begin()
    assert (first.result(), second.result()) == ("first", "second")
    assert waiting.wait(20)
    third.cancel()
    first.cancel()
    assert ended == ["stopped"]


def test_an_interrupted_correction_puts_everything_back():
    box = Lamp()
    chat = Session(Interrupting(['lamp.light("red")']), box, mend=False)
    chat.request("Red light")
    with pytest.raises(KeyboardInterrupt):
        chat.correct("No, blue")
    assert (box.colour, len(chat.messages), [call.id for call in chat.standing]) == ("red", 2, ["c1"])


# one reply only ----------------------------------------------------------------------------------------------------


def test_ask_once_gives_the_raw_text_and_runs_nothing():
    box = Calendar()
    reply = ask_once("Add Fred", model=Scripted([f"  Sure!\n{FRED}\n"]), tools=box)
    assert str(reply) == f"  Sure!\n{FRED}\n"
    assert box.entries == []


def test_ask_once_tells_the_history_in_order():
    model = Scripted([FRED])
    history = [("system", "Be brief."), ("user", "Add Fred"), ("assistant", FRED)]
    ask_once("The year is 2024.", model=model, tools="calendar", history=history, temperature=0.7, seed=5)
    assert model.requests[0].messages == (
        Message("system", "Be brief."),
        Message("user", "Add Fred"),
        Message("assistant", FRED),
        Message("user", "The year is 2024."),
    )
    assert model.requests[0].options == Options(temperature=0.7, seed=5)


def test_ask_once_passes_its_system_text():
    model = Scripted([FRED])
    ask_once("Add Fred", model=model, tools="calendar", system="Be brief.")
    assert model.requests[0].messages[0] == Message("system", "Be brief.")


def test_ask_once_gives_the_calls_that_words_come_to():
    model = Scripted(['add_calendar_entry(title="Tea", date="8 June 2025", time="3 pm")'])
    reply = ask_once("Tea on 8 June 2025 at 3 pm", model=model, tools="calendar", strategy="spoken")
    assert [call.arguments for call in reply.calls] == [{"title": "Tea", "date": "2025-06-08", "time": "15:00"}]


def test_ask_once_refuses_an_unknown_option():
    known = "known: max_tokens, seed, stop, temperature"
    with pytest.raises(BadOption, match=f"unknown option temprature; {known}"):
        ask_once("Add Fred", model=Scripted([FRED]), tools="calendar", temprature=1)


def test_ask_once_refuses_an_unknown_role():
    with pytest.raises(BadOption, match="history has the role 'bot'; known: user, assistant, system"):
        ask_once("Add Fred", model=Scripted([FRED]), tools="calendar", history=[("bot", "hi")])


def test_ask_once_refuses_a_toolbox_the_model_does_not_know():
    model = Scripted([FRED], "builtin/lamp")
    model.abilities = Abilities(toolboxes=("lamp",))
    with pytest.raises(BadOption, match="'builtin/lamp' was trained for the toolbox lamp only"):
        ask_once("Add Fred", model=model, tools="calendar")


def test_ask_once_needs_a_strategy_that_asks():
    class Acts:
        name, prompt_hash, bare = "acts", "0", True

        def turn(self, talk: Any) -> Any:
            from toolmend.reading import Reading
            from toolmend.strategies import Act

            yield Act((), Reading())

    with pytest.raises(ToolmendError, match="strategy 'acts' acts before it asks"):
        ask_once("Add Fred", model=Scripted([FRED]), tools="calendar", strategy=Acts())  # type: ignore[arg-type]


# played turns ------------------------------------------------------------------------------------------------------


def test_a_played_reply_is_not_asked_for():
    model = Scripted([FRED_2024])
    chat = Session(model, Calendar(), mend=False)

    async def suite() -> None:
        first = await chat.play("Add Fred", reply=FRED)
        await chat.play(Correction("The current year is 2024."), first)

    asyncio.run(suite())
    assert dates(chat) == ["2024-11-11"]
    assert [message.content for message in model.requests[0].messages[1:]] == [
        "Add Fred",
        FRED,
        "The current year is 2024.",
    ]


def test_a_played_turn_amends_only_what_it_is_told_to():
    chat = Session(Scripted([FRED, FRED_2024]), Calendar(), mend=False)

    async def suite() -> None:
        await chat.play("Add Fred")
        await chat.play("The current year is 2024.")

    asyncio.run(suite())
    assert dates(chat) == ["2023-11-11", "2024-11-11"]
