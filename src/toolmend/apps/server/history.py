"""The messages of a request as a strategy sees a talk: what was said before, the request, the calls made for it so far.

The server keeps nothing: this mapping is all the state there is. Pure; knows no model and no strategy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from toolmend.apps.server.body import MessageBody, text_of
from toolmend.apps.server.client_tools import ClientTools
from toolmend.apps.server.refusals import invalid
from toolmend.base.messages import Call, CallResult, Message, ToolSpec
from toolmend.models.deltas import arguments_of
from toolmend.strategies.history import MAX_RESULT, reported
from toolmend.strategies.resuming import Round


@dataclass(frozen=True, slots=True)
class History:
    """`system` is the system text at the beginning, None if there is none; `messages` is what was said, the request
    last; `rounds` are the calls made for that request so far, oldest first."""

    system: str | None
    messages: tuple[Message, ...]
    rounds: tuple[Round, ...]

    @property
    def told(self) -> tuple[Message, ...]:
        """Everything as messages, the rounds too."""
        rounds = (Message("assistant", done.text, done.calls, results=done.results) for done in self.rounds)
        return (*self.messages, *rounds)


def read_history(messages: Sequence[MessageBody], tools: ClientTools) -> History:
    """The talk that the messages are. Raises ApiError (400) for calls without results and results without calls.

    What a client's tools answered is text from outside, and told to models as such (strategies/history.py).
    """
    lead = 0
    while lead < len(messages) and messages[lead].role in ("system", "developer"):
        lead += 1
    system = "\n\n".join(text_of(message.content, _at(place)) for place, message in enumerate(messages[:lead])) or None
    said = list(_told(messages, lead, tools))
    if not said:
        raise invalid("There is nothing to answer: 'messages' has system text only.", "messages")
    since = max((place + 1 for place, message in enumerate(said) if message.role == "user"), default=0)
    rounds = tuple(Round(message.content, message.calls, message.results) for message in said[since:] if message.calls)
    before = [*said[:since], *(message for message in said[since:] if not message.calls)]
    return History(system, tuple(before), rounds)


def lately(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> tuple[Message, ...]:
    """Words with what was done in brackets: briefly of earlier requests, and of this one all that a model is told."""
    since = max((place + 1 for place, message in enumerate(messages) if message.role == "user"), default=0)
    return (*reported(messages[:since], tools), *reported(messages[since:], tools, MAX_RESULT))


def untouched(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Messages whose results are told without marks, as they came: where the API has a role of its own for them, which
    models that call tools were trained to tell apart, and which the client chose."""
    return tuple(replace(message, results=tuple(map(unmarked, message.results))) for message in messages)


def unmarked(result: CallResult) -> CallResult:
    """A result that is told as it came."""
    return replace(result, foreign=False)


def _told(messages: Sequence[MessageBody], place: int, tools: ClientTools) -> Iterable[Message]:
    """The messages from a place on, each with calls together with its results."""
    while place < len(messages):
        message, where = messages[place], _at(place)
        place += 1
        if message.role == "tool":
            text = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
            raise invalid(f"Invalid parameter: {text}", f"messages[{place - 1}].role")
        if message.role != "assistant" or not message.tool_calls:
            role = "system" if message.role == "developer" else message.role
            yield Message(role, text_of(message.content, where))
            continue
        answers = place
        while answers < len(messages) and messages[answers].role == "tool":
            answers += 1
        yield _called(message, messages[place:answers], place, tools)
        place = answers


def _called(message: MessageBody, answers: Sequence[MessageBody], first: int, tools: ClientTools) -> Message:
    """An assistant message with calls, and the results of all of them."""
    calls = tuple(
        Call(tools.own(call.function.name), arguments_of(call.function.arguments), call.id)
        for call in message.tool_calls or ()
    )
    ids = {call.id for call in calls}
    if len(ids) != len(calls):
        raise invalid("Two calls of one message have the same id.", f"messages[{first - 1}].tool_calls")
    found: dict[str, str] = {}
    for place, answer in enumerate(answers, first):
        if answer.tool_call_id is None:
            param = f"messages[{place}].tool_call_id"
            raise invalid(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")
        if answer.tool_call_id not in ids:
            text = f"'tool_call_id' {answer.tool_call_id!r:.80} not found in 'tool_calls' of the previous message."
            raise invalid(f"Invalid parameter: {text}", f"messages[{place}].tool_call_id")
        found[answer.tool_call_id] = text_of(answer.content, _at(place))
    missing = [call.id for call in calls if call.id not in found]
    if missing:
        raise invalid(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(missing)[:300]}",
            f"messages[{first + len(answers)}].role",
        )
    results = tuple(CallResult(call.id, found[call.id], foreign=True) for call in calls)
    return Message("assistant", text_of(message.content, _at(first - 1)), calls, results=results)


def _at(place: int) -> str:
    return f"messages[{place}].content"
