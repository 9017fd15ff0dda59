"""Two hundred thousand random and damaged texts through every reader: none may raise.

    python benchmarks/readers.py [200000] [SEED]

Bars: no exception, no text that takes a reader longer than a second of CPU. Prints CPU per text and reader.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.texts import READERS, check, texts

LONGEST = 1.0


def main() -> int:
    """Print a row per reader; 1 where a bar is not met."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    spent, slowest, raised = dict.fromkeys(READERS, 0.0), dict.fromkeys(READERS, (0.0, "")), list[str]()
    characters = 0
    for text in texts(count, seed):
        characters += len(text)
        for name in READERS:
            began = time.process_time()
            try:
                check(text, [name])
            except Exception as error:
                raised.append(f"{name}: {type(error).__name__}: {error}: {text[:200]!r}")
            took = time.process_time() - began
            spent[name] += took
            slowest[name] = max(slowest[name], (took, text))
    print(f"{count:,} texts of {characters / count:.0f} characters on average, seed {seed}")
    print(f"{'reader':>16} {'µs CPU/text':>12} {'slowest, ms':>12}")
    for name in READERS:
        print(f"{name:>16} {spent[name] / count * 1e6:>12.1f} {slowest[name][0] * 1000:>12.1f}")
    for line in raised[:20]:
        print(line)
    late = [name for name in READERS if slowest[name][0] > LONGEST]
    print(f"raised: {len(raised)}; longer than {LONGEST:g} s: {', '.join(late) or 'none'}")
    return 1 if raised or late else 0


if __name__ == "__main__":
    sys.exit(main())
