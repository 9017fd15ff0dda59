"""CPU seconds of a process that starts, compiled files in place: `import toolmend` and `toolmend --help` beside a bare
interpreter, in turns. Run: python benchmarks/start.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from rows import ROOT, Row, in_turns


def rows() -> Iterator[Row]:
    """Both beside the bare interpreter."""
    with tempfile.TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONPATH": str(ROOT / "src")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def cpu(*words: str) -> float:
            process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, env=environment)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            return 1000 * (used.ru_utime + used.ru_stime)

        for what, words in {
            "import toolmend": ("-c", "import toolmend"),
            "toolmend --help": ("-m", "toolmend.apps.cli", "--help"),
        }.items():
            ours, bare = in_turns(lambda words=words: cpu(*words), lambda: cpu("-c", "pass"), 11)
            yield Row(what, "a bare interpreter", "ms of CPU", ours, bare)


if __name__ == "__main__":
    for row in rows():
        print(f"{row.what:<20}{row.ours:>8.1f} ms, {row.ours - row.peer:.1f} over {row.against}")
