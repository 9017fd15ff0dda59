"""ReAct: thought, action, observation, over and over until an answer (Yao et al. 2023, arXiv 2210.03629, section 2).

Works with any model that reads text. An action is a tool's name, its input a JSON object on the following lines; what
small models write instead (a call in one line, `name: value` lines, a tag) is read too, and recorded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolmend.base.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading, read
from toolmend.reading.thoughts import unthought
from toolmend.reading.values import read_values
from toolmend.strategies.history import reported, told
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.resuming import Record, Round, StepsRecord
from toolmend.strategies.retries import EMPTY, UNREADABLE, Retries, RetryCause, faults, retries_option, rounds_option
from toolmend.strategies.signature import signature
from toolmend.strategies.strategy import Act, Ask, Flag, Flow, Say, Talk

STOP = ("\nObservation:",)

_EDGE = r"^[ \t*#]*"
_ACTION = re.compile(_EDGE + r"action(?:[ \t]\d+)?[ \t*]*:[ \t*`\"']*(?P<name>[\w.-]+)", re.IGNORECASE | re.MULTILINE)
_INPUT = re.compile(_EDGE + r"action[ _]input(?:[ \t]\d+)?[ \t*]*:[ \t*]*(?P<input>.*)\Z", re.I | re.M | re.S)
_ANSWER = re.compile(_EDGE + r"final answer[ \t*]*:[ \t*]*(?P<text>.*)\Z", re.I | re.M | re.S)
_NEXT = re.compile(r"\n[ \t*#]*(?:thought|action|final answer)(?:[ \t]\d+)?[ \t*]*:", re.IGNORECASE)
_OBSERVATION = re.compile(r"\n[ \t*#]*observation(?:[ \t]\d+)?[ \t*]*:", re.IGNORECASE)


@dataclass
class React:
    """`steps` rounds of thought and action at most; `retries` per class of error."""

    steps: int = rounds_option(8)
    retries: int = retries_option()

    name = "react"
    bare = False

    @property
    def prompt_hash(self) -> str:
        """The prompt file's."""
        return digest("react")

    def turn(self, talk: Talk) -> Flow:
        """One request; ends with the final answer, at the step limit, or when the retries are spent."""
        messages = [Message("system", self.system_text(talk)), *reported(talk.messages, talk.tools)]
        budget = Retries(self.retries)
        for _ in range(self.steps):
            reply: Reply = yield Ask(tuple(messages), stop=STOP)
            said = _OBSERVATION.split(reply.text, maxsplit=1)[0]
            reading = read_step(said, talk.tools)
            results: tuple[CallResult, ...] = yield Act(reading.calls, reading)
            wrong = faults(results)
            observed = "; ".join(map(told, results))
            if not reading.calls:
                if reading.problem != "syntax" and said.strip():
                    yield Say(answer_of(said))
                    return
                wrong = [_unread(said, reading)]
                observed = f"Error: {wrong[0].text}. Write Action and Action Input, or Final Answer."
            if not budget.spend(wrong):
                yield Retries.gave_up(wrong)
                yield Say(f"Not done: {'; '.join(fault.text for fault in wrong)}")
                return
            messages += [Message("assistant", said), Message("user", f"Observation: {observed}")]
        yield Flag("step_limit", f"{self.steps} steps")

    def system_text(self, talk: Talk) -> str:
        """The given system text, and that of prompts/react.md with the tools."""
        return render("react", system=talk.system, tools=[(s, signature(s)) for s in talk.tools], world=talk.view())

    def resume(self, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, whole: bool) -> Record:
        """Each call as a step."""
        return StepsRecord(rounds)


def _unread(said: str, reading: Reading) -> RetryCause:
    if said.strip():
        return RetryCause(UNREADABLE, f"no action could be read: {reading.detail}")
    return RetryCause(EMPTY, "the reply was empty")


def answer_of(said: str) -> str:
    """The final answer, or all the words where none is marked."""
    answer = _ANSWER.search(said)
    return (answer["text"] if answer else said).strip()


def read_step(said: str, tools: Sequence[ToolSpec]) -> Reading:
    """The action of one step. An answer in words is no call; an action that cannot be read is a syntax problem."""
    said = unthought(said)[0]
    action = _ACTION.search(said)
    if action is None:
        if _ANSWER.search(said):
            return Reading((), said.strip(), problem="no_call")
        reading = read(said, tools)
        return replace(reading, leniencies=(*reading.leniencies, "as_text")) if reading.calls else reading
    thought, name = said[: action.start()].strip(), action["name"].strip(".")
    spec = next((tool for tool in tools if name in (tool.full_name, tool.name)), None)
    if spec is None:  # the toolbox says so, with the nearest names
        return Reading((Call(name),), thought)
    given = _INPUT.search(said, action.end())
    written = _NEXT.split(f"\n{given['input']}", maxsplit=1)[0].strip() if given else ""
    if not written:
        line = said[action.start("name") :].partition("\n")[0]
        inline = read(line, [spec])
        return replace(inline, rest=thought) if inline.calls else Reading((Call(spec.full_name),), thought)
    return _input(written, spec, thought)


def _input(written: str, spec: ToolSpec, thought: str) -> Reading:
    """The call with this input."""
    if not spec.properties or written in ("{}", "None", "null"):
        return Reading((Call(spec.full_name),), thought)
    reading = read_values(written, spec)
    if reading.calls:
        return replace(reading, calls=reading.calls[:1], rest=thought)
    if len(spec.properties) == 1 and written[:1] not in "{[":
        only = next(iter(spec.properties))
        return Reading((Call(spec.full_name, {only: written.strip("\"'`")}),), thought, ("plain_input",))
    detail = reading.detail or "the Action Input is no JSON object of the parameters"
    return Reading((), thought, reading.leniencies, "syntax", detail)
