"""A call that needs a yes waits on its side: answered, late, stopped, told again; and never in a battle."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, ClassVar

import pytest

from arenas import ALPHA, BETA, LUNCH, add, clever, fought, make
from loops import alive
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.base.messages import Reply, Request
from toolmend.extras.arena import Desk
from toolmend.extras.arena.side import LATE
from toolmend.extras.arena.turns import KeptTurn
from toolmend.extras.arena.views import QuestionView
from toolmend.models import Model
from toolmend.models.scripted import Scripted
from toolmend.tools import Toolbox, tool

ROW = "2024-05-03  12:00  Lunch with Ada  30 min"


async def question(desk: Desk, side: str = "left") -> QuestionView:
    """The call that waits on a side, as soon as one does."""
    while (found := desk.side(side).view().question) is None:
        await asyncio.sleep(0)
    return found


@alive
async def test_a_call_waits_as_it_will_run_with_what_it_would_change_and_runs_after_a_yes(place: Path) -> None:
    arena = make(place, approve="ask")
    desk = await arena.open("ann")
    flow = desk.send("left", LUNCH)
    asked = await question(desk)
    assert asked.call.startswith("action.add_calendar_entry(") and "12:00" in asked.call
    assert (asked.effect, asked.within) == ("write", "10 minutes")
    assert asked.preview == "- (no entries)\n+ 2024-05-03 12:00  30 min  Lunch with Ada"
    assert (desk.view().left.world.rows, desk.waits) == ((), True)
    desk.answer("left", asked.id, True)
    await flow
    view = desk.view().left
    assert (view.world.text, view.question, view.busy) == (ROW, None, False)
    [decision] = view.turns[0].decisions
    assert (decision.decision, decision.by, decision.preview) == ("allowed", "person", asked.preview)
    assert "allowed by person" in [step.title for step in view.turns[0].steps]
    arena.close()


@alive
async def test_a_no_and_its_reason_are_told_to_the_model(place: Path) -> None:
    arena = make(place, approve="ask")
    desk = await arena.open("ann")
    flow = desk.send("left", LUNCH)
    desk.answer("left", (await question(desk)).id, False, " not on\na Friday ")
    await flow
    [turn] = desk.view().left.turns
    assert (turn.calls, turn.errors, desk.view().left.world.rows) == ((), (), ())
    assert [(one.decision, one.by, one.reason) for one in turn.decisions] == [("denied", "person", "not on a Friday")]
    [said] = [step.body for step in turn.steps if step.kind == "refused"]
    assert said == "not run: the user did not allow it: not on a Friday. Do not make this call again."
    arena.close()


@alive
async def test_with_no_answer_in_time_it_is_denied_and_that_is_said(place: Path) -> None:
    arena = make(place, approve="ask", approval_seconds=0.01)
    desk = await arena.open("ann")
    await desk.send("left", LUNCH)
    view = desk.view().left
    assert [(each.by, each.reason) for each in view.turns[0].decisions] == [("nobody", "nobody answered within 0.01 s")]
    assert (view.question, view.world.rows, view.busy) == (None, (), False)
    arena.close()


@alive
async def test_the_other_side_goes_on_while_one_waits(place: Path) -> None:
    words = Scripted(lambda _: Reply("Hm."), BETA.model)
    arena = make(place, {ALPHA.model: Scripted(clever, ALPHA.model), words.name: words}, approve="ask")
    desk = await arena.open("ann")
    desk.send("both", LUNCH)
    asked = await question(desk)
    while desk.right.busy:
        await asyncio.sleep(0)
    assert desk.view().left.busy
    await desk.send("right", "More.")
    with pytest.raises(BadOption, match="a call of the left side waits for you"):
        desk.send("both", "Even more.")
    assert len(desk.view().right.turns) == 2 and desk.view().left.question == asked
    await desk.stop()
    arena.close()


@alive
async def test_an_answer_counts_once_and_only_for_its_own_question(place: Path) -> None:
    arena = make(place, approve="ask")
    desk, eve = await arena.open("ann"), await arena.open("eve")
    flow = desk.send("both", LUNCH)
    left, right = await question(desk), await question(desk, "right")
    assert left.id != right.id
    for where, side, number in (
        (eve, "left", left.id),
        (desk, "right", left.id),
        (desk, "left", "é"),
        (desk, "left", ""),
    ):
        with pytest.raises(BadOption, match="does not wait any more"):
            where.answer(side, number, True)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="600 characters"):
        desk.answer("left", left.id, False, "x" * 600)
    desk.answer("left", left.id, False)
    with pytest.raises(BadOption, match=LATE.partition(":")[0]):
        desk.answer("left", left.id, True)
    desk.answer("right", right.id, True)
    await flow
    with pytest.raises(BadOption):
        desk.answer("right", right.id, True)
    assert (desk.view().left.world.rows, desk.view().right.world.text) == ((), ROW)
    arena.close()


@alive
async def test_stopped_while_it_waits_nothing_has_run_and_it_can_be_tried_again(place: Path) -> None:
    arena = make(place, approve="ask")
    desk = await arena.open("ann")
    flow = desk.send("left", LUNCH)
    asked = await question(desk)
    await desk.stop("left")
    await flow
    assert desk.view().left.problem == "stopped"
    view = desk.view().left
    assert (view.question, view.turns, view.world.rows, view.waiting, view.busy) == (None, (), (), LUNCH, False)
    with pytest.raises(BadOption):
        desk.answer("left", asked.id, True)
    flow = desk.retry("left")
    desk.answer("left", (await question(desk)).id, True)
    await flow
    assert desk.view().left.world.text == ROW
    arena.close()


@alive
async def test_cleared_while_it_waits_nothing_has_run(place: Path) -> None:
    arena = make(place, approve="ask")
    desk = await arena.open("ann")
    desk.send("left", LUNCH)
    await question(desk)
    await desk.clear("left")
    view = desk.view().left
    assert (view.question, view.turns, view.waiting, view.world.rows, view.busy) == (None, (), "", (), False)
    arena.close()


@alive
async def test_a_reload_and_a_restart_show_the_question_again_and_its_turn_goes_on_unasked(place: Path) -> None:
    first = make(place, approve="ask")
    desk = await first.open("ann")
    flow = desk.send("left", LUNCH)
    asked = await question(desk)
    assert (await first.open("ann")).view().left.question == asked
    mute: dict[str, Model] = {name: Scripted(["Hm."], name) for name in (ALPHA.model, BETA.model)}
    second = make(place, mute, approve="ask")  # the process was killed there
    again = await second.open("ann")
    view = again.view().left
    assert (view.turns, view.waiting, view.world.rows, view.busy) == ((), LUNCH, (), False)
    assert view.question is not None and (view.question.id, view.question.call) == (asked.id, asked.call)
    with pytest.raises(BadOption, match="does not wait any more"):
        again.answer("left", "another", True)
    again.answer("left", asked.id, True)
    with pytest.raises(BadOption):  # a yes counts once
        again.answer("left", asked.id, True)
    assert again.flow is not None
    await again.flow
    [turn] = again.view().left.turns
    assert (again.view().left.world.text, [each.by for each in turn.decisions]) == (ROW, ["person"])
    assert sum(step.title.startswith("maker/alpha") or step.kind == "reply" for step in turn.steps) >= 1
    desk.answer("left", asked.id, True)  # a process that hangs comes too late
    await flow
    assert "gone on elsewhere" in desk.view().left.problem
    assert (await first.open("ann")).view().left.turns == again.view().left.turns
    first.close()
    second.close()


@alive
async def test_a_question_that_was_stopped_or_answered_is_gone_after_a_restart(place: Path) -> None:
    first = make(place, approve="ask")
    desk = await first.open("ann")
    flow = desk.send("both", LUNCH)
    await question(desk)
    right = await question(desk, "right")
    await desk.stop("left")
    desk.answer("right", right.id, False)
    await flow
    first.close()
    second = make(place, approve="ask")
    view = (await second.open("ann")).view()
    assert (view.left.question, view.left.waiting, view.right.question, view.right.waiting) == (None, LUNCH, None, "")
    second.close()


@alive
async def test_a_question_of_a_process_that_ended_can_be_taken_back(place: Path) -> None:
    first = make(place, approve="ask")
    flow = (desk := await first.open("ann")).send("right", LUNCH)
    await question(desk, "right")
    second = make(place, approve="ask")
    again = await second.open("ann")
    for begin in (lambda: again.retry("right"), lambda: again.send("both", LUNCH)):
        with pytest.raises(BadOption, match="waits for you"):
            begin()
    assert not again.busy
    await again.stop("right")
    assert (again.view().right.question, again.view().right.waiting) == (None, LUNCH)
    third = make(place, approve="ask")
    assert (await third.open("ann")).view().right.question is None
    with pytest.raises(BadFile, match="gone on elsewhere"):
        await desk.stop("right")
    await flow
    for each in (first, second, third):
        each.close()


@alive
async def test_a_desk_that_went_on_in_another_process_is_read_again(place: Path) -> None:
    first, second = make(place), make(place)
    await (await first.open("ann")).send("left", LUNCH)
    await (await second.open("ann")).send("both", LUNCH)
    await (await first.open("ann")).correct("left", "It starts at one.")
    desk = await second.open("ann")
    assert [len(side.turns) for side in (desk.view().left, desk.view().right)] == [3, 1]
    await desk.clear("left")
    assert (await first.open("ann")).view() == desk.view()
    battle = await first.battle("ann", LUNCH)
    await battle.flow
    there = await second.battle_of("ann")
    assert there is not None and there.view() == battle.view()
    await second.vote("ann", battle.id, "tie")
    assert (await first.seen("ann", battle.id)).view().names is not None
    with pytest.raises(UnknownName):
        await first.seen("ben", battle.id)
    first.close()
    second.close()


@pytest.mark.parametrize("later", ["allow", "deny", "ask"])
@alive
async def test_a_talk_that_is_told_again_runs_what_ran_and_asks_nobody(place: Path, later: str) -> None:
    """Whatever the policy is by then: what was denied stays undone, what was allowed is there."""

    def obedient(request: Request) -> Reply:
        return Reply("Yes.") if request.messages[-1].content == "Well?" else clever(request)

    def model() -> dict[str, Any]:
        return {ALPHA.model: Scripted(obedient, ALPHA.model)}

    first = make(place, model(), approve="ask")
    desk = await first.open("ann")
    for text, allowed in ((LUNCH, True), ("Lunch with Bob on 2024-05-04", False)):
        flow = desk.send("left", text)
        desk.answer("left", (await question(desk)).id, allowed)
        await flow
    was = desk.view()
    first.close()
    second = make(place, model(), approve=later)
    desk = await second.open("ann")
    assert desk.view() == was
    await desk.send("left", "Well?")
    assert desk.view().left.world.text == ROW
    second.close()


@alive
async def test_every_answer_is_kept_at_once_with_who_gave_it(place: Path) -> None:
    def twice(request: Request) -> Reply:
        return Reply(f"{add('Tea', time='10:00')}\n{add('Lunch')}")

    arena = make(place, {ALPHA.model: Scripted(twice, ALPHA.model)}, approve="ask")
    desk = await arena.open("ann")
    flow = desk.send("left", LUNCH)
    asked = await question(desk)
    desk.answer("left", asked.id, True)
    while (await question(desk)).id == asked.id:
        await asyncio.sleep(0)
    await desk.stop()
    await flow
    _, rows, _ = await arena.talks.db(arena.records.talk, desk.view().left.conversation)
    [kept] = [body for kind, body in rows if kind == "decided"]
    assert (kept["decision"], kept["by"], kept["call"]["arguments"]["title"]) == ("allowed", "person", "Tea")
    assert (desk.view().left.world.rows, desk.view().left.waiting) == ((), LUNCH)
    arena.close()


@alive
async def test_a_mistake_that_is_given_to_the_other_side_brings_its_no_along_and_no_yes(place: Path) -> None:
    arena = make(place, approve="ask")
    desk = await arena.open("ann")
    for allowed in (False, True):
        flow = desk.send("left", LUNCH)
        asked = await question(desk)
        desk.answer("left", asked.id, allowed)
        await flow
    flow = desk.copy("left", text="That is wrong.")
    asked = await question(desk, "right")  # of the second turn: the first was denied there, and is denied here
    assert [turn.decisions[0].decision for turn in desk.view().right.turns] == ["denied"]
    desk.answer("right", asked.id, False)
    while (last := desk.view().right.question) is None or last.id == asked.id:
        await asyncio.sleep(0)
    desk.answer("right", last.id, True)
    await flow
    assert [turn.decisions[0].decision for turn in desk.view().right.turns] == ["denied", "denied", "allowed"]
    arena.close()


@alive
async def test_in_a_battle_nobody_is_asked_and_both_sides_get_the_same_dry_run(place: Path) -> None:
    arena = make(place, approve="ask")
    desk = await fought(arena, "ann")
    for side in (desk.view().left, desk.view().right):
        [turn] = side.turns
        assert (side.question, side.world.rows, turn.steps) == (None, (), ())
        assert [(each.decision, each.by) for each in turn.decisions] == [("dry-run", "policy")]
    arena.close()


@alive
async def test_a_side_that_waits_is_not_forgotten_for_others(place: Path) -> None:
    arena = make(place, approve="ask", max_people=1)
    desk = await arena.open("ann")
    desk.send("left", LUNCH)
    asked = await question(desk)
    for person in ("bob", "cyd", "dan"):
        await arena.open(person)
    assert (await arena.open("ann")).view().left.question == asked
    await desk.stop()
    arena.close()


class Post(Toolbox):
    """A world outside: what was sent is sent."""

    receiver = "post"
    sent: ClassVar[list[str]] = []

    @tool(effect="danger")
    def send(self, text: str) -> str:
        """Send a letter.

        Args:
            text: what it says
        """
        self.sent.append(text)
        return "sent"


@alive
async def test_what_was_done_outside_is_not_done_again_when_a_talk_is_told_again(place: Path) -> None:
    Post.sent.clear()
    writer = Scripted(lambda _: Reply('post.send("Dear Ada")'), "maker/writer-1b")
    options: dict[str, Any] = {"toolbox": f"{__name__}:Post"}
    first = make(place, {writer.name: writer}, **options)
    desk = await first.open("ann")
    flow = desk.send("left", "Write to Ada")
    asked = await question(desk)
    assert (asked.effect, asked.preview) == ("danger", "")
    desk.answer("left", asked.id, True)
    await flow
    first.close()
    second = make(place, {writer.name: writer}, **options)
    desk = await second.open("ann")
    await desk.send("left", "And to Bob")
    assert "send was run outside of the arena and would be run again" in desk.view().left.problem
    assert Post.sent == ["Dear Ada"]
    await desk.clear("left")
    second.close()


def test_a_policy_that_is_none_is_told_at_once(place: Path) -> None:
    with pytest.raises(BadOption, match="is no policy"):
        make(place, approve="perhaps")


def test_turns_that_were_kept_before_there_were_decisions_ran_what_they_ran(place: Path) -> None:
    async def run() -> None:
        arena = make(place)
        desk = await arena.open("ann")
        await desk.send("left", LUNCH)
        [turn] = desk.left.talk.turns
        bare = tuple(event for event in turn.events if type(event).__name__ != "Decided")
        await desk.clear("left")
        await desk.left.talk.take_over([KeptTurn(bare, turn.world)])
        await desk.send("left", "Lunch with Bob on 2024-05-04")
        assert desk.view().left.world.text.splitlines()[0] == ROW

    asyncio.run(run())
