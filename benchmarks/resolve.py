"""What toolmend.language.resolve makes of spoken values: right, asked, wrong over a file of phrases; speed; hostile texts.

    python benchmarks/resolve.py [phrases.jsonl] [--wrong]

A line of the file is {"text", "schema", "value" or "unclear": […]} and, where it has them, now, like, hours, locale.
*right*: the value, or unclear where it should be (*candidates differ*: the readings left are others). *asked*: unclear,
where there is a value. *wrong*: another value. `--wrong` prints every line that is not right.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from toolmend.language.resolve import Resolved, resolve

OPEN = Path(__file__).parents[1] / "tests" / "language" / "resolve" / "data" / "phrases.jsonl"
GIVEN = ("now", "like", "hours", "locale")
TEXTS, ROUNDS = 100_000, 20
WORDS = (
    "half past quarter to of in the two twenty a an hour and minutes next last Friday week month May 5th 7 30 "
    "19:30 2026 3/4 not , . - 1,200 after before same later earlier noon pm ½ € % °C twelve hundred million "
    "first Monday kitchen zwölf 明天 \u0000 ' \" ( ) /// ::: 99999999999999999999 aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
).split(" ")


def main() -> None:
    """Print the tally, resolves per second, and the slowest of many random texts."""
    files = [name for name in sys.argv[1:] if not name.startswith("--")]
    lines = [json.loads(line) for line in Path(files[0] if files else OPEN).read_text("utf-8").splitlines() if line]
    tally(lines)
    began = time.process_time()
    for _ in range(ROUNDS):
        for line in lines:
            answer(line)
    print(f"{ROUNDS * len(lines) / (time.process_time() - began):,.0f} resolves a second of one core")
    slowest(lines)


def answer(line: dict[str, Any]) -> Any:
    return resolve(line["text"], line["schema"], **{name: line[name] for name in GIVEN if name in line})


def tally(lines: list[dict[str, Any]]) -> None:
    counts: Counter[str] = Counter()
    for line in lines:
        result = answer(line)
        if isinstance(result, Resolved):
            verdict = "right" if "value" in line and same(line["value"], result.value) else "wrong"
        else:
            verdict = "right" if "value" not in line else "asked"
            if "unclear" in line and sorted(map(str, line["unclear"])) != sorted(map(str, result.candidates)):
                counts["candidates differ"] += 1
                verdict = "right, candidates differ"
        counts[verdict.partition(",")[0]] += 1
        if verdict != "right" and "--wrong" in sys.argv:
            print(f"{verdict}: {json.dumps(line, ensure_ascii=False)}\n    {result}")
    print(f"{len(lines)} phrases: {', '.join(f'{name} {count}' for name, count in counts.most_common())}")


def same(wanted: Any, value: Any) -> bool:
    return (type(wanted) is bool, wanted) == (type(value) is bool, value)


def slowest(lines: list[dict[str, Any]]) -> None:
    draw, worst, text_of_worst = random.Random(7), 0.0, ""
    for number in range(TEXTS):
        line = lines[draw.randrange(len(lines))]
        if number % 4:
            text = " ".join(draw.choices(WORDS, k=draw.randint(1, 60)))
        else:
            text = "".join(draw.choices("0123456789 :/.,-ap'mhté\u2028\U0001f600", k=draw.randint(1, 400)))
        began = time.process_time()
        resolve(text, line["schema"], **{name: line[name] for name in GIVEN if name in line})
        took = time.process_time() - began
        if took > worst:
            worst, text_of_worst = took, text
    print(f"slowest of {TEXTS:,} random texts: {worst * 1000:.1f} ms ({text_of_worst[:60]!r})")


if __name__ == "__main__":
    main()
