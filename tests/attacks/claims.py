"""`make claims`: puts each mutant into a copy of the repository and sees that its claim's test fails; names may follow.

python tests/attacks/claims.py [PART OF A TEST'S NAME …]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutants import Mutant, read

ROOT = Path(__file__).parents[2]
NOTICED, PASSED = 1, 0  # how pytest ends where a test failed, and where none did


def ended(copy: Path, test: str) -> int:
    """How pytest ended for a test in the copy."""
    options = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-p", "no:langsmith_plugin"]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", *options, test]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True).returncode


def survives(copy: Path, mutant: Mutant) -> bool:
    """Whether the test does not notice that the line is gone."""
    path = copy / "src" / "toolmend" / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        return ended(copy, mutant.test) != NOTICED
    finally:
        path.write_text(text, encoding="utf-8")


def main(parts: list[str]) -> int:
    """Try all mutants, or those whose test has a part in its name; the number that survived."""
    chosen = [mutant for mutant in read() if not parts or any(part in mutant.test for part in parts)]
    unnoticed = 0
    with tempfile.TemporaryDirectory(prefix="toolmend-claims-") as folder:
        copy = Path(folder)
        for name in ("src", "tests", "docs", "requirements"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        for number, mutant in enumerate(chosen, 1):
            begun = time.monotonic()
            alive = survives(copy, mutant)
            unnoticed += alive
            said = "NOT NOTICED" if alive else "noticed"
            print(f"{number:3}/{len(chosen)} {said:11} {time.monotonic() - begun:5.0f} s  {mutant.test}", flush=True)
    print(f"{len(chosen) - unnoticed} of {len(chosen)} guarded lines are missed by their test when they are gone")
    return unnoticed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
