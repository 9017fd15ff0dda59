"""A stored run as one JSON-able report, versioned: what `--format json` prints and every screen shows.

    {"schema": 1, "run": {…}, "contestants": [{…rates with intervals…}], "blog": {…}, "notes": […]}

docs/report.md names every field. Computes nothing itself: rates.py and calendar_blog.py do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from toolmend.base.errors import BadFile, ToolmendError
from toolmend.base.events import Asked, Corrected, Event, Finished, Guarded, Looked, Marked, Replied, Tried
from toolmend.evals.benchmarks import calendar_blog, llmaker
from toolmend.evals.benchmarks.published import published_data
from toolmend.evals.metrics import counted as counting
from toolmend.evals.metrics import rates, roles
from toolmend.evals.metrics.rates import Difference, Rate, Tally, Trial
from toolmend.evals.metrics.repairs import QUESTION, Repairs, repairs
from toolmend.evals.reports import bfcl as bfcl_report
from toolmend.evals.reports import llmaker as llmaker_report
from toolmend.evals.reports.cache import kept
from toolmend.evals.running.plan import MENDED
from toolmend.evals.store import Run, Sample, Store
from toolmend.evals.suites.suite import Suite, load_suite
from toolmend.registry import columns

SCHEMA = 1
# All that rates.py and calendar_blog.py read of a conversation: leaving out the rest halves the time.
READ: tuple[type[Event], ...] = (Asked, Corrected, Finished, Guarded, Looked, Marked, Replied, Tried, *roles.TELLS)


def build_report(store: Store, run_id: str) -> dict[str, Any]:
    """The report of a run, finished or not (then it is kept). Raises UnknownName for a run that is not there."""
    return kept(store, run_id, _build)


def _build(store: Store, run_id: str) -> dict[str, Any]:
    run = store.run(run_id)
    notes: list[str] = []
    limits = {experiment["id"]: experiment["corrections"] for experiment in run.config.settings.get("experiments", ())}
    other = OtherColumns()
    if other:
        other.take(store.samples(run_id, by_case=True))
    counted = counting.gathered(_counted(store, run_id, limits))
    place = {
        (contestant.model, contestant.strategy): number for number, contestant in enumerate(run.config.contestants)
    }
    order = sorted(counted, key=lambda contestant: place.get(contestant, len(place)))
    tallies = {contestant: counted[contestant] for contestant in order}
    assigned = {
        (contestant.model, contestant.strategy): contestant.options.get("roles", {})
        for contestant in run.config.contestants
    }
    if errors := sum(tally.errors for tally in tallies.values()):
        many = f"{errors} samples" if errors > 1 else "1 sample"
        notes.append(f"{many} could not be run, counted apart; the same command tries again")
    for model, reminder in run.config.settings.get("reminders", {}).items():
        notes.append(f"unequal conditions: everything said to {model} ends with “{reminder}”")
    notes += [_DECODED.format(model) for model, strategy in tallies if _is_decoded(model, strategy)]
    report: dict[str, Any] = {
        "schema": SCHEMA,
        "run": _run(run, sum(tally.samples for tally in tallies.values())),
        "contestants": [
            {**_contestant(*who, tally, assigned.get(who, {})), **({"other": other.of(who)} if other else {})}
            for who, tally in tallies.items()
        ],
        "notes": notes,
    }
    suite = played_suite(run, notes)
    if suite is not None and suite.notation == "blog":
        few = store.samples(run_id, attempts=calendar_blog.ATTEMPTS_41, only=READ, by_case=True)
        report["blog"] = _blog(suite, sorted(few, key=lambda sample: order.index(sample.contestant)))
    if suite is not None and suite.notation == bfcl_report.NOTATION:
        samples = store.samples(run_id, only=bfcl_report.NEEDED, by_case=True)
        report["bfcl"] = bfcl_report.section(suite, samples)
    if run.config.suite == llmaker.NAME:
        report["llmaker"] = llmaker_report.section(store.samples(run_id, only=(Looked, Marked), by_case=True))
    return report


_DECODED = (
    "{} does not say again what was just called wrong: that is decoding, not the weights; "
    "--strategy 'oneline?repeat=true' measures these alone"
)


def _is_decoded(model: str, strategy: str) -> bool:
    """Whether it is toolmend's own engine, with the strategy that has it say something else."""
    return model.startswith("builtin/") and strategy.startswith("oneline") and "repeat=true" not in strategy


