"""A stored run graded anew: today's reader, grader and suite on yesterday's replies. docs/comparing.md.

The old run stays as it is. The new one names the run it came from in its settings; grading the same again finds it
again. Knows the store; draws nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from toolmend.errors import BadOption, ToolmendError
from toolmend.evals.comparing.figures import SHARES
from toolmend.evals.comparing.regrade_sample import Change, Grader, Reread, fits, reread
from toolmend.evals.metrics.outcomes import outcome
from toolmend.evals.running.plan import MENDED
from toolmend.evals.suites.suite import Suite, load_suite
from toolmend.events import Marked, Read, Tried
from toolmend.mistakes import glyphs
from toolmend.portal import run_sync
from toolmend.store import Run, RunConfig, Sample, Store
from toolmend.strategies import Strategy, load_strategy
from toolmend.tools import Toolbox

SCHEMA = 1

Sums = dict[str, dict[str, list[float]]]  # by contestant and figure: sum, number


@dataclass
class Regrade:
    """What came of it. `run` is the new run's id, None where nothing changed or nothing was to be written.

    `gone`, `asked_otherwise`, `unread` and `errors` count samples: of cases that are no longer there, that were asked
    other words than today, whose strategy asks for more than was recorded, that could not be run. The first two are
    not in the new run, the others as they were. `before` and `after` are of the samples graded anew.
    """

    source: Run
    suite: Suite
    lenience: str
    run: str | None = None
    found: bool = False
    samples: int = 0
    replies: int = 0
    changes: list[Change] = field(default_factory=list)
    gone: int = 0
    asked_otherwise: int = 0
    unread: int = 0
    errors: int = 0
    branches_dropped: int = 0
    branches_unread: int = 0
    before: Sums = field(default_factory=dict)
    after: Sums = field(default_factory=dict)

    @property
    def suite_changed(self) -> bool:
        """Whether the suite is another than was played."""
        return self.suite.hash != self.source.config.suite_hash.split("+")[0]  # after a plus: added mistakes

    def transitions(self) -> Counter[tuple[str, str]]:
        """How often which marks and mistakes became which: `("🍄 chatter", "✔")`."""
        return Counter((words(*each.before), words(*each.after)) for each in self.changes)


def regrade(
    store: Store, run: Run, *, suite: str | None = None, lenience: str = "default", write: bool = True
) -> Regrade:
    """Grade a run's replies anew and keep them as a new run, unless nothing changed or `write` is False.

    Raises BadOption where the suite that was played is not to be found and none is named.
    """
    made = Regrade(run, _suite(run, suite), lenience)
    limits = {each["id"]: each["corrections"] for each in run.config.settings.get("experiments", ())}
    digest = hashlib.sha256()
    for old, new in _samples(store, made):
        _count(made, old, new)
        if isinstance(new, Reread):
            _add(made.before, old, limits)
            _add(made.after, new.sample, limits)
            graded = [event for event in new.sample.events if isinstance(event, (Read, Marked, Tried))]
            digest.update(repr((old.key, graded)).encode("utf-8", "backslashreplace"))
    if made.changes and write:
        _keep(store, made, _config(made, digest.hexdigest()[:16]))
    return made


def words(marks: Any, mistakes: Any) -> str:
    """`🍄 chatter`, `✔`."""
    return " ".join([glyphs(marks), ", ".join(mistakes)]).strip()


def _suite(run: Run, named: str | None) -> Suite:
    tried = [named] if named else [str(run.config.settings.get("suite_path", "")), run.config.suite]
    for number, name in enumerate(tried, 1):
        try:
            return load_suite(name, run.config.settings.get("tools"))
        except ToolmendError as error:
            if named:
                raise
            if number == len(tried):
                what = f"the suite of run {run.id} is not where it was ({error}); name it with --suite"
                raise BadOption(what) from error
    raise AssertionError("a suite or an error")


def _samples(store: Store, made: Regrade) -> Iterator[tuple[Sample, Reread | Sample | None]]:
    """Every sample with what became of it: graded anew, to be kept as it was, or (None) left out."""
    cases, graders = made.suite.cases(), dict[str, Grader]()
    specs = Toolbox.load(made.suite.tools).specs
    for sample in store.samples(made.source.id):
        case = cases.get(sample.case)
        if sample.status == "error":
            yield sample, sample
        elif case is None or not fits(sample, case):
            yield sample, None
        else:
            if sample.strategy not in graders:
                strategy: Strategy = load_strategy(sample.strategy.removesuffix(MENDED))
                graders[sample.strategy] = Grader(strategy, specs, made.suite.system, made.lenience)
            grader = graders[sample.strategy]
            grader = replace(grader, specs=made.suite.toolbox(case).specs) if case.tools else grader
            yield sample, run_sync(reread, sample, case, grader) or sample


def _count(made: Regrade, old: Sample, new: Reread | Sample | None) -> None:
    made.samples += 1
    if isinstance(new, Reread):
        made.replies += new.replies
        made.changes += new.changes
        made.branches_dropped += new.dropped
        made.branches_unread += new.unread
    elif old.status == "error":
        made.errors += 1
    elif new is not None:
        made.unread += 1
    elif old.case in made.suite.cases():
        made.asked_otherwise += 1
    else:
        made.gone += 1


def _add(sums: Sums, sample: Sample, limits: dict[str, int]) -> None:
    found = outcome(sample, limits)
    mine = sums.setdefault(found.contestant, {name: [0.0, 0] for name in SHARES})
    for name in SHARES:
        for value in found.values.get(name, {}).values():
            mine[name][0] += value
            mine[name][1] += 1


def _config(made: Regrade, digest: str) -> RunConfig:
    """The new run's configuration: the old one, with the run it came from and what the grading came to."""
    from toolmend import __version__

    config, suite = made.source.config, made.suite
    came = {"run": made.source.id, "lenience": made.lenience, "marks": digest}
    return replace(
        config,
        suite=suite.name,
        suite_hash=suite.hash,
        versions={**config.versions, "toolmend": __version__},
        settings={**config.settings, "suite_path": suite.path, "regraded": came},
    )


