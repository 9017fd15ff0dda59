"""Verdicts and speed beside the checker that the wheel bfcl-eval ships, on right and wrong answers made from its data.

Run: PYTHONPATH=src TOOLMEND_PEERS=PYTHON python benchmarks/bfcl_peer.py
     PYTHON is one that had `pip install --no-deps bfcl-eval`.
Only simple_python and irrelevance are read. With --judge this file is run by that Python and asks the checker; what the
wheel imports and nothing here needs (servers, parsers of Java) is stood in for.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import rows as table
from rows import python_with

CATEGORIES = ("simple_python", "irrelevance")
Row = dict[str, Any]


def stand_in() -> None:
    """Let the wheel be imported without what it imports and nothing here needs."""
    from importlib.machinery import ModuleSpec
    from types import SimpleNamespace
    from unittest.mock import MagicMock

    class Missing:
        """Stands in for every module that is not installed."""

        def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
            return None if name.startswith("bfcl_eval") else ModuleSpec(name, self)  # type: ignore[arg-type]

        def create_module(self, spec: ModuleSpec) -> Any:
            return MagicMock(__path__=[], __spec__=spec, __name__=spec.name)

        def exec_module(self, module: Any) -> None:
            pass

    sys.meta_path.append(Missing())  # type: ignore[arg-type]
    models = {"toolmend": SimpleNamespace(underscore_to_dot=False)}
    sys.modules["bfcl_eval.constants.model_config"] = MagicMock(MODEL_CONFIG_MAPPING=models)


def data_of(folder: Path) -> list[Row]:
    """The cases of the open categories, each with its possible answer, None where no call is due."""
    answers = {}
    for line in (folder / "possible_answer" / "BFCL_v4_simple_python.json").open(encoding="utf-8"):
        answer = json.loads(line)
        answers[answer["id"]] = answer["ground_truth"]
    lines = [line for name in CATEGORIES for line in (folder / f"BFCL_v4_{name}.json").open(encoding="utf-8")]
    return [{**case, "ground_truth": answers.get(case["id"])} for case in map(json.loads, lines)]


def judge() -> None:
    """Print the data's cases, then verdicts on the rows that come, with the seconds they took."""
    stand_in()
    import bfcl_eval  # type: ignore[import-not-found]
    from bfcl_eval.constants.enums import Language  # type: ignore[import-not-found]
    from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker  # type: ignore[import-not-found]
    from bfcl_eval.model_handler.utils import default_decode_ast_prompting  # type: ignore[import-not-found]
    from bfcl_eval.utils import is_empty_output, is_function_calling_format_output  # type: ignore[import-not-found]

    def verdict(case: Row, text: str) -> bool:
        truth, category = case["ground_truth"], category_of(case)
        try:
            calls = default_decode_ast_prompting(text)
        except Exception:  # the wheel's own judges take any exception for "no call", too
            return truth is None
        if truth is None:
            return bool(is_empty_output(calls))
        if not is_function_calling_format_output(calls):
            return False
        try:
            return bool(ast_checker(case["function"], calls, truth, Language.PYTHON, category, "toolmend")["valid"])
        except Exception:  # the checker cannot go on, and nothing is right
            return False

    cases = data_of(Path(bfcl_eval.__file__).parent / "data")
    print(json.dumps(cases), flush=True)
    sent = json.loads(sys.stdin.readline())
    known = {case["id"]: case for case in [*cases, *sent["cases"]]}
    start = time.process_time()
    verdicts = [verdict(known[row["id"]], row["text"]) for row in sent["rows"]]
    print(json.dumps({"verdicts": verdicts, "seconds": time.process_time() - start}), flush=True)


def category_of(case: Row) -> str:
    """The category by whose rules of counting a case is judged: that of its id."""
    return str(case["id"].rpartition("_")[0])


