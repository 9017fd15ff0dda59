"""A run as a file of JSON Lines, to be committed beside the code that it guards: `toolmend gate --save FILE.jsonl`.

    {"toolmend": "run", "schema": 1, "id": …, "created": …, "config": {…}}     the first line
    {"case": …, "model": …, "attempt": 0, …, "events": […]}                     a line for each sample

Also finds what RUN means on a command line: such a file, or a run of a store.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption
from toolmend.evals.metrics.outcomes import NEEDED, Played, played
from toolmend.evals.store import Run, RunConfig, Sample, Store
from toolmend.evals.store.rows import sample_values, to_sample
from toolmend.evals.suites.json_lines import json_objects

SCHEMA = 1
_BROKEN = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def save_run(run: Run, samples: Iterable[Sample], path: Path) -> int:
    """Write a run with all its samples as they come; how many there were. An interrupted save leaves no half file."""
    head = {"toolmend": "run", "schema": SCHEMA, **run.head(), "config": run.config.to_json()}
    count = 0
    with written(path) as part, part.open("w", encoding="ascii", newline="\n") as stream:
        print(_line(head), file=stream)
        for sample in samples:
            values = sample_values(run.id, sample)
            del values["run"], values["key"]
            print(_line({**values, "events": json.loads(values["events"])}), file=stream)
            count += 1
    return count


def read_run(path: Path) -> tuple[Run, Iterator[Sample]]:
    """The run of a saved file, and its samples, read as they are asked for. Raises BadFile with the line."""
    lines = json_objects(path)
    number, head = next(lines, (1, {}))
    if head.get("toolmend") != "run":
        raise BadFile(path, "no saved run; `toolmend gate RUN --save FILE.jsonl` writes one", number)
    if head.get("schema") != SCHEMA:
        raise BadFile(path, f"a saved run of schema {head.get('schema')}, known here: {SCHEMA}", number)
    try:
        names = ("id", "created", "finished", "status")
        run = Run(config=RunConfig.from_json(head["config"]), **{name: head[name] for name in names})
    except _BROKEN as error:
        raise BadFile(path, f"the run cannot be read ({error!r})", number) from error
    return run, _samples(path, lines)


def find_played(word: str | None, place: str | None = None) -> Played:
    """What a RUN on a command line came to: a saved file (`*.jsonl`), the beginning of a stored run's id, or, for None,
    the last run. Raises BadFile or UnknownName for a run that is not there, BadOption for one without a sample.
    """
    if word is not None and word.endswith(".jsonl"):
        run, samples = read_run(Path(word))
        return _played(run, samples, word)
    return find_played_in(place, word)


def find_played_in(place: str | None, word: str | None) -> Played:
    """The same of the store alone: no word names a file."""
    with Store(place, create=False) as store:
        found = find_stored(store, word)
        return _played(found, store.samples(found.id, only=NEEDED), found.id)


def find_stored(store: Store, word: str | None) -> Run:
    """The run whose id begins so; for None the last. Raises UnknownName, or BadOption where there is none at all."""
    found = store.find_run(word) if word else store.last_run()
    if found is None:
        raise BadOption(f"{store.place} holds no run yet; `toolmend run` makes one")
    return found


def _played(run: Run, samples: Iterable[Sample], origin: str) -> Played:
    whole = played(run, samples, origin)
    if not whole.outcomes:
        raise BadOption(f"run {run.id} has no sample")
    return whole


def _line(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def _samples(path: Path, lines: Iterator[tuple[int, Any]]) -> Iterator[Sample]:
    for number, data in lines:
        try:
            yield to_sample(SimpleNamespace(**{**data, "events": json.dumps(data["events"])}))
        except _BROKEN as error:
            raise BadFile(path, f"the sample cannot be read ({error!r})", number) from error
