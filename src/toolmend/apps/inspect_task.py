"""The door from Inspect AI: a suite's experiment as a Task. Inspect brings models, limits and logs; toolmend plays.

Called by the files that `toolmend export suite` writes, whose heads say what is equal to `toolmend run`. Needs
inspect-ai, which is no dependency of toolmend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import json_dataset
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver

from toolmend.errors import ModelError
from toolmend.evals.inspect_ai.sample import STORED, explained, scores_of
from toolmend.evals.running.plan import DEFAULT_TEMPERATURE
from toolmend.evals.running.play import play
from toolmend.evals.suites.suite import load_suite, select
from toolmend.events import Sink, from_json, to_json
from toolmend.messages import Finish, Message, Options, Reply, Request, Usage
from toolmend.models import Abilities, OnDelta
from toolmend.session import Session
from toolmend.store import Sample

_MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


class Asked:
    """The model that Inspect is evaluating, as toolmend asks models; keeps the last output for Inspect."""

    def __init__(self) -> None:
        self._model = get_model()
        self.name, self.abilities = str(self._model), Abilities()
        self.output = ModelOutput()

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """One reply. Raises ModelError for a strategy that offers the model tools of its own."""
        if request.tools:
            raise ModelError("strategies that offer tools natively are not played in Inspect; use one that reads text")
        options = request.options
        config = GenerateConfig(
            temperature=options.temperature,
            seed=options.seed,
            max_tokens=options.max_tokens,
            stop_seqs=list(options.stop) or None,
        )
        self.output = await self._model.generate(_messages(request.messages), config=config)
        if not self.output.choices:
            raise ModelError(self.output.error or "the model gave no answer")
        return _reply(self.output, self.name)


def suite_task(
    file: Path, experiment: str, strategy: str = "oneline", temperature: float | None = None, tools: str | None = None
) -> Task:
    """The task of one experiment of a suite; the dataset is the .jsonl beside the file.

    Without a temperature it is toolmend's: 0 for one attempt, else 0.7. `tools` is another toolbox than its own.
    """
    suite = select(load_suite(str(file), tools), [experiment])
    (way,) = suite.experiments
    heat = temperature if temperature is not None else DEFAULT_TEMPERATURE if way.attempts > 1 else 0.0
    dataset = json_dataset(str(file.with_suffix(".jsonl")), name=suite.name)
    return Task(
        dataset=dataset.filter(lambda sample: sample.metadata["experiment"] == experiment),
        solver=dialogue(str(file), experiment, strategy, heat, tools),
        scorer=[first_right(), fix_at_1(), done()],
        epochs=way.attempts if heat else 1,
        metadata={"suite": suite.name, "suite_hash": suite.hash, "experiment": experiment, "strategy": strategy},
    )


@solver  # type: ignore[untyped-decorator]
def dialogue(file: str, experiment: str, strategy: str, temperature: float, tools: str | None = None) -> Any:
    """A solver that plays the case of a sample as toolmend does: every step, and the corrections where it is wrong."""
    suite = select(load_suite(file, tools), [experiment])
    way = replace(suite.experiments[0], branches=())
    cases = suite.cases()

    async def solve(state: Any, _generate: Any) -> Any:
        model, options = Asked(), Options(temperature=temperature, seed=state.epoch)
        sessions: list[Session] = []

        def make(sink: Sink) -> Session:
            box = suite.toolbox(cases[state.sample_id])
            sessions.append(Session(model, box, strategy, system=suite.system, options=options, sink=sink, mend=False))
            return sessions[-1]

        events = await play(make, cases[state.sample_id], way, state.epoch, suite.reminder(model.name))
        state.messages = _messages(sessions[0].messages)
        state.output = model.output
        state.store.set(STORED, [to_json(event) for event in events])
        return state

    return solve


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]
def first_right() -> Any:
    """The share of requests that were right at once."""
    return _scoring("first_right")


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]
def fix_at_1() -> Any:
    """The share of mistakes that were gone after one correction."""
    return _scoring("fix_at_1")


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]
def done() -> Any:
    """Whether everything was right in the end."""
    return _scoring("done")


def _scoring(name: str) -> Any:
    """Reads what toolmend graded while it played; not a number (unscored) where there was no occasion."""

    async def score(state: Any, _target: Any) -> Any:
        events = tuple(from_json(event) for event in state.store.get(STORED, []))
        sample = Sample(str(state.sample_id), str(state.model), "", state.epoch - 1, events=events)
        value = scores_of(sample).get(name, float("nan"))
        return Score(value=value, answer=state.output.completion, explanation=explained(sample))

    return score


def _messages(messages: Sequence[Message]) -> list[ChatMessage]:
    return [_MESSAGES[each.role](content=each.content) for each in messages]


def _reply(output: ModelOutput, name: str) -> Reply:
    usage = output.usage
    read, written = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
    text = str(output.completion)
    finish: Finish = "empty" if not text and written else "stop"
    if output.stop_reason in ("max_tokens", "model_length"):
        finish = "length"
    return Reply(text, usage=Usage(read, written, output.time or 0.0), finish=finish, model=name)