def _counted(store: Store, run_id: str, limits: Mapping[str, int]) -> Iterator[list[tuple[int, str, bytes]]]:
    """What the samples count for; those that were kept without, or by another version, are counted first."""
    version, loose = counting.version(), list[tuple[int, str, bytes]]()
    for page in store.uncounted(run_id, version, READ):
        fresh = [(number, sample.attempt, counting.count(sample, limits)) for number, sample in page]
        try:
            store.keep_counted(run_id, fresh)
        except BadFile:  # a store that can only be read shows its reports all the same
            loose += [(attempt, count.kind, count.numbers) for _, attempt, count in fresh]
    yield from store.counted(run_id, version)
    yield loose


def _run(run: Run, samples: int) -> dict[str, Any]:
    return {**run.head(), "samples": samples, "config": run.config.to_json()}


def played_suite(run: Run, notes: list[str]) -> Suite | None:
    """The suite that was played, if it is still what it was; a note if it has changed."""
    found = False
    for name in (str(run.config.settings.get("suite_path", "")), run.config.suite):
        try:
            suite = load_suite(name, run.config.settings.get("tools"))
        except ToolmendError:
            continue
        if suite.hash == run.config.suite_hash.split("+")[0]:  # what follows a plus names added mistakes
            return suite
        found = True
    if found:
        notes.append("the suite has changed since this run: tables in the published notation are left out")
    return None


def _contestant(model: str, strategy: str, tally: Tally, assigned: Mapping[str, str]) -> dict[str, Any]:
    trials = tally.trials
    own = model.partition(f" {next(iter(assigned))}=")[0] if assigned else model
    by_role = tally.spent.roles.items()
    return {
        "model": model,
        "strategy": strategy,
        "samples": tally.samples,
        "errors": tally.errors,
        "first_right": _rate(rates.rate(tally.first)),
        "world_right": _rate(rates.rate(tally.worlds)),
        **_fixes(trials),
        "fix_at_k": {str(k): _rate(rates.rate(tally.within.get(k, []))) for k in (1, 2, 3)},
        "turns_to_right": rates.to_right(tally.to_right)[0],
        "sentences_to_right": rates.to_right(tally.to_right)[1],
        "regress": _rate(rates.rate(tally.groundless)),
        **({"ladder": _ladder(tally)} if strategy.endswith(MENDED) else {}),
        "done": _rate(rates.rate([(case, done) for case, done, _ in tally.dialogues])),
        "turns_to_done": rates.turns_to_done(tally.dialogues),
        "pass_k": {str(k): rates.pass_all(tally.dialogues, k) for k in (1, 3, 5)},
        "by_kind": {kind: _fixes([t for t in trials if t.kind == kind]) for kind in sorted({t.kind for t in trials})},
        "mistakes": dict(sorted(tally.kinds.items(), key=lambda item: -item[1])),
        "outcomes": {**tally.outcomes, "unmet": dict(sorted(tally.unmet.items()))},
        "assigned": dict(assigned),
        "explained": _explained(tally),
        "roles": {role: {"model": assigned.get(role, own), **cost.to_json()} for role, cost in by_role},
        "cost": {
            **{name: total for name, total in tally.spent.whole().to_json().items() if name != "retries"},
            "requests": len(tally.spent.requests),
            "within_5_s": tally.spent.within(5),
            "within_10_s": tally.spent.within(10),
        },
    }


