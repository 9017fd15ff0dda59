"""From a run to what is learned: its mistakes with their corrections, and simulated dialogues so that nothing is lost.

    WORK/round-1/found      what `toolmend data build` finds in the run; test/ are the talks held out, never learned
    WORK/round-1/lessons    what is trained on; test/ stops the training and is of neither the talks held out

Where a request was never answered rightly, the suite's own reply stands for the last one. Knows no weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from toolmend import __version__
from toolmend.errors import BadOption
from toolmend.evals.suites.suite import Case, Step, Suite
from toolmend.reading import read_python
from toolmend.tools import Toolbox
from toolmend.training.datasets import folder as folders
from toolmend.training.datasets.build import DEV, SCHEMA, Recipe, build
from toolmend.training.datasets.curation import counts, in_test
from toolmend.training.datasets.lines import Chat, Line
from toolmend.training.datasets.making import Maker, said_wrong
from toolmend.training.datasets.phrasing import As, answered
from toolmend.training.datasets.reader import Data, load
from toolmend.training.datasets.sources import system_text
from toolmend.training.datasets.talks import Reply, Talk, Turn
from toolmend.training.improve.simulated import TOOLBOX, Simulated
from toolmend.training.tune.examples import LEAST, LEAST_HELD, NEEDED

STOP = 0.15  # share of the talks learned from that is set apart to stop the training by
STOP_SIMULATED = 0.1
Parts = dict[str, dict[str, list[Line]]]


@dataclass(frozen=True)
class Source:
    """What lessons are made of: a suite's run in a store. `hold` is the share of talks never learned from."""

    suite: Suite
    run: str
    store: str
    hold: float
    form: As


def find_lessons(source: Source, folder: Path) -> dict[str, Any]:
    """The data folder of the run; what its counts.json says. One that is there is left as it is."""
    if folders.is_data(folder):
        return folders.read_counts(folder)
    dev = (*DEV, source.suite.path)
    recipe = Recipe((source.run,), source.store, form=source.form, dev=dev, test_share=source.hold)
    cases = source.suite.cases()
    return build(recipe, folder, also=lambda talk, maker: taught(talk, maker, cases))


def compose(source: Source, found: Path, folder: Path, *, mix: float, method: str, start: int) -> dict[str, Any]:
    """Write what is trained on: the talks learned from, and simulated dialogues so that they are `mix` of it.

    Raises BadOption where that is too little to learn from. A folder that is there is left as it is.
    """
    if not folders.is_data(folder):
        made = _parts(load(found, "train"), mix, _simulated(source), start)
        told = {split: counts(part) for split, part in made.items()}
        about: dict[str, Any] = {"toolmend": folders.MARK, "schema": SCHEMA, "version": __version__, "run": source.run}
        about |= {"suite": source.suite.name, "mix": mix, "parts": told}
        folders.write(folder, made, about, _card(source, told, mix), force=False)
    written = folders.read_counts(folder)
    _enough(written["parts"], NEEDED[method], mix)
    return written


def check_mix(suite: Suite, mix: float) -> None:
    """Raise BadOption for a share that cannot be: the simulator knows one toolbox."""
    if mix and suite.tools != TOOLBOX:
        raise BadOption(f"--mix: simulated dialogues are about the {TOOLBOX}, '{suite.name}' is about {suite.tools}")


def taught(talk: Talk, maker: Maker, cases: Mapping[str, Case]) -> Iterator[Line]:
    """For every request that was never answered rightly: the suite's own reply, to the request and to the last words.

    Nothing where the suite does not write the right reply out (a question to be asked in words of one's own).
    """
    case = cases.get(talk.origin.case)
    for place, turn in enumerate(talk.turns):
        ended = all(later.step != turn.step for later in talk.turns[place + 1 :])
        if case is None or turn.step is None or turn.reply.right is not False or not ended:
            continue
        own = own_reply(case.steps[turn.step], turn, talk)
        if own is not None:
            yield from _taught(talk, maker, place, own)


