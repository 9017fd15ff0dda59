"""`make claims`: puts each mutant into a copy of the repository and sees that its claim's test fails; names may follow.

    python tests/attacks/claims.py [PART OF A TEST'S NAME …]

First every test runs in the copy as it is: one that does not pass there proves nothing, and its mutants count as
unnoticed. A test that computes for longer than LIMIT is stopped; that is noticed too, and said. So is one that waits
for longer than WAIT: on a machine with other work a mutant must not count as noticed for being slow.
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
from functools import partial
from pathlib import Path

from mutants import Mutant, read

ROOT = Path(__file__).parents[2]
PASSED, FAILED = 0, 1  # how pytest ends
SAID = {FAILED: "noticed", -signal.SIGKILL: "never ends", -signal.SIGXCPU: "never ends"}  # all else is not noticed
LIMIT, WAIT = 30, 900  # seconds for one test: of computing, of which the slowest takes 20, and by the clock
BAD = re.compile(r"^(?:FAILED|ERROR) (tests/[\w/.]+\.py)::(\w+)", re.MULTILINE)


def ended(copy: Path, tests: list[str]) -> tuple[int, str]:
    """How pytest ended for tests in the copy, and what it printed."""
    options = ["-q", "-n", "0", "-rfE", "--tb=no", "--timeout=0", "-p", "no:cacheprovider", "-p", "no:langsmith_plugin"]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *options, *tests]
    limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (LIMIT * len(tests),) * 2)
    about = {"cwd": copy, "env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, preexec_fn=limit, start_new_session=True, **about) as run:  # type: ignore[call-overload]
        try:
            text, _ = run.communicate(timeout=WAIT * len(tests))
            return run.returncode, text
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return -signal.SIGKILL, run.communicate()[0]


def tried(copy: Path, mutant: Mutant) -> int:
    """How its test ends while the line is gone."""
    path = copy / "src" / "toolmend" / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        return ended(copy, [mutant.test])[0]
    finally:
        path.write_text(text, encoding="utf-8")


def failing(copy: Path, tests: list[str]) -> set[str]:
    """The tests that do not pass in the copy as it is."""
    code, text = ended(copy, tests)
    return set() if code == PASSED else {f"{path}::{name}" for path, name in BAD.findall(text)} or set(tests)


def main(parts: list[str]) -> int:
    """Try all mutants, or those whose test has a part in its name; the number that was not noticed."""
    chosen = [mutant for mutant in read() if not parts or any(part in mutant.test for part in parts)]
    unnoticed = 0
    with tempfile.TemporaryDirectory(prefix="toolmend-claims-") as folder:
        copy = Path(folder)
        for name in ("src", "tests", "docs", "requirements"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        vain = failing(copy, sorted({mutant.test for mutant in chosen}))
        for number, mutant in enumerate(chosen, 1):
            begun = time.monotonic()
            said = "FAILS AS IT IS" if mutant.test in vain else SAID.get(tried(copy, mutant), "NOT NOTICED")
            unnoticed += said.isupper()
            print(f"{number:3}/{len(chosen)} {said:14} {time.monotonic() - begun:5.0f} s  {mutant.test}", flush=True)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} guarded lines are missed by their test when they are gone")
    return unnoticed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