def changed(value: Any, pick: random.Random) -> list[Any]:
    """Other values, some of which mean the same by some rules."""
    if isinstance(value, bool):
        return [not value, str(value), int(value), None]
    if isinstance(value, (int, float)):
        return [value + 1, float(value), int(value), str(value), -value, [value], None, value == 1]
    if isinstance(value, list):
        mixed = [item for part in value for item in changed(part, pick)[:1]]
        floats = [float(item) if type(item) is int else item for item in value]
        return [tuple(value), value[::-1], value[1:], [*value, *value[:1]], mixed, floats, str(value), []]
    if isinstance(value, dict):
        inner = [{**value, key: other} for key, item in value.items() for other in changed(item, pick)[:4]]
        return [{**value, "more": 1}, dict(list(value.items())[1:]), {}, str(value), *inner]
    signs = [value.replace(" ", mark) for mark in ("-", "_", ", ", "")] + [f"{value}.", f"{value}!", value.swapcase()]
    return [*signs, value.replace("'", '"'), f" {value}\n", value[1:], f"{value} more", "", 7, [value], None]


def plain(answer: Any) -> Any:
    """A value out of a possible answer: the first for each key of a mapping."""
    if isinstance(answer, dict):
        return {key: plain(values[0]) for key, values in answer.items() if values[0] != ""}
    return [plain(item) for item in answer] if isinstance(answer, list) else answer


def written(name: str, arguments: dict[str, Any]) -> str:
    """The call as text."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def replies(case: Row, pick: random.Random) -> Iterator[str]:
    """Right and wrong replies to a case with an answer."""
    ((name, due),) = case["ground_truth"][0].items()
    arguments = {key: plain(values[0]) for key, values in due.items() if values[0] != ""}
    right = written(name, arguments)
    yield from around(name, right)
    properties = case["function"][0]["parameters"]["properties"]
    for key, values in due.items():
        for value in [plain(value) for value in values]:
            yield written(name, {**arguments, key: value})
            for other in changed(value, pick):
                yield written(name, {**arguments, key: other})
        yield written(name, {other: value for other, value in arguments.items() if other != key})
    for key, schema in properties.items():
        if key not in due and "default" in schema:
            yield written(name, {**arguments, key: schema["default"]})
    yield written(name, {**arguments, "extra": 1})
    yield f"{name}({', '.join(map(repr, arguments.values()))})"


def around(name: str, right: str) -> Iterator[str]:
    """The same call in other clothes, and no call at all."""
    yield from (right, f"[{right}]", f"[{right}, {right}]", f"```\n{right}\n```", f"```python\n[{right}]\n```")
    yield from (
        f"[{right},\n {right}]",
        f"Sure: {right}",
        f"{right}\nAnything else?",
        right[:-1],
        f"{right})",
        f"'{right}'",
    )
    yield from (right.replace(name, f"{name}_now", 1), right.replace(name, name.replace(".", "_"), 1), "", "[]", "None")
    yield from ("I cannot do that.", "Which one do you mean?", f"I would call `{name}` for that.", f"{name}()", name)
    yield json.dumps({"name": name, "arguments": {}})
    yield from ("import math\nprint(math.pi)", "response.json()", "requests.get('x')", "[1, 2]", "x = f(1)", "3 + 4")


def pairs(cases: list[Row]) -> list[Row]:
    """Cases of two tools made of two of one: both calls due (parallel), or one of them (multiple)."""
    due = [case for case in cases if case["ground_truth"]]
    made = []
    for number, (one, two) in enumerate(pairwise(due)):
        if one["function"][0]["name"] != two["function"][0]["name"]:
            both = [*one["function"], *two["function"]]
            truth = [*one["ground_truth"], *two["ground_truth"]]
            made.append({"id": f"parallel_{number}", "function": both, "ground_truth": truth})
            made.append({"id": f"multiple_{number}", "function": both, "ground_truth": truth[:1]})
    return made


def replies_to_pairs(case: Row, pick: random.Random) -> Iterator[str]:
    """One call, two, three, in either order, each as it should be or with a changed value."""
    calls = []
    for tool, truth in zip(case["function"], (case["ground_truth"] * 2)[:2], strict=True):
        ((name, due),) = truth.items()
        arguments = {key: plain(values[0]) for key, values in due.items() if values[0] != ""}
        key = next(iter(arguments), "x")
        wrong = changed(arguments.get(key, 1), pick)
        calls.append(
            (written(name, arguments), written(name, {**arguments, key: pick.choice(wrong)}), f"{tool['name']}()")
        )
    (one, bad_one, bare), (two, bad_two, _) = calls
    for some in ([one], [two], [one, two], [two, one], [one, one], [one, bad_two], [bad_one, two], [one, two, two]):
        yield f"[{', '.join(some)}]"
    yield from (f"[{two}, {bad_one}]", f"[{one}, {bare}]", f"{one}\n{two}", "[]")


def cases_and_rows(cases: list[Row]) -> list[Row]:
    """Every reply to every case."""
    pick, rows = random.Random(7), list[Row]()
    for case in cases:
        if case["ground_truth"] is None:
            name, properties = case["function"][0]["name"], case["function"][0]["parameters"]["properties"]
            texts: Iterator[str] = around(name, written(name, dict.fromkeys(properties, 1)))
        elif len(case["function"]) > 1:
            texts = replies_to_pairs(case, pick)
        else:
            texts = replies(case, pick)
        rows += [{"id": case["id"], "text": text} for text in dict.fromkeys(texts)]
    pick.shuffle(rows)
    return rows


def ours(cases: list[Row], rows: list[Row]) -> tuple[list[bool], float, float]:
    """Our verdicts under BFCL's rules, and the seconds they and our own took: every row brings another tool set."""
    from toolmend.grading import Expected, grade
    from toolmend.grading.lines import expected_of, tools_of

    ready = {}
    for case in cases:
        specs, _ = tools_of({"tools": case["function"]})
        truth = {"ground_truth": case["ground_truth"]} if case["ground_truth"] else {"expected": []}
        expected = expected_of(truth, specs)
        ready[case["id"]] = specs, Expected(expected.calls, rules="bfcl"), expected
    grade("f()", Expected(), ())  # what is imported late
    start = time.process_time()
    verdicts = [grade(row["text"], ready[row["id"]][1], ready[row["id"]][0]).correct for row in rows]
    seconds, start = time.process_time() - start, time.process_time()
    for row in rows:
        grade(row["text"], ready[row["id"]][2], ready[row["id"]][0])
    return verdicts, seconds, time.process_time() - start