def own_reply(step: Step, turn: Turn, talk: Talk) -> Reply | None:
    """The right reply as the suite has it, in place of a turn's; None where it only says what it must do."""
    calls = read_python(step.reference, talk.tools).calls if step.reference else ()
    if not calls and not step.words:
        return None
    named = tuple(replace(call, id=f"s{number}") for number, call in enumerate(calls, 1))
    return Reply(step.words, named, right=True, event=turn.reply.event, spoken=False)


def _taught(talk: Talk, maker: Maker, place: int, own: Reply) -> Iterator[Line]:
    chain = [turn for turn in talk.turns[: place + 1] if turn.step == talk.turns[place].step]
    first, last = chain[0], chain[-1]
    source = {**maker.source(talk, [last.reply]), "own": True}
    for turn in {each.number: each for each in (first, last)}.values():
        prompt, head = maker.asked(talk, turn), maker.head(talk, f"own {turn.number}", [last.reply])
        yield Chat(*head, (*prompt, answered(own, talk.tools, maker.form)), source)
    after = [*chain[1:], replace(last, user="", correction=None)]  # nobody said what is wrong with the last one
    wrongs = [said_wrong(turn.reply, later, talk) for turn, later in zip(chain, after, strict=True)]
    prompt = maker.asked(talk, first)
    yield maker.pair(talk, prompt, own, last.reply, wrongs[-1], "own")
    yield maker.hindsight(talk, prompt, [*(turn.reply for turn in chain), own], wrongs, "own")


def _simulated(source: Source) -> Simulated:
    box = Toolbox.load(source.suite.tools)
    return Simulated(system_text(source.form, box, source.suite.system), source.form)


def _parts(found: Data, mix: float, simulated: Simulated, start: int) -> Parts:
    """Both parts by kind; `start` is the number of the first simulated dialogue."""
    kinds: Mapping[str, Sequence[Line]] = {"chat": found.chat, "pairs": found.pairs, "hindsight": found.hindsight}
    made: Parts = {"train": {}, "test": {}}
    for kind, lines in kinds.items():
        stop = [line for line in lines if _stops(line)]
        learn = [line for line in lines if not _stops(line)]
        more = round(len(learn) * mix / (1 - mix))
        fewer = max(2 * LEAST_HELD, round(more * STOP_SIMULATED)) if mix else 0
        made["train"][kind] = [*learn, *_more(simulated, kind, start, more, held_out=False)]
        made["test"][kind] = [*stop, *_more(simulated, kind, start, fewer, held_out=True)]
    return made


def _more(simulated: Simulated, kind: str, start: int, count: int, *, held_out: bool) -> list[Line]:
    if kind == "chat":
        return [*simulated.chats(start, count, held_out=held_out)]
    both = list(simulated.complaints(start, count, held_out=held_out))
    return [pair if kind == "pairs" else hindsight for pair, hindsight in both]


def _stops(line: Line) -> bool:
    """Whether a line's talk is one of those that stop the training."""
    return in_test(Chat("", (), (), {"talk": f"stop {line.source.get('talk')}"}), STOP)


def _enough(parts: Mapping[str, Mapping[str, int]], kind: str, mix: float) -> None:
    for split, least in (("train", LEAST), ("test", LEAST_HELD)):
        if (there := parts[split][kind]) < least:
            ways = f"a larger --mix than {mix:g}, or more --attempts"
            what = "to learn from" if split == "train" else "to stop the training by"
            raise BadOption(f"too few lessons: {there} {kind} {what}, at least {least} are needed; try {ways}")


def _card(source: Source, told: Mapping[str, Mapping[str, int]], mix: float) -> str:
    rows = "\n".join(
        f"| {split} | {' | '.join(f'{count:,}' for count in each.values())} |" for split, each in told.items()
    )
    return f"""# Lessons of run {source.run} on `{source.suite.name}`

Made by `toolmend improve`: the run's mistakes with their corrections, and {mix:.0%} simulated dialogues. Where a
request was never answered rightly, the suite's own reply stands for the last one (`"own": true`). {source.hold:.0%} of
the talks are held out and in neither part; `test/` only stops the training.

| | {" | ".join(next(iter(told.values())))} |
|---|---:|---:|---:|
{rows}
"""
