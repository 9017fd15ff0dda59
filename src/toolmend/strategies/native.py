"""The model's own tool calling: the tools go along as JSON Schemas, calls come back as calls, results follow.

What the conventional way is measured by: the same rich schemas, history, coercion and retries as every other strategy.
Nothing is dropped in silence: a call that comes as text although tools were sent is read as one and recorded (leniency
`as_text`), as long as the model made no call properly in that turn; the model is told of a `tool_choice` not honoured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from toolmend.base.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading, read, read_native
from toolmend.reading.thoughts import words_of
from toolmend.strategies.history import MAX_RESULT, acted, exchange
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.resuming import Record, Round, RoundsRecord
from toolmend.strategies.retries import EMPTY, TOOL_CHOICE, UNREADABLE, Retries, RetryCause, faults, retries_option
from toolmend.strategies.shortlist import shortened, tools_option
from toolmend.strategies.strategy import Act, Ask, Flow, Talk


@dataclass
class Native:
    """Ask with tools, run what is called, tell the results, until the model answers in words.

    `retries` per class of error; `summary=False` ends the turn as soon as all calls of a reply took effect, without
    asking for words (which a server that is made to call tools, `tool_choice=required`, never gives); `tools` is
    how many are sent along, those that fit best (shortlist.py), 0 for all; `result` is how many characters of a tool's
    result are sent, 0 for all.
    """

    retries: int = retries_option()
    summary: bool = True
    tools: int = tools_option()
    result: int = field(default=MAX_RESULT, metadata={"least": 0, "most": 1_000_000})

    name = "native"
    bare = False
    calls_tools = True

    @property
    def prompt_hash(self) -> str:
        """The prompt file's."""
        return digest("native")

    def turn(self, talk: Talk) -> Flow:
        """One request, any number of rounds of calls."""
        talk = shortened(talk, self.tools)
        messages = [Message("system", self.system_text(talk)), *acted(talk.messages, talk.tools, self.result)]
        budget, done, properly = Retries(self.retries), list[Call](), False
        while True:
            reply: Reply = yield Ask(tuple(messages), tools=talk.tools)
            properly = properly or bool(reply.calls)
            reading = self._read(reply, talk.tools, done, properly)
            results: tuple[CallResult, ...] = yield Act(reading.calls, reading)
            if reading.calls:
                messages += exchange(reply.text if reply.calls else "", reading.calls, results, self.result)
                done += [call for call, result in zip(reading.calls, results, strict=True) if result.ok]
                wrong = faults(results)
                if not wrong and not self.summary:
                    return
            else:
                wrong = _complaints(reply, reading, bool(done))
                if not wrong:
                    return
                messages += [Message("assistant", reply.text), Message("user", f"Error: {wrong[0].text}")]
            if not budget.spend(wrong):
                yield Retries.gave_up(wrong)
                return

    def system_text(self, talk: Talk) -> str:
        """The given system text, or that of prompts/native.md; the world as it is at the end."""
        return render("native", system=talk.system, world=talk.view())

    def resume(self, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, whole: bool) -> Record:
        """The rounds, told again as they were."""
        return RoundsRecord(rounds)

    def _read(self, reply: Reply, tools: Sequence[ToolSpec], done: Sequence[Call], properly: bool) -> Reading:
        """Native calls, unless none was to be made; else, calls in the text that are not done yet."""
        words = Reading((), words_of(reply.text).strip(), problem="no_call")
        if any(line.startswith("tool_choice: none") for line in reply.unmet):
            return replace(words, detail=f"a call although tool_choice is none: {reply.calls[0].tool}")
        if reply.calls:
            return read_native(reply, tools)
        if properly:
            return words
        reading = read(reply.text, tools)
        if not reading.calls:
            return reading
        again = all(any((c.tool, c.arguments) == (d.tool, d.arguments) for d in done) for c in reading.calls)
        return words if again else replace(reading, leniencies=(*reading.leniencies, "as_text"))


def _complaints(reply: Reply, reading: Reading, done: bool) -> list[RetryCause]:
    """What is wrong with a reply without a call; nothing with an answer in words."""
    if reading.problem == "syntax":
        return [RetryCause(UNREADABLE, f"no call could be read: {reading.detail}. Make the call again.")]
    if done:
        return []
    if any(line.startswith("tool_choice: ") for line in reply.unmet):
        return [RetryCause(TOOL_CHOICE, "no tool may be called." if reply.calls else "a tool must be called.")]
    if not reply.text.strip():
        return [RetryCause(EMPTY, "the reply was empty. Call a tool, or answer in words.")]
    return []
