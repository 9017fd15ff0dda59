"""What strategies read: input tokens of whole turns, replies given by scripted/oracle, by one stated way of counting.

A request is counted as it goes over the wire: the tools as JSON, then the messages. A token is a piece of GPT-2's
pre-tokenizer (a word, a number, a run of signs; from the library tokenizers), so that no model's vocabulary decides.
With prefix caching only what follows the longest beginning shared with an earlier request of the run counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import median
from typing import Any

from toolmend.base.events import Sink
from toolmend.base.messages import Reply, Request
from toolmend.base.portal import run_sync
from toolmend.evals.running.play import play
from toolmend.evals.suites.oracle import Oracle
from toolmend.evals.suites.suite import Case, Experiment, Suite
from toolmend.models.model import Model, OnDelta
from toolmend.models.openai_messages import as_is, messages_of, names_of, tools_of
from toolmend.session import Session
from toolmend.strategies import Strategy, load_strategy, roles_of

TOKENIZER = "pieces of GPT-2's pre-tokenizer (words, numbers, runs of signs)"


@dataclass(frozen=True, slots=True)
class Read:
    """What one turn read: the case, how many calls it made, requests, input tokens, and those not cached."""

    case: str
    calls: int
    requests: int
    tokens: int
    fresh: int


def measured(suite: Suite, strategy: str) -> list[Read]:
    """Every first turn of a suite's cases, played by the oracle, rounds as run."""
    return run_sync(_measured, suite, strategy)


def ratio(some: Sequence[Read], others: Sequence[Read], of: Callable[[Read], int]) -> float:
    """The median over the requests of what the one read for each as a share of what the other read."""
    return median(of(one) / of(other) for one, other in zip(some, others, strict=True))


def written(request: Request) -> str:
    """A request as text: tools first, as servers put them, then the messages."""
    names = names_of(request.messages, request.tools)
    tools = tools_of(request.tools, names, as_is)
    said: list[Any] = [*tools, *messages_of(request.messages, names)]
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in said)


def tokens(text: str) -> int:
    """How many pieces."""
    return len(_splitter().pre_tokenize_str(text))


@cache
def _splitter() -> Any:
    from tokenizers.pre_tokenizers import ByteLevel

    return ByteLevel(add_prefix_space=False)


@dataclass
class _Listening:
    """A model that writes down what it is asked."""

    inner: Model
    heard: list[str]

    def __post_init__(self) -> None:
        self.name, self.abilities = self.inner.name, self.inner.abilities

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The other model's reply."""
        self.heard.append(written(request))
        return await self.inner.reply(request, on_delta=on_delta)


async def _measured(suite: Suite, strategy: str) -> list[Read]:
    way, earlier = load_strategy(strategy), list[str]()
    cases = [(experiment, case) for experiment in suite.experiments for case in experiment.cases]
    return [await _turn(suite, way, experiment, case, earlier) for experiment, case in cases]


async def _turn(suite: Suite, way: Strategy, experiment: Experiment, case: Case, earlier: list[str]) -> Read:
    """The first turn of a case."""
    box, heard, made = suite.toolbox(case), list[str](), list[Session]()
    oracle = Oracle(case, box.specs)
    roles = {role: _Listening(each, heard) for role, each in oracle.roles(roles_of(way)).items()}

    def session(sink: Sink) -> Session:
        made.append(
            Session(_Listening(oracle, heard), box, way, system=suite.system, roles=roles, sink=sink, mend=False)
        )
        return made[-1]

    await play(session, replace(case, steps=case.steps[:1]), _once(experiment), 1)
    return _read(case.id, len(made[0].answers[0].standing), heard, earlier)


def _once(experiment: Experiment) -> Experiment:
    return replace(experiment, corrections=0, branches=(), history="own")


def _read(case: str, calls: int, heard: Sequence[str], earlier: list[str]) -> Read:
    fresh = 0
    for text in heard:
        shared = max((_shared(text, before) for before in earlier), default=0)
        fresh += tokens(text[shared:])
        earlier.append(text)
    return Read(case, calls, len(heard), sum(map(tokens, heard)), fresh)


def _shared(one: str, other: str) -> int:
    """With how many characters both begin, found by halving."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least
