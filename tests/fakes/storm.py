"""A storm: many samples of one small suite, through both adapters, streamed and whole, while every chat meets faults.

Then the same run again without faults, which must heal it. Counts what came of it; benchmarks and tests judge.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fakes.exchange import Received
from fakes.faults import mixture
from fakes.serving import FakeServer
from toolmend.base.errors import ModelError
from toolmend.base.http import Retry
from toolmend.base.messages import Call, Reply, Request, Usage
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import read_suite
from toolmend.models.model import OnDelta
from toolmend.models.ollama import Ollama
from toolmend.models.openai_compat import OpenAICompatible

SUITE = """\
suite: storm
tools: calendar
experiments:
  main:
    cases: [lunch]
    corrections: 0
    branches: []
cases:
  lunch:
    - steps:
        - say: Lunch on 3 May 2024 at noon
          expect: action.add_calendar_entry("Lunch", "2024-05-03", "12:00")
"""
RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'
# As text and as two native calls, so that faults in calls have something to spoil.
ANSWER = Reply(RIGHT, (Call("look", {"at": "Zoë"}), Call("wait", {"for": "me"})), usage=Usage(40, 4))
KEY = "storm-0123456789abcdef"  # like no maker's: only that it is known keeps it hidden


@dataclass
class Tally:
    """What a storm left."""

    samples: int = 0
    chats: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    uncaught: list[str] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    leaks: int = 0
    asked_again: int = 0
    healed: int = 0
    broken: int = 0


class Watched:
    """A model that is watched: what it raises beside ModelError is kept, and what its replies finish with."""

    def __init__(self, model: OpenAICompatible | Ollama, tally: Tally) -> None:
        self.name, self.abilities, self.options = model.name, model.abilities, model.options
        self._model, self._tally = model, tally

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The model's reply."""
        try:
            reply = await self._model.reply(request, on_delta=on_delta)
        except ModelError as error:
            self._tally.outcomes["error, retryable" if error.retryable else "error, for good"] += 1
            self._tally.leaks += KEY in str(error)
            raise
        except Exception as error:
            self._tally.uncaught.append(f"{self.name}: {type(error).__name__}: {error}")
            raise
        self._tally.outcomes[f"reply, {reply.finish}"] += 1
        self._tally.leaks += KEY in repr(reply)
        return reply


async def at_once(seconds: float) -> None:
    """A pause between attempts that takes no time."""


def models(server: FakeServer, tally: Tally, key_env: str, silence: float) -> list[Watched]:
    """Both adapters, each streamed and whole."""
    made = []
    for kind, path in ((OpenAICompatible, "/v1"), (Ollama, "")):
        for stream in (True, False):
            model = kind(
                "fake",
                name=f"{kind.family}/{'stream' if stream else 'whole'}",
                base_url=server.url + path,
                key_env=key_env,
                stream=stream,
                concurrency=None,
                silence=silence,
                timeout=60,
                retry=Retry(sleep=at_once),
            )
            made.append(Watched(model, tally))
    return made


async def storm(
    samples: int, folder: Path, *, key_env: str, seed: int = 1, silence: float = 0.5, names: Sequence[str] = ()
) -> Tally:
    """Play `samples` samples (a multiple of 4) amid faults into a new store, then heal them; `key_env` holds KEY."""
    tally, raging = Tally(), True
    choose = mixture(seed, names=names) if names else mixture(seed)

    def faults(received: Received) -> Sequence[str]:
        return choose(received) if raging else ()

    def loose(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        tally.uncaught.append(f"event loop: {context.get('message')}: {context.get('exception')!r}")

    asyncio.get_running_loop().set_exception_handler(loose)
    path = folder / "storm.yaml"
    path.write_text(SUITE, encoding="utf-8")
    async with FakeServer([ANSWER], faults) as server:
        with Store(folder / "storm.db") as store:
            plan = plan_of(path, models(server, tally, key_env, silence), samples)
            first = await run(plan, store, concurrency=32)
            tally.chats = len(server.chats)
            for names in server.met:
                tally.faults.update(names)
            weigh(tally, plan, store, first.id)
            failed = store.counts(first.id)["error"]
            amid = tally.outcomes.copy()
            raging = False
            # Now nobody is silent on purpose: a slow machine gets the time it needs.
            second = await run(plan_of(path, models(server, tally, key_env, 60), samples), store, concurrency=32)
            asked = (tally.outcomes - amid).total()
            tally.outcomes = amid
            tally.healed = failed - store.counts(second.id)["error"]
            tally.broken = store.counts(second.id)["error"] + (second.id != first.id)
            tally.asked_again = asked - failed
    return tally


def plan_of(suite: Path, models: Sequence[Watched], samples: int) -> Plan:
    """The same plan each time, whatever patience its models have."""
    return Plan.make(read_suite(suite), models, ["oneline"], attempts=samples // 4)


def weigh(tally: Tally, plan: Plan, store: Store, run_id: str) -> None:
    """Compare what is in the store with what was planned."""
    planned = {sample.key for sample in plan.samples()}
    kept = Counter(sample.key for sample in store.samples(run_id))
    tally.samples = len(planned)
    tally.lost = len(planned - set(kept))
    tally.doubled = sum(count - 1 for count in kept.values()) + len(set(kept) - planned)
    for sample in store.samples(run_id):
        tally.outcomes[f"sample {sample.status}"] += 1
        # What the runner says of an exception that is no error of toolmend's begins with its class.
        if sample.status == "error" and not sample.detail.startswith(sample.model):
            tally.uncaught.append(f"sample: {sample.detail}")
