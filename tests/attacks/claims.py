"""`make claims`: puts each mutant into a copy of the repository and sees that its claim's test fails; names may follow.

    python tests/attacks/claims.py [PART OF A TEST'S NAME …]

First every test runs in the copy as it is: one that does not pass there proves nothing, and its mutants count as
unnoticed. With a mutant a test that computes for twice as long as it took without, and START more, is stopped; that is
noticed too, and said. So is one that waits for longer than WAIT: on a machine with other work a mutant must not count
as noticed for being slow.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

from mutants import Mutant, read

ROOT = Path(__file__).parents[2]
PASSED, FAILED = 0, 1  # how pytest ends
SAID = {FAILED: "noticed", -signal.SIGKILL: "never ends", -signal.SIGXCPU: "never ends"}  # all else is not noticed
START, LIMIT, WAIT = 10, 60, 900  # seconds of computing for pytest to begin, and for a test; and by the clock
BAD = re.compile(r"^(?:FAILED|ERROR) (tests/[\w/.]+\.py)::(\w+)", re.MULTILINE)
TOOK = re.compile(r"^([\d.]+)s \w+ +(tests/[\w/.]+\.py::\w+)", re.MULTILINE)


def copied(folder: Path) -> Path:
    """What the tests need of the repository, in that folder."""
    for name in ("src", "tests", "docs", "notebooks", "requirements"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    return folder


def ended(copy: Path, tests: list[str], limit: float) -> tuple[int, str]:
    """How pytest ended for tests in the copy, which compute for `limit` seconds at most, and what it printed."""
    options = ["-n", "0", "-rfE", "--tb=no", "--timeout=0", "-p", "no:cacheprovider", "--durations=0", "-vv"]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *options, *tests]
    limited = partial(resource.setrlimit, resource.RLIMIT_CPU, (int(limit),) * 2)
    about = {"cwd": copy, "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, preexec_fn=limited, start_new_session=True, **about) as run:  # type: ignore[call-overload]
        try:
            text, _ = run.communicate(timeout=WAIT * len(tests))
            return run.returncode, text
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return -signal.SIGKILL, run.communicate()[0]


def tried(copy: Path, mutant: Mutant, limit: float) -> int:
    """How its test ends while the line is gone, which computes for `limit` seconds at most."""
    path = copy / "src" / "toolmend" / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        return ended(copy, [mutant.test], limit)[0]
    finally:
        path.write_text(text, encoding="utf-8")


def as_it_is(copy: Path, tests: list[str]) -> tuple[set[str], Counter[str]]:
    """The tests that do not pass in the copy as it is, and the seconds that each takes there."""
    code, text = ended(copy, tests, LIMIT * len(tests))
    took = Counter[str]()
    for seconds, test in TOOK.findall(text):
        took[test] += float(seconds)
    bad = {f"{path}::{name}" for path, name in BAD.findall(text)}
    return set() if code == PASSED else bad or set(tests), took


def main(parts: list[str]) -> int:
    """Try all mutants, or those whose test has a part in its name; the number that was not noticed."""
    chosen = [mutant for mutant in read() if not parts or any(part in mutant.test for part in parts)]
    unnoticed = 0
    with tempfile.TemporaryDirectory(prefix="toolmend-claims-") as folder:
        copy = copied(Path(folder))
        vain, took = as_it_is(copy, sorted({mutant.test for mutant in chosen}))
        for number, mutant in enumerate(chosen, 1):
            begun = time.monotonic()
            limit = START + 2 * took[mutant.test]
            said = "FAILS AS IT IS" if mutant.test in vain else SAID.get(tried(copy, mutant, limit), "NOT NOTICED")
            unnoticed += said.isupper()
            print(f"{number:3}/{len(chosen)} {said:14} {time.monotonic() - begun:5.0f} s  {mutant.test}", flush=True)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} guarded lines are missed by their test when they are gone")
    return unnoticed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
