"""ReAct: thought, action, observation, over and over until an answer (Yao et al. 2023, arXiv 2210.03629, section 2).

Works with any model that reads text. An action is a tool's name, its input a JSON object on the following lines; what
small models write instead (a call in one line, a fenced object, a tag) is read too, and recorded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolmend.messages import Call, Message, Reply, ToolSpec
from toolmend.reading import Reading, read
from toolmend.strategies.history import reported, told
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.retries import DEFAULT_RETRIES, UNREADABLE, Retries, failed
from toolmend.strategies.signature import signature
from toolmend.strategies.strategy import Act, Ask, Flag, Flow, Say, Talk

STOP = ("\nObservation:",)
_ACTION = re.compile(r"^[ \t*]*action[ \t*]*:[ \t*`\"']*(?P<name>[\w.-]+)", re.IGNORECASE | re.MULTILINE)
_INPUT = re.compile(r"^[ \t*]*action[ _]input[ \t*]*:(?P<input>.*)\Z", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_ANSWER = re.compile(r"^[ \t*]*final answer[ \t*]*:(?P<text>.*)\Z", re.IGNORECASE | re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class React:
    """`steps` rounds of thought and action at most; `retries` per class of error."""

    steps: int = 8
    retries: int = DEFAULT_RETRIES

    name = "react"
    bare = False

    @property
    def prompt_hash(self) -> str:
        """The prompt file's."""
        return digest("react")

    def turn(self, talk: Talk) -> Flow:
        """One request; ends with the final answer, at the step limit, or when the retries are spent."""
        messages = [Message("system", self.system_text(talk)), *reported(talk.messages)]
        budget = Retries(self.retries)
        for _ in range(self.steps):
            reply = yield Ask(tuple(messages), stop=STOP)
            assert isinstance(reply, Reply)
            said = until_observation(reply.text)
            reading = read_step(said, talk.tools)
            if not reading.calls:
                answer = _ANSWER.search(said)
                if answer or reading.problem != "syntax" or not budget.spend(UNREADABLE):
                    yield Say(answer["text"].strip() if answer else said.strip())
                    return
                observed = f"Nothing was done: {reading.detail}. Write Action and Action Input again."
            else:
                results = yield Act(reading.calls, reading)
                assert isinstance(results, tuple)
                wrong = failed(reading.calls, results)  # type: ignore[arg-type]
                if not budget.spend(*(result.fault for _, result in wrong)):
                    return
                observed = "; ".join(told(result) for result in results)  # type: ignore[arg-type]
            messages += [Message("assistant", said), Message("user", f"Observation: {observed}")]
        yield Flag("step_limit", f"{self.steps} steps")

    def system_text(self, talk: Talk) -> str:
        """The given system text and prompts/react.md with the tools."""
        return render("react", system=talk.system, tools=[(s, signature(s)) for s in talk.tools], world=talk.view())


def until_observation(text: str) -> str:
    """A reply without the observations that the model made up itself."""
    return re.split(r"\n[ \t*]*observation[ \t*]*:", text, maxsplit=1, flags=re.IGNORECASE)[0]


def read_step(text: str, tools: Sequence[ToolSpec]) -> Reading:
    """The action of one step. An answer in words is no call; an action that cannot be read is a syntax problem."""
    action = _ACTION.search(text)
    if action is None:
        if _ANSWER.search(text):
            return Reading((), text.strip(), problem="no_call")
        reading = read(text, tools)
        return replace(reading, leniencies=(*reading.leniencies, "as_text")) if reading.calls else reading
    thought = text[: action.start()].strip()
    given = _INPUT.search(text, action.end())
    spec = next((each for each in tools if action["name"] in (each.full_name, each.name)), None)
    name = spec.full_name if spec else action["name"]
    written = given["input"].strip() if given else ""
    if not written or written in ("{}", "None", "null"):
        inline = read(text[action.start() :].partition(":")[2], tools)
        return inline if inline.calls else Reading((Call(name, {}),), thought)
    wrapped = read(f'{{"name": "{name}", "arguments": {_bare(written)}}}', tools, "json")
    if len(wrapped.calls) == 1 and wrapped.problem is None:
        return replace(wrapped, rest=thought)
    inner = read(written, [spec] if spec else tools)
    if inner.calls:
        return replace(inner, rest=thought, leniencies=(*inner.leniencies, "as_text"))
    return Reading((), thought, problem="syntax", detail="the action input is no JSON object")


def _bare(written: str) -> str:
    """An input without its fence."""
    fence = re.fullmatch(r"```\w*\s*(.*?)\s*```.*", written, re.DOTALL)
    return fence[1] if fence else written