def _keep(store: Store, made: Regrade, config: RunConfig) -> None:
    """Find the new run, or write it. Interrupted, the same command goes on with it."""
    for run in store.runs(config.suite):
        if run.config.key == config.key and run.status != "open":
            made.run, made.found = run.id, True
            return
    made.run = store.open_run(config)
    for _, new in _samples(store, made):
        if new is not None:
            store.commit(made.run, new.sample if isinstance(new, Reread) else new)
    store.finish(made.run)


def to_json(made: Regrade) -> dict[str, Any]:
    """A regrade as JSON-able data: docs/comparing.md names every field."""
    counts = (
        "samples",
        "replies",
        "gone",
        "asked_otherwise",
        "unread",
        "errors",
        "branches_dropped",
        "branches_unread",
    )
    return {
        "schema": SCHEMA,
        "from": made.source.id,
        "run": made.run,
        "found": made.found,
        "suite": made.suite.name,
        "suite_changed": made.suite_changed,
        "lenience": made.lenience,
        **{name: getattr(made, name) for name in counts},
        "changed": len(made.changes),
        "transitions": [
            {"before": before, "after": after, "count": count}
            for (before, after), count in sorted(made.transitions().items(), key=lambda item: (-item[1], item[0]))
        ],
        "changes": [_change(each) for each in made.changes],
        "rates": [
            {"contestant": name, **{figure: _rates(made, name, figure) for figure in SHARES}} for name in made.before
        ],
    }


def _change(each: Change) -> dict[str, Any]:
    sides = {name: {"marks": list(side[0]), "mistakes": list(side[1])} for name, side in _sides(each)}
    return {**asdict(each), **sides}


def _sides(each: Change) -> list[tuple[str, tuple[Any, Any]]]:
    return [("before", each.before), ("after", each.after)]


def _rates(made: Regrade, contestant: str, figure: str) -> dict[str, Any]:
    return {name: share(sums[contestant][figure]) for name, sums in (("before", made.before), ("after", made.after))}


def share(counted: list[float]) -> dict[str, Any]:
    """`{"value": 0.5, "trials": 4}`, the value None without a trial."""
    total, number = counted
    return {"value": total / number if number else None, "trials": int(number)}