def _fixes(trials: Sequence[Trial]) -> dict[str, Any]:
    return {
        "fix_at_1": _rate(rates.headline(trials)),
        "fix_at_1_named": _rate(rates.headline(trials, named=True)),
        "told_named": _rate(rates.fixed_at_level(trials, 3, named=True)),
        "fix_at_1_by_level": {str(level): _rate(rates.fixed_at_level(trials, level)) for level in range(4)},
        "control": _rate(rates.fixed_at_level(trials, 0)),
        "net_fix": _difference(rates.net_fix(trials)),
    }


def _ladder(tally: Tally) -> dict[str, Any]:
    """What the ladder did, for every level, at the headline level and with groundless doubt."""
    groups = {str(level): [trial for trial in tally.trials if trial.level == level] for level in range(4)}
    groups = {"headline": [trial for trial in tally.trials if trial.headline], **groups}
    doubts = {
        "given_up": [(case, given_up) for case, _, given_up in tally.doubts],
        "questions": [(case, repair.how == QUESTION) for case, repair, _ in tally.doubts],
        "unasked": [(case, not repair.asked) for case, repair, _ in tally.doubts],
    }
    told = {name: _repairs(repairs(trials)) for name, trials in groups.items()}
    return {**told, "groundless": {name: _rate(rates.rate(pairs)) for name, pairs in doubts.items()}}


def _repairs(counted: Repairs) -> dict[str, Any]:
    shares = {**counted.fixed, "one_choice": counted.one_choice, "unasked": counted.unasked}
    told = {name: _rate(rates.rate(pairs)) for name, pairs in shares.items()}
    return {**told, "input_tokens": counted.tokens, "of_asking_again": counted.share}


def _explained(tally: Tally) -> dict[str, Any]:
    """By who says it, the share of the sentences that are so, and how many say nothing that can be checked."""
    by: dict[str, list[tuple[str, bool | None]]] = defaultdict(list)
    for case, who, so in tally.sentences:
        by[who].append((case, so))
    return {
        who: {**_rate(rates.rate([(case, so) for case, so in rows if so is not None])), "unchecked": unchecked}
        for who, rows in by.items()
        for unchecked in [sum(so is None for _, so in rows)]
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return {"value": rate.value, **asdict(rate)}


def _difference(difference: Difference) -> dict[str, Any]:
    return asdict(difference)


def _blog(suite: Suite, samples: Sequence[Sample]) -> dict[str, Any]:
    rows = {}
    for contestant in dict.fromkeys(sample.contestant for sample in samples):
        made = calendar_blog.tables(suite, [sample for sample in samples if sample.contestant == contestant])
        rows[" · ".join(contestant)] = {
            "reliability": [mark.value for mark in made.reliability],
            "complete": [
                {"turn": x.said, "correction": x.correction, "marks": [m.value for m in x.marks]} for x in made.complete
            ],
            "gave_up": made.gave_up,
            "fixing": {group: [mark.value for mark in marks] for group, marks in made.fixing.items()},
            "recap": made.recap(),
        }
    return {"rows": rows, "published": published_data("calendar")}


class OtherColumns:
    """The means of the columns that other packages bring (registry.columns)."""

    def __init__(self) -> None:
        self._columns = {name: columns.get(name) for name in columns.names()}
        self._values: dict[tuple[tuple[str, str], str], list[float]] = defaultdict(list)

    def __bool__(self) -> bool:
        return bool(self._columns)

    def take(self, samples: Iterable[Sample]) -> None:
        """Look at every sample."""
        for sample in samples:
            for name, column in self._columns.items():
                value = column(sample) if sample.status == "ok" else None
                if value is not None:
                    self._values[sample.contestant, name].append(value)

    def of(self, contestant: tuple[str, str]) -> dict[str, float | None]:
        """By name the mean of a contestant, None where no sample has a value."""
        means = {name: self._values.get((contestant, name)) for name in self._columns}
        return {name: fmean(values) if values else None for name, values in means.items()}
