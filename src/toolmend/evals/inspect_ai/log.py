"""A stored run as logs of Inspect AI (version 2, JSON): one for each experiment of each contestant.

`inspect view` and `read_eval_log` open them; `inspect log convert` makes .eval files of them. Written by the published
schema, without inspect-ai. A sample's own events are in its `store` under "toolmend", as they are in ours.
Clock times within a sample are its beginning and the seconds its replies took: an order, not a measurement.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any, TextIO

from toolmend.errors import BadFile
from toolmend.evals.inspect_ai.sample import SCORES, scores_of, to_inspect
from toolmend.evals.suites.suite import Case
from toolmend.store import Contestant, Run, Sample

_STATUS = {"finished": "success", "errors": "success", "open": "cancelled"}


def write_logs(run: Run, samples: Iterable[Sample], cases: Mapping[str, Case], folder: Path) -> list[Path]:
    """Write the logs; where they are. `cases` give input and target, where the suite is still what it was.

    Samples are read once and written as they come. Raises BadFile where the folder cannot be written.
    """
    limits = {each["id"]: each["corrections"] for each in run.config.settings.get("experiments", ())}
    logs: dict[tuple[str, str, str], _Log] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sample in samples:
            which = (sample.case.partition("/")[0], *sample.contestant)
            if which not in logs:
                logs[which] = _Log(run, *which, folder)
            logs[which].add(sample, cases.get(sample.case), limits)
        return [log.finish() for log in logs.values()]
    except OSError as error:
        raise BadFile(folder, f"cannot be written ({error.strerror or error})") from error
    finally:
        for log in logs.values():
            log.tidy()


@dataclass
class _Log:
    """One log in the making: its samples go to a file of their own, since what stands before them comes last."""

    run: Run
    experiment: str
    model: str
    strategy: str
    folder: Path
    scores: dict[str, dict[str, list[float]]] = field(
        default_factory=lambda: {name: defaultdict(list) for name in SCORES}
    )
    ids: dict[str, None] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: {"ok": 0, "error": 0})
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    ended: str = ""

    def __post_init__(self) -> None:
        self.id = hashlib.sha256(
            "|".join((self.run.id, self.experiment, self.model, self.strategy)).encode()
        ).hexdigest()
        created = re.sub(r"[:.]|\+.*|Z", "-", self.run.created[:19])
        self.path = self.folder / f"{created}-00-00_{self.task.replace('_', '-')}_{self.id[:22]}.json"
        self._part = self.path.with_suffix(".part")
        self._stream: TextIO | None = self._part.open("w", encoding="ascii")

    @property
    def task(self) -> str:
        return re.sub(r"\W+", "_", f"{self.run.config.suite}_{self.experiment}", flags=re.ASCII)

    def add(self, sample: Sample, case: Case | None, limits: Mapping[str, int]) -> None:
        made = to_inspect(sample, case, scores_of(sample, limits))
        assert self._stream is not None
        self._stream.write("".join([",\n" if self.ids else "", json.dumps(made)]))
        self.ids[sample.case] = None
        self.counts[sample.status] += 1
        for name, score in made["scores"].items():
            self.scores[name][sample.case].append(score["value"])
        for usage in made["model_usage"].values():
            self.tokens[0] += usage["input_tokens"]
            self.tokens[1] += usage["output_tokens"]
        self.ended = max(self.ended, made["completed_at"])

    def finish(self) -> Path:
        """Put what stands before the samples before them."""
        assert self._stream is not None
        self._stream.close()
        head = json.dumps(self._head(), indent=1)
        whole = self.path.with_suffix(".whole")
        with whole.open("w", encoding="ascii") as target, self._part.open(encoding="ascii") as samples:
            target.write(head.removesuffix("\n}") + ',\n "samples": [\n')
            shutil.copyfileobj(samples, target)
            target.write("\n]}\n")
        whole.replace(self.path)
        return self.path

    def tidy(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._part.unlink(missing_ok=True)

    def _head(self) -> dict[str, Any]:
        usage = {"input_tokens": self.tokens[0], "output_tokens": self.tokens[1], "total_tokens": sum(self.tokens)}
        return {
            "version": 2,
            "status": _STATUS[self.run.status],
            "eval": self._spec(),
            "plan": {"name": "plan", "steps": [{"solver": self.strategy, "params": {}}], "config": {}},
            "results": self._results(),
            "stats": {
                "started_at": _stamp(self.run.created),
                "completed_at": self.ended,
                "model_usage": {self.model: usage},
            },
        }

    def _spec(self) -> dict[str, Any]:
        config = self.run.config
        way: Mapping[str, Any] = next(
            (each for each in config.settings.get("experiments", ()) if each["id"] == self.experiment), {}
        )
        options = way.get("options", {})
        contestants = {(each.model, each.strategy): each for each in config.contestants}
        contestant = contestants.get((self.model, self.strategy), Contestant(self.model, self.strategy))
        return {
            "eval_id": self.id[:22],
            "run_id": self.run.id,
            "created": _stamp(self.run.created),
            "task": self.task,
            "task_id": self.id[22:44],
            "task_version": 0,
            "task_display_name": f"{config.suite}/{self.experiment}",
            "task_args": {"strategy": self.strategy},
            "solver": self.strategy,
            "dataset": {
                "name": config.suite,
                "samples": len(self.ids),
                "sample_ids": list(self.ids),
                "shuffled": False,
            },
            "model": self.model,
            "model_generate_config": {name: options[name] for name in ("temperature", "max_tokens") if name in options},
            "config": {"epochs": way.get("attempts", config.attempts)},
            "packages": dict(config.versions),
            "metadata": {
                "toolmend_run": self.run.id,
                "suite_hash": config.suite_hash,
                "prompt_hash": contestant.prompt_hash,
                "model_options": dict(contestant.options),
                "experiment": {name: value for name, value in way.items() if name != "options"},
            },
        }

    def _results(self) -> dict[str, Any]:
        total = sum(self.counts.values())
        return {
            "total_samples": total,
            "completed_samples": self.counts["ok"],
            "scores": [
                {
                    "name": name,
                    "scorer": name,
                    "scored_samples": sum(map(len, by_case.values())),
                    "unscored_samples": total - sum(map(len, by_case.values())),
                    "metrics": {kind: {"name": kind, "value": value} for kind, value in _metrics(by_case).items()},
                }
                for name, by_case in self.scores.items()
                if by_case
            ],
        }


def _metrics(by_case: Mapping[str, list[float]]) -> dict[str, float]:
    """Mean and standard error over cases, each case the mean of its attempts: Inspect's own way."""
    means = [sum(values) / len(values) for values in by_case.values()]
    mean, count = sum(means) / len(means), len(means)
    spread = sqrt(sum((each - mean) ** 2 for each in means) / (count - 1)) if count > 1 else 0.0
    return {"mean": mean, "stderr": spread / sqrt(count)}


def _stamp(created: str) -> str:
    """A time of ours as Inspect writes it: to the second, with its offset."""
    return f"{created[:19]}+00:00"
