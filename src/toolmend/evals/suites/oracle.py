"""scripted/oracle: answers every step of a suite with its reference, in the way that the strategy asks for.

Its calls are texts, read by the same readers and run by the same world as those of any model: Python lines for
`oneline`, native calls where tools were sent, names and values for the roles of `freyr`, actions for `react`. The
runner tells it the suite's right replies, and it looks at each request for which of them is due. Knows no world.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from toolmend.base.messages import Call, Message, Reply, Request, ToolSpec, Usage
from toolmend.evals.suites.suite import Case, Step
from toolmend.models.model import Abilities, OnDelta
from toolmend.reading import read_python
from toolmend.reading.intents import TALK

NAME = "scripted/oracle"
DONE, QUESTION, REFUSAL = "That is done.", "Which one do you mean?", "That cannot be done here, so nothing was changed."
_REACT, _PAPERS_TALK = "Action Input:", "conversation"


@dataclass
class _Place:
    """Where a conversation is: the step, and how many of its calls have been given one by one."""

    step: int = 0
    given: int = 0


@dataclass(frozen=True)
class Oracle:
    """The right replies of one case, for the role that a strategy asks in."""

    case: Case
    specs: tuple[ToolSpec, ...]
    role: str = "main"
    place: _Place = field(default_factory=_Place)

    name = NAME
    abilities = Abilities(native_tools=True)

    def roles(self, names: Sequence[str]) -> dict[str, Oracle]:
        """The same, as a model for each role of a strategy that asks in several."""
        return {role: Oracle(self.case, self.specs, role, self.place) for role in names}

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """What is right for the step that this request belongs to."""
        begun = self._find(request.messages)
        step = self.case.steps[self.place.step]
        calls = read_python(step.reference, self.specs).calls
        text, native = self._answer(request, step, calls, request.messages[begun + 1 :])
        if on_delta and text:
            on_delta(text)
        words = sum(len(message.content.split()) for message in request.messages)
        return Reply(text, native, usage=Usage(words, len(text.split())), model=NAME)

    def _find(self, messages: Sequence[Message]) -> int:
        """Set the step by the last message that is one of the requests; where that stands. Equal ones are counted."""
        says = [step.say for step in self.case.steps]
        asked = [
            (place, said)
            for place, message in enumerate(messages)
            if message.role == "user"
            and (said := max((say for say in says if say in message.content), key=len, default=None))
        ]
        if not asked:
            return len(messages) - 1
        place, said = asked[-1]
        same = [number for number, say in enumerate(says) if say == said]
        if len(same) == 1 or self.role != "summary":  # a summary is asked for without what was said before
            number = same[min(sum(say == said for _, say in asked), len(same)) - 1]
            if number != self.place.step or self.role in ("main", "intent"):
                self.place.step, self.place.given = number, 0
        return place

    def _answer(
        self, request: Request, step: Step, calls: tuple[Call, ...], since: Sequence[Message]
    ) -> tuple[str, tuple[Call, ...]]:
        words = right_words(step)
        if self.role == "intent":
            talk = _PAPERS_TALK if any(f"{_PAPERS_TALK} (msg)" in said.content for said in request.messages) else TALK
            return ", ".join(call.tool for call in calls) or talk, ()
        if self.role == "params":
            call = calls[min(self.place.given, len(calls) - 1)]
            self.place.given += 1
            return "\n".join(f"- {name}: {value}" for name, value in call.arguments.items()), ()
        if self.role in ("summary", "chat"):
            return words, ()
        if request.tools:
            return (words, ()) if since or not calls else ("", calls)
        if any(_REACT in message.content for message in request.messages):
            return _step_of_react(calls, sum(message.role == "assistant" for message in since), words), ()
        return right_reply(step), ()


def right_words(step: Step) -> str:
    """What is right to say beside the calls of a step, or instead of them."""
    if step.words or step.expected.asks:
        return step.words or QUESTION
    return REFUSAL if step.world and step.world.wordy and not step.reference else DONE


def right_reply(step: Step) -> str:
    """A whole right reply as text: the calls, one a line, and words where they are due."""
    words = "" if step.reference and not step.words else right_words(step)
    return "\n".join(part for part in (step.reference, words) if part)


def _step_of_react(calls: Sequence[Call], done: int, words: str) -> str:
    if done >= len(calls):
        return f"Thought: nothing is left to do\nFinal Answer: {words}"
    call = calls[done]
    return f"Thought: this is next\nAction: {call.tool}\nAction Input: {json.dumps(dict(call.arguments))}"
