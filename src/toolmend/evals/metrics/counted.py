"""What a sample counts for, small enough to be kept beside it: a report of a million samples reads none of them.

Samples that came to the same are text that is the same (`Counted.kind`); tokens and seconds of replies are numbers.
What is counted, rates.py decides alone: here one sample's tally is written down, and many are read into one.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from toolmend.evals.metrics.rates import Tally, Trial, tally
from toolmend.evals.metrics.repairs import Repair
from toolmend.evals.metrics.roles import RoleCost
from toolmend.evals.store import Counted, Sample

# What decides how a sample is counted: another text of it, and everything is counted anew.
_CODE = ("evals/metrics", "grading/history.py", "language/corrections/__init__.py", "events.py", "mistakes.py")


@cache
def version() -> str:
    """Hash of the code that counts."""
    digest, package = sha256(), Path(str(files("toolmend")))
    for name in _CODE:
        for path in sorted((package / name).glob("*.py")) or [package / name]:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def count(sample: Sample, limits: Mapping[str, int]) -> Counted:
    """What a sample counts for; `limits` as in `rates.tally`."""
    who = (sample.model, sample.strategy, sample.case)
    if sample.status == "error":
        return Counted(version(), json.dumps([*who, None]), b"")
    own = tally([sample], limits)[sample.contestant]
    roles = own.spent.roles
    counts = [
        [hit for _, hit in own.first],
        [hit for _, hit in own.worlds],
        {k: [hit for _, hit in pairs] for k, pairs in own.within.items()},
        [row[1:] for row in own.dialogues],
        [row[1:] for row in own.to_right],
        [[given_up, *_written(repair)] for _, repair, given_up in own.doubts],
        [[t.place[2], t.level, t.kind, t.headline, t.clean, t.named, *_written(t.repair)] for t in own.trials],
        [own.kinds, own.outcomes, own.unmet],
        [row[1:] for row in own.sentences],
        [[role, len(cost.seconds), cost.retries] for role, cost in roles.items()],
    ]
    numbers = [(cost.input_tokens, cost.output_tokens, *cost.seconds) for cost in roles.values()]
    every = array("d", [*chain.from_iterable(numbers), *own.spent.requests])
    return Counted(version(), json.dumps([*who, counts], separators=(",", ":")), every.tobytes())


def _written(repair: Repair) -> tuple[Any, ...]:
    return repair.how, repair.asked, repair.choice, repair.tokens, repair.again


def gathered(pages: Iterable[Sequence[tuple[int, str, bytes]]]) -> dict[tuple[str, str], Tally]:
    """The tallies of contestants, by pages of what samples came to: attempt, kind and numbers of each.

    The same as `rates.tally` makes of the samples by model, strategy, case and attempt, but for `replies` and `turns`.
    """
    groups: dict[str, list[bytes]] = {}
    earliest: dict[str, int] = {}
    for page in pages:
        for attempt, kind, numbers in page:
            if kind in groups:
                groups[kind].append(numbers)
                if attempt < earliest[kind]:
                    earliest[kind] = attempt
            else:
                groups[kind], earliest[kind] = [numbers], attempt
    read = [(json.loads(kind), earliest[kind], spent) for kind, spent in groups.items()]
    tallies: dict[tuple[str, str], Tally] = {}
    for (model, strategy, case, counts), attempt, spent in sorted(read, key=lambda row: (row[0][:3], row[1])):
        into = tallies.setdefault((model, strategy), Tally())
        into.samples += len(spent)
        if counts is None:
            into.errors += len(spent)
        else:
            _add(into, case, attempt, counts, len(spent))
            _spend(into, counts[-1], b"".join(spent), len(spent))
    return tallies


def _add(into: Tally, case: str, attempt: int, counts: list[Any], many: int) -> None:
    """Count one kind of sample so many times."""
    first, worlds, within, dialogues, to_right, doubts, trials, sums, sentences, _ = counts
    into.first += [(case, hit) for hit in first] * many
    into.worlds += [(case, hit) for hit in worlds] * many
    for k, hits in within.items():
        into.within[int(k)] += [(case, hit) for hit in hits] * many
    into.dialogues += [(case, *row) for row in dialogues] * many
    into.to_right += [(case, *row) for row in to_right] * many
    into.doubts += [(case, Repair(*repair), given_up) for given_up, *repair in doubts] * many
    into.sentences += [(case, *row) for row in sentences] * many
    into.groundless += [(case, given_up) for given_up, *_ in doubts] * many
    into.trials += [
        Trial(case, (case, attempt, turn), level, kind, headline, clean, named, Repair(*repair))
        for turn, level, kind, headline, clean, named, *repair in trials
    ] * many
    for total, own in zip((into.kinds, into.outcomes, into.unmet), sums, strict=True):
        for name, number in own.items():
            total[name] += number * many


def _spend(into: Tally, roles: list[tuple[str, int, int]], numbers: bytes, many: int) -> None:
    """Take in the tokens and seconds of so many samples of one kind."""
    every = array("d", numbers)
    width, place = len(every) // many, 0
    for role, replies, retries in roles:
        columns = [every[column::width] for column in range(place, place + 2 + replies)]
        cost = into.spent.roles.setdefault(role, RoleCost())
        cost.add(int(sum(columns[0])), int(sum(columns[1])), chain.from_iterable(columns[2:]), retries * many)
        place += 2 + replies
    for column in range(place, width):
        into.spent.requests += every[column::width]
