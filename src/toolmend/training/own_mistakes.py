"""The mistakes a model really makes in simulated talks, complained about and mended: lessons for its next stage.

A slip of slips.py is one that this model may never make, so whoever learns from slips alone can write the right reply
without reading the complaint, and repeats its own mistakes whatever it is told. Here the wrong reply is the model's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import date, time
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random

from threadpoolctl import threadpool_limits

from toolmend.grading import Expected, ExpectedCall, grade
from toolmend.messages import ToolSpec
from toolmend.mistakes import Kind
from toolmend.models.builtin.engine import Cache, Engine
from toolmend.models.builtin.preset import Preset
from toolmend.models.builtin.tokens import END, Tokens
from toolmend.reading import read_python
from toolmend.tools import Toolbox
from toolmend.training.corpus import Source, encode_dialogue
from toolmend.training.meaning import Entry, Exchange, Meant
from toolmend.training.phrases import Phrases
from toolmend.training.simulate import LEVEL_WEIGHTS, LEVELS, simulate
from toolmend.training.slips import Slip, complaint

Wrong = Mapping[int, str]
"""By place in a dialogue: what the model said instead of the right reply."""

_SHARE = 0.8  # of the mistakes in a dialogue
_TOPICS = {
    Kind.NO_CALL: "no call",
    Kind.MISSING_CALL: "no call",
    Kind.CHATTER: "chatter",
    Kind.SYNTAX: "syntax",
    Kind.UNKNOWN_TOOL: "api",
    Kind.WRONG_TOOL: "api",
    Kind.EXTRA_CALL: "extra call",
    Kind.REPEATED_CALL: "extra call",
    Kind.UNWANTED_CALL: "extra call",
    Kind.MISSING_ARGUMENT: "missing",
    Kind.UNKNOWN_ARGUMENT: "extra argument",
}
_LONGEST = 100  # tokens of a reply
_WIDEST = 900  # tokens of a dialogue
_AT_ONCE = 32


def mistakes(engine: Engine, tokens: Tokens, exchanges: Sequence[Exchange]) -> Wrong:
    """What the model says, greedily, wherever that is not the right reply; history as it should have been.

    A reply that does not end soon is left out.
    """
    ids, _, spans = encode_dialogue(exchanges, tokens)
    if not spans or len(ids) > _WIDEST:
        return {}
    held = Cache(engine.sizes, len(ids) + _LONGEST)
    likeliest = engine.logits(ids, held, every=True).argmax(-1).tolist()
    places = [place for place, exchange in enumerate(exchanges) if exchange.gold]
    found: dict[int, str] = {}
    for place, (start, end, _) in reversed([*zip(places, spans, strict=True)]):  # so that the cache holds the prompt
        if likeliest[start - 1 : end - 1] != ids[start:end]:
            said = _said(engine, held, ids[:start], _LONGEST)
            if said is not None:
                found[place] = tokens.decode(said)
    return found


def _said(engine: Engine, held: Cache, prompt: list[int], most: int) -> list[int] | None:
    """The greedy reply; None where it has not ended after so many tokens."""
    made: list[int] = []
    for _ in range(most):
        token = int(engine.logits([*prompt, *made], held).argmax())
        if token == END:
            return made
        made.append(token)
    return None


def search(preset: Path, numbers: Sequence[int], kept: Path, processes: int = 0) -> dict[int, Wrong]:
    """The mistakes of a preset in the simulated dialogues of these numbers, where it makes any.

    They are written to `kept`, and read from there if they are. `processes` 0 means all cores.
    """
    if not kept.exists():
        with ProcessPoolExecutor(processes or os.cpu_count(), get_context("spawn")) as pool:
            found = pool.map(partial(_looked, preset), numbers, chunksize=_AT_ONCE)
            made = {number: wrong for number, wrong in zip(numbers, found, strict=True) if wrong}
        partial_file = kept.with_suffix(".part")
        partial_file.write_text(json.dumps(made), encoding="utf-8")
        partial_file.replace(kept)
    read = json.loads(kept.read_text(encoding="utf-8"))
    return {int(number): {int(place): said for place, said in wrong.items()} for number, wrong in read.items()}


def _looked(preset: Path, number: int) -> Wrong:
    return mistakes(*_model(preset), simulate(number))


@cache
def _model(preset: Path) -> tuple[Engine, Tokens]:
    threadpool_limits(1, "blas")  # the processes share the cores
    return Preset.read(preset).load()


def lessons(source: Source, found: Mapping[int, Wrong], share: float) -> Source:
    """The source with so large a share of dialogues in which a model makes the mistakes found, and is corrected."""
    numbers, complaints = [*found], Phrases("complaints.txt", 0.0)

    def dialogue(number: int, held_out: bool) -> Sequence[Exchange]:
        random = Random(f"own {number}")
        if held_out or not numbers or random.random() >= share:
            return source.dialogue(number, held_out)
        chosen = random.choice(numbers)
        return complained(simulate(chosen), found[chosen], random, complaints)

    return replace(source, dialogue=dialogue)


def complained(exchanges: Sequence[Exchange], wrong: Wrong, random: Random, complaints: Phrases) -> list[Exchange]:
    """The dialogue with these wrong replies in it, most of them, each complained about and then mended."""
    made: list[Exchange] = []
    for place, exchange in enumerate(exchanges):
        meant = meant_by(exchange.reply) if place in wrong else None
        topic = meant and topic_of(wrong[place], meant, random)
        if not (meant and topic) or random.random() > _SHARE:
            made.append(exchange)
            continue
        level = random.choices(LEVELS, LEVEL_WEIGHTS)[0]
        said = complaint(Slip(wrong[place], *topic), level, meant, random, complaints)
        made.append(Exchange(exchange.user, wrong[place], False, exchange.op))
        made.append(Exchange(said, exchange.reply, True, f"fix {level} {topic[0]}"))
    return made


def meant_by(reply: str) -> Meant | None:
    """What the person had in mind to whom this is the right reply; None where it is not one call."""
    calls = read_python(reply, _tools()).calls
    if len(calls) != 1 or reply.count("\n"):
        return None
    given = [*calls[0].arguments.values()]
    entry = Entry(given[0], date.fromisoformat(given[1]), time.fromisoformat(given[2]), *given[3:])
    return Meant(entry, remove="remove" in calls[0].tool)


def topic_of(said: str, meant: Meant, random: Random) -> tuple[str, str] | None:
    """The section of complaints.txt about what was said, and the argument; None where it was right after all."""
    due = read_python(str(meant), _tools()).calls[0]
    mistakes = grade(said, Expected((ExpectedCall(due.tool, due.arguments),)), _tools()).mistakes
    if not mistakes:
        return None
    if meant.remove and sum(mistake.kind is Kind.WRONG_VALUE for mistake in mistakes) > 1:
        return "which", ""
    mistake = random.choice(mistakes)
    name = mistake.argument or ""
    if mistake.kind is Kind.WRONG_VALUE:
        same_day = name == "date" and str(mistake.got)[4:] == str(mistake.expected)[4:]
        return "year" if same_day else name, name
    if mistake.kind in (Kind.WRONG_FORMAT, Kind.WRONG_TYPE):
        return (name if name == "title" else f"{name} format"), name
    return _TOPICS[mistake.kind], name


@cache
def _tools() -> tuple[ToolSpec, ...]:
    return Toolbox.load("calendar").specs
