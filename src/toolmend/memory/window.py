"""Short-term memory: the end of a talk as it was said, within a budget of tokens, and what was before as a summary.

Tokens are estimated, without a tokenizer. A summary is made by rule, or by a model if one is given; it is never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolmend.errors import BadOption
from toolmend.knowledge.chunks import tokens_in
from toolmend.memory.marks import harmless
from toolmend.messages import Message, Request
from toolmend.models import Model
from toolmend.portal import run_sync

Summarise = Callable[[Sequence[Message]], str]
_HEAD = "Said earlier in this talk, shortened:"
_SIGNS = 160


class Window:
    """`tokens` for the whole: at least half of them for what was said last, word for word.

    The last exchange always stays, whatever it takes. Raises BadOption for a budget below 64.
    """

    def __init__(self, tokens: int = 2_000, summarise: Summarise | None = None) -> None:
        if tokens < 64:
            raise BadOption(f"a window of {tokens} tokens holds nothing; give at least 64")
        self.tokens, self._summarise = tokens, summarise or shortened

    def __call__(self, messages: Sequence[Message]) -> tuple[str, tuple[Message, ...]]:
        """The summary of what is left out, "" where nothing is, and the messages that stay."""
        whole = tuple(messages)
        if sum(map(cost, whole)) <= self.tokens:
            return "", whole
        start, used = len(whole), 0
        while start > 0 and (used + cost(whole[start - 1]) <= self.tokens // 2 or start > len(whole) - 2):
            start -= 1
            used += cost(whole[start])
        while start < len(whole) and whole[start].role != "user":  # an answer is not told without its question
            start += 1
        summary = self._summarise(whole[:start]) if start else ""
        return _cut(summary, max(self.tokens - used, self.tokens // 4)), whole[start:]


def cost(message: Message) -> int:
    """About how many tokens a message takes, its calls and results included."""
    done = sum(tokens_in(f"{call.tool} {call.arguments}") for call in message.calls)
    return 4 + tokens_in(message.content) + done


def shortened(messages: Sequence[Message]) -> str:
    """A line for each message, the beginning of it, and the calls that took effect."""
    lines = []
    for each in messages:
        if each.calls:
            done = [
                f"{call.tool}({', '.join(f'{name}={value!r}' for name, value in call.arguments.items())})"
                for call, result in zip(each.calls, each.results, strict=False)
                if result.ok
            ]
            lines += [f"- done: {harmless(line)}" for line in done]
        elif each.content.strip():
            words = harmless(each.content).strip()
            lines.append(f"- {each.role}: {words[:_SIGNS]}{'…' if len(words) > _SIGNS else ''}")
    return "\n".join([_HEAD, *lines])


def by_model(model: Model) -> Summarise:
    """A summary in a model's words. Raises ModelError without an answer."""
    task = "Sum up this talk in at most eight short lines: what was asked, what was done, what is open. Nothing else."

    def summarise(messages: Sequence[Message]) -> str:
        request = Request((Message("system", task), Message("user", shortened(messages))))
        return f"{_HEAD}\n{run_sync(model.reply, request).text.strip()}"

    return summarise


def _cut(summary: str, tokens: int) -> str:
    """The head and as many of the last lines as fit: what was said later counts more."""
    if not summary or tokens_in(summary) <= tokens:
        return summary
    head, *lines = summary.splitlines()
    kept: list[str] = []
    used = tokens_in(head)
    for each in reversed(lines):
        used += tokens_in(each)
        if used > tokens:
            break
        kept.append(each)
    return "\n".join([head, "- …", *reversed(kept)])
