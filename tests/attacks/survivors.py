"""`make mutants`: a sample of mutants of layers 0 to 3, each met by the tests of its room that reach its line.

    python tests/attacks/survivors.py [SAMPLE [SEED [PART OF A PATH …]]]

mutmut makes them: for each a module by its lines, then one of its mutants. The tests of a room run in a copy as they
are first, under coverage: what reaches a line, and how long it computes. What they leave alive meets those of talks.
A mutant that computes for twice as long and START more is stopped, and killed; mutmut's own runner asks the clock, and
on a busy machine that kills what is slow. Slow tests and all other rooms' are left out: what survives here may still be
noticed by `make test`.
"""

from __future__ import annotations

import os
import random
import re
import runpy
import sys
import tempfile
from contextlib import suppress
from difflib import unified_diff
from functools import cache
from pathlib import Path

from claims import PASSED, ROOT, START, as_it_is, copied, ended
from coverage import CoverageData
from mutmut.mutation.file_mutation import create_mutations

from toolmend.base.stats import wilson

SOURCE = Path("src/toolmend")
LAYERS = runpy.run_path(str(ROOT / "tests" / "test_layers.py"))["LAYERS"]
ROOMS = {
    room: tests
    for rooms in LAYERS[: LAYERS.index(("session",)) + 1]
    for room in rooms
    if (tests := [name for name in (f"tests/{room}", f"tests/test_{room}.py") if (ROOT / name).exists()])
}
TALKS = "session"  # its tests go through all the rooms below
QUICK = ["-m", "not slow and not peer"]
COVERED = [*QUICK, "--cov", "--cov-context=test", "--cov-report=", "--cov-fail-under=0"]


def drawn(paths: list[Path], sample: int, seed: int) -> list[tuple[Path, str]]:
    """So many different mutants, or the few there are, changed inside a function: the module, and its text."""
    made, choice, mutants = cache(create_mutations), random.Random(seed), dict[tuple[Path, str], None]()
    lengths = [len(path.read_text(encoding="utf-8").splitlines()) for path in paths]
    for _ in range(9 * sample):
        [path] = choice.choices(paths, lengths)
        module, mutations, *_ = made(str(path), path.read_text(encoding="utf-8"))
        if inside := [each for each in mutations if each.contained_by_top_level_function]:
            change = choice.choice(inside)
            text = module.deep_replace(change.original_node, change.mutated_node).code  # type: ignore[attr-defined]
            with suppress(SyntaxError):
                compile(text, path.name, "exec")
                mutants[path, text] = None
        if len(mutants) == sample:
            break
    return list(mutants)


@cache
def as_they_are(copy: Path, room: str) -> tuple[CoverageData, dict[str, float]]:
    """What each test of a room reaches, and how long those compute that pass without any mutant."""
    vain, took = as_it_is(copy, [*ROOMS[room], *COVERED])
    if not took:
        sys.exit(f"the tests of {room} do not run as they are")
    own = (copy / ".coverage").rename(copy / f".coverage-{room}")  # read as it is asked, while others are written
    (data := CoverageData(str(own))).read()
    return data, {test: seconds for test, seconds in took.items() if test not in vain}


def killed(copy: Path, path: Path, text: str) -> bool:
    """Whether a test of the room, else one of talks, that reaches the changed line, or those nearest to it, fails;
    says what survives."""
    before = path.read_text(encoding="utf-8")
    diff = list(unified_diff(before.splitlines(), text.splitlines(), n=0, lineterm=""))[2:]
    line = int(re.findall(r"\d+", diff[0])[0])
    rooms = dict.fromkeys((path.relative_to(SOURCE).with_suffix("").parts[0], TALKS))
    reaching = [found for room in rooms if (found := near(copy, path, line, room))[0]]
    (copy / path).write_text(text, encoding="utf-8")
    alive = all(ended(copy, ["-x", *QUICK, *tests], limit)[0] == PASSED for tests, limit in reaching)
    (copy / path).write_text(before, encoding="utf-8")
    count = sum(len(tests) for tests, _ in reaching)
    print(f"{path}:{line}, {count} tests:", "\n".join(["SURVIVED", *diff[1:]]) if alive else "killed", flush=True)
    return not alive


def near(copy: Path, path: Path, line: int, room: str) -> tuple[list[str], float]:
    """The tests of a room that reach a line, or those nearest to it, and the seconds that they may compute."""
    data, took = as_they_are(copy, room)
    lines = data.contexts_by_lineno(str(copy / path)).items()
    reached = {at: {re.split(r"[\[|]", name)[0] for name in names if name} for at, names in lines if any(names)}
    places = {
        max((at for at in reached if at <= line), default=0),
        min((at for at in reached if at >= line), default=0),
    }
    tests = sorted({test for at in places for test in reached.get(at, set()) & set(took)})
    return tests, START + 2 * sum(map(took.__getitem__, tests))


if __name__ == "__main__":
    os.chdir(ROOT)
    sample, seed, *parts = [*sys.argv[1:], *["200", "1"][len(sys.argv) - 1 :]]
    paths = [path for room in ROOMS for path in [SOURCE / f"{room}.py", *sorted((SOURCE / room).rglob("*.py"))]]
    chosen = [path for path in paths if path.exists() and any(part in str(path) for part in parts or [""])]
    with tempfile.TemporaryDirectory(prefix="toolmend-mutants-") as folder:
        copy = copied(Path(folder))
        tried = [killed(copy, path, text) for path, text in drawn(chosen, int(sample), int(seed))]
    low, high = wilson(hits := sum(tried), len(tried))
    print(f"{hits} of {len(tried)} mutants killed: {hits / max(1, len(tried)):.0%} ({low:.0%}–{high:.0%}); seed {seed}")