def compared() -> tuple[list[Row], dict[str, Any], tuple[list[bool], float, float]]:
    """The replies, what the checker says of them, and what we say."""
    command = [python_with("bfcl_eval"), "-W", "ignore", __file__, "--judge"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        assert peer.stdin is not None and peer.stdout is not None
        cases = json.loads(peer.stdout.readline())
        more = pairs(cases)
        replies = cases_and_rows(cases := [*cases, *more])
        peer.stdin.write(json.dumps({"cases": more, "rows": replies}) + "\n")
        peer.stdin.close()
        theirs = json.loads(peer.stdout.readline())
    return replies, theirs, ours(cases, replies)


def rows() -> Iterator[table.Row]:
    """Texts a second."""
    replies, theirs, (_, _, seconds) = compared()
    rates = len(replies) / seconds, len(replies) / theirs["seconds"]
    yield table.Row("grade: texts read and judged", "BFCL's checker", "a second of CPU", *rates, more=True)


def main() -> None:
    """Print every figure."""
    try:
        rows, theirs, (verdicts, seconds, own_seconds) = compared()
    except table.Missing as error:
        print(f"nothing to compare with: {error}")
        return
    for category in (*CATEGORIES, "parallel", "multiple"):
        places = [place for place, row in enumerate(rows) if row["id"].startswith(category)]
        same = [verdicts[place] == theirs["verdicts"][place] for place in places]
        right = sum(theirs["verdicts"][place] for place in places)
        print(
            f"{category}: {sum(same):,} of {len(same):,} verdicts alike ({sum(same) / len(same):.3%}); {right:,} right"
        )
        for text, count in Counter(
            rows[p]["text"] for p, alike in zip(places, same, strict=True) if not alike
        ).most_common(12):
            print(f"  differs, {count}: {text[:160]!r}")
    for name, spent in (("bfcl-eval", theirs["seconds"]), ("--rules bfcl", seconds), ("toolmend", own_seconds)):
        print(f"{name:14} {len(rows) / spent:>10,.0f} texts a second, read and judged")


if __name__ == "__main__":
    judge() if "--judge" in sys.argv else main()
