"""`toolmend data build`: talks in, lines made, curated and written, with everything counted, and a data card.

The same sources make the same bytes. The folder is written whole or not at all. Knows no screen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from toolmend import __version__, registry
from toolmend.base.atomic import written
from toolmend.base.errors import BadOption, ToolmendError
from toolmend.evals.suites.suite import Suite, load_suite, shipped
from toolmend.reading.render import as_json
from toolmend.training.datasets.curation import BLEU, LONGEST, NEAR, Curation
from toolmend.training.datasets.language import tells_languages
from toolmend.training.datasets.leakage import Prompts
from toolmend.training.datasets.lines import KINDS, Line, to_json
from toolmend.training.datasets.making import Maker
from toolmend.training.datasets.sources import Intake, find, talks

SCHEMA = 2
DEV = ("calendar_dev",)
"""Suites whose prompts may be learned: they are for development, and figures on them are no test."""
COUNTS, CARD, MARK = "counts.json", "README.md", "data"
_KNOWN = """\
Right is what a suite's marks say, or in a talk without marks what a person let stand after correcting it. The system
text shows the world as the talk begins, not as it is later. Personal data are found by their form: names and streets
are not. Leakage is told by the words: a test request in other words is not found. One talk may give several lines.

What people wrote is theirs; what models wrote is under their makers' terms, which may forbid to train other models on
it. The suites that ship with toolmend are under Apache-2.0. The folder has no licence of its own."""


def build(
    folder: Path, runs: Sequence[str] = (), place: str | None = None, *, dev: Sequence[str] = DEV, force: bool = False
) -> dict[str, Any]:
    """Write the data folder; what its counts.json says. `runs` are ids and `*.jsonl` files, none for every run of the
    store at `place`; `dev` are suites whose prompts are no leak. With BadFile or BadOption nothing is written."""
    _check(folder, force=force)
    tested, intake = suite_prompts(dev), Intake()
    prompts = Prompts(prompt for suite in tested.values() for prompt in suite)
    kept: dict[str, list[Line]] = {kind: [] for kind in KINDS}
    made, dropped = Counter(dict.fromkeys(KINDS, 0)), Counter[str]()
    curations = {kind: Curation(prompts) for kind in KINDS}
    kinds = {line_type: name for name, line_type in KINDS.items()}
    for line in _lines(runs, place, intake):
        kind = kinds[type(line)]
        made[kind] += 1
        if reason := curations[kind].reason(line):
            dropped[reason] += 1
        else:
            kept[kind].append(line)
    if not made.total():
        why = "; ".join(f"{reason}: {count}" for reason, count in sorted(intake.left_out.items()))
        raise BadOption(f"nothing to learn from in {intake.samples} talks{f' ({why})' if why else ''}: no right reply")
    found = {
        "toolmend": MARK, "schema": SCHEMA, "version": __version__,
        "dev": list(dev), "tested": list(tested), "untested": sorted(set(registry.suites.names()) - set(tested)),
        "runs": _runs(intake),
        "intake": {"samples": intake.samples, "left_out": dict(sorted(intake.left_out.items()))},
        "made": dict(made), "kept": {kind: len(lines) for kind, lines in kept.items()},
        "dropped": dict(sorted(dropped.items())), "languages_told": tells_languages(),
    }  # fmt: skip
    _write(folder, kept, found)
    return found


def _lines(runs: Sequence[str], place: str | None, intake: Intake) -> Iterator[Line]:
    maker = Maker(__version__)
    with ExitStack() as stack:
        for talk in talks(find(runs, place, stack), intake):
            yield from maker.lines(talk)


def suite_prompts(dev: Sequence[str]) -> dict[str, list[str]]:
    """By suite every request of it, but those of the suites for development. Raises UnknownName for one that is none.

    Suites that need a file of somebody else's to be made are left out where that is not given.
    """
    own = {load_suite(name).name for name in dev}
    found = dict(_shipped_prompts())
    for name in registry.suites.names():
        try:
            suite = load_suite(name)
        except (ToolmendError, TypeError):
            continue
        found[suite.name] = _prompts(suite)
    return {name: prompts for name, prompts in found.items() if name not in own}


@cache
def _shipped_prompts() -> Mapping[str, list[str]]:
    suites = [load_suite(name) for name in shipped()]
    return {suite.name: _prompts(suite) for suite in suites}


def _prompts(suite: Suite) -> list[str]:
    return [step.say for case in suite.cases().values() for step in case.steps]


def _runs(intake: Intake) -> list[dict[str, Any]]:
    return [
        {
            "run": run.id,
            "suite": run.config.suite,
            "tools": intake.tools.get(run.id, ""),
            "created": run.created,
            "contestants": [f"{one.model} · {one.strategy}" for one in run.config.contestants],
        }
        for run in intake.runs
    ]


def card(found: Mapping[str, Any]) -> str:
    """The data card, from the counts alone."""
    dropped = "; ".join(f"{reason}: {count:,}" for reason, count in found["dropped"].items()) or "none"
    english = "English only" if found["languages_told"] else "any language (the extra knowledge tells them apart)"
    untested = f" Not with {', '.join(found['untested'])}." if found["untested"] else ""
    left = "; ".join(f"{reason}: {count:,}" for reason, count in found["intake"]["left_out"].items())
    runs = [f"| {' | '.join([r['run'], r['suite'], r['tools'], r['created'], '; '.join(r['contestants'])])} |"
            for r in found["runs"]]  # fmt: skip
    return "\n".join([
        "# Training data made by toolmend", "",
        f"Lines from stored talks and corrections, made by `toolmend data build` {found['version']}. Calls are written "
        "as lines of Python.", "",
        "| file | made | kept |", "|---|---|---|",
        *(f"| {kind} | {found['made'][kind]:,} | {found['kept'][kind]:,} |" for kind in KINDS), "",
        f"{found['intake']['samples']:,} talks were read{f'; left out: {left}' if left else ''}.", "",
        "| run | suite | toolbox | made | contestants |", "|---|---|---|---|---|", *runs, "",
        f"Dropped: {dropped}.", "",
        f"Rules: at most {LONGEST:,} characters; {english}; no personal data; no line twice, nor nearly (Jaccard index "
        f"of runs of three words from {NEAR:.0%}); no message with a sentence BLEU above {BLEU:.0%} against any prompt "
        f"of {', '.join(found['tested'])}.{untested}", "",
        f"Suites for development, whose prompts may be learned: {', '.join(found['dev']) or 'none'}. Figures on them "
        "are no test.", "", _KNOWN, "",
    ])  # fmt: skip


def _check(folder: Path, *, force: bool) -> None:
    """Raise BadOption unless the folder is not there, is empty, or with `force` is a data folder to be replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not force:
        raise BadOption(f"{folder} is not empty; --force replaces a data folder")
    try:
        mark = json.loads((folder / COUNTS).read_text(encoding="utf-8"))["toolmend"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        mark = ""
    if mark != MARK:
        raise BadOption(f"{folder} is no data folder (no {COUNTS} of toolmend): --force does not delete it")


def _write(folder: Path, kept: Mapping[str, Sequence[Line]], found: Mapping[str, Any]) -> None:
    """Lines, counts and card. Raises BadFile; then what was there is as it was."""
    texts = {f"train/{kind}.jsonl": "".join(as_json(to_json(line)) + "\n" for line in kept[kind]) for kind in KINDS}
    texts |= {COUNTS: json.dumps(found, indent=1, ensure_ascii=False) + "\n", CARD: card(found)}
    with written(folder, durable=True) as part:
        (part / "train").mkdir(parents=True)
        for name, text in texts.items():
            (part / name).write_text(text, encoding="utf-8", errors="replace", newline="\n")
