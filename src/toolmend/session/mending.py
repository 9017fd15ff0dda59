"""What there is to mend when an answer's calls are corrected: the calls, and all that was said and tried for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from toolmend.base.messages import Call, Message
from toolmend.language.resolve.background import Background
from toolmend.language.resolve.standing import without_removed
from toolmend.models import Model
from toolmend.session.answer import Answer
from toolmend.session.mend import MendCase, asks_person, assents, is_complaint, tool_asked
from toolmend.session.mend.direction import in_one_form
from toolmend.session.mend.own_request import own_request
from toolmend.strategies import Strategy
from toolmend.tools import Toolbox

if TYPE_CHECKING:
    from toolmend.session.session import Session


def case_of(
    said: str,
    asked: Answer,
    target: Answer,
    answers: Sequence[Answer],
    messages: Sequence[Message],
    standing: Sequence[Call],
    box: Toolbox,
    world: Background,
) -> MendCase:
    """The case of a sentence said to `asked`, about the calls of `target`; `messages` are the person's, one a turn,
    `world` what words are computed against."""
    talk = [answer for answer in answers if _root(answer, answers) == _root(target, answers)]
    tools = {call.tool for call in target.calls}
    calls, request = target.standing or target.calls, _request(asked, answers, messages)
    return MendCase(
        in_one_form(said),
        calls,
        box.specs,
        "\n".join(messages[answer.turn].content for answer in talk),
        tuple(call for answer in talk for call in answer.calls),
        tuple(call.arguments for call in standing if call.tool not in tools),
        world=world,
        now=getattr(box, "now", None),
        latest=messages[request].content,
        replaced=_replaced(calls, target, answers),
        words="" if asked.standing else asked.text,
        earlier=tuple(call for answer in talk if answer.turn < request for call in answer.calls),
    )


def begins_anew(session: Session, text: str) -> bool:
    """Whether a sentence said to an open question asks for something else."""
    asked = session.answers[-1] if session.mender and session.answers else None
    if asked is None or asked.open is None:
        return False
    return own_request(text, asked.open, session.tools.specs, session.messages[-2].content)


def background_of(session: Session, target: Answer | None, said: Message | None = None) -> Background:
    """What words are said against: the calls that stand, those of `target`, which are corrected, and the world."""
    box, amended = session.tools, (target.standing or target.calls) if target else ()
    ids = {call.id for call in amended}
    named = {spec.full_name: box.named[spec.name] for spec in box.specs if spec.name in box.named}
    calls, gone = without_removed([call for call in session.standing if call.id not in ids], box.specs, named)
    return Background(
        calls,
        amended,
        gone,
        {kind: tuple(things) for kind, things in box.things().items()},
        named,
        recent=max(1, len(session.answers[-1].standing)) if session.answers else 1,
        now=box.clock,
        hours=box.hours,
        locale=session.locale,
        anew=target is None and said is not None and begins_anew(session, said.content),
    )


def idle(text: str, asked: Answer, strategy: Strategy) -> bool:
    """Whether a sentence answers where nothing was asked: a model might only do the same once more. A "no" in words
    is a complaint."""
    done = asked.calls or getattr(strategy, "edits", False)
    asks = asked.open or asks_person(asked.text) or asked.text.rstrip().endswith("?")
    return bool(done and not asks and (assents(text) or text.strip(" .!").lower() == "n"))


def allowed(case: MendCase, model: Model, strategy: Strategy) -> MendCase:
    """The case with what the model may be asked: plain questions, unless it was trained for a toolbox or answers in a
    notation of its own; under a constraint, where it keeps to one or the strategy asks under one."""
    speaks = model.abilities.toolboxes is not None or model.abilities.avoids or getattr(strategy, "edits", False)
    held = model.abilities.schemas or getattr(strategy, "structured", False)
    taught, computed = model.abilities.toolboxes is not None, getattr(strategy, "computes", False)
    case = replace(case, asks=not speaks, constrains=held, taught=taught, computed=computed)
    if not hasattr(strategy, "calling") or not case.specs:
        return case
    asked = tool_asked(case.said, case.specs) if model.abilities.toolboxes is None else ""
    asked = "" if len(case.calls) > 1 or any(call.tool == asked for call in case.calls) else asked
    specs = [spec for spec in case.specs if asked in ("", spec.full_name)]
    return replace(case, calling=strategy.calling(specs, case.world.named), asked=asked)


def _request(answer: Answer, answers: Sequence[Answer], messages: Sequence[Message]) -> int:
    """The turn in which something was asked for last: complaints about an answer ask for nothing new, nor does what is
    said to a question of the ladder."""
    while answer.amends is not None:
        before = answers[answer.amends]
        if not (is_complaint(messages[answer.turn].content) or asks_person(before.text)):
            break
        answer = before
    return answer.turn


def _replaced(calls: Sequence[Call], target: Answer, answers: Sequence[Answer]) -> tuple[Call, ...]:
    """The calls that stood before the turn that these were first made in, and that they took the place of."""
    made = {call.id: (answer.turn, call) for answer in answers for call in answer.calls}
    first = _root(target, answers)
    replaced = []
    for call in calls:
        while call.amends in made:
            turn, call = made[call.amends]
            if turn < first:
                replaced.append(call)
                break
    return tuple(replaced)


def _root(answer: Answer, answers: Sequence[Answer]) -> int:
    """The turn that the request of this one was made in."""
    while answer.amends is not None:
        answer = answers[answer.amends]
    return answer.turn
