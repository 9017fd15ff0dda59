"""BFCL's data as a suite, out of a wheel of made-up data, and a run of it judged twice."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.base.messages import Request
from toolmend.evals.benchmarks.bfcl import CATEGORIES, WITHOUT_ANSWERS, import_bfcl
from toolmend.evals.reports.bfcl import bfcl
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.selftest import test_suite as try_suite
from toolmend.evals.suites.suite import load_suite
from toolmend.models.scripted import Scripted

PARAMETERS = {
    "type": "dict",
    "properties": {"x": {"type": "string"}, "n": {"type": "integer", "default": 3}},
    "required": ["x"],
}
TOOLS = [{"name": "m.f", "description": "", "parameters": PARAMETERS, "response": {}}]


def question(number: int, category: str) -> dict[str, Any]:
    say = [[{"role": "user", "content": f"{category} {number}"}]]
    return {"id": f"{category}_{number}", "question": say, "function": TOOLS}


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda app: tmp_path / app)
    truth = [{"m.f": {"x": ["a-b"], "n": [2, ""]}}]
    files = {
        "BFCL_v4_simple_python.json": [question(number, "simple_python") for number in range(3)],
        "possible_answer/BFCL_v4_simple_python.json": [
            {"id": f"simple_python_{number}", "ground_truth": truth if number else [{"m.f": {"n": [2]}}]}
            for number in range(3)
        ],
        "BFCL_v4_irrelevance.json": [question(0, "irrelevance")],
        "BFCL_v4_live_relevance.json": [question(0, "live_relevance")],
    }
    path = tmp_path / "bfcl_eval-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, rows in files.items():
            archive.writestr(f"bfcl_eval/data/{name}", "\n".join(map(json.dumps, rows)))
    return path


def test_categories_become_experiments(wheel: Path) -> None:
    kept = import_bfcl(wheel=wheel, corrections=2)
    assert (dict(kept.cases), kept.left_out) == ({"simple_python": 2, "irrelevance": 1}, ("simple_python_0",))
    suite = load_suite("bfcl")
    assert [(each.id, each.corrections) for each in suite.experiments] == [("simple_python", 2), ("irrelevance", 2)]
    step = suite.cases()["simple_python/simple_python_1"].steps[0]
    assert (step.say, step.reference) == ("simple_python 1", 'm.f("a-b", n=2)')


def test_only_what_is_asked_for_is_taken(wheel: Path) -> None:
    assert dict(import_bfcl(["live_relevance"], wheel=wheel).cases) == {"live_relevance": 1}
    assert next(iter(load_suite("bfcl").cases().values())).steps[0].expected.any_call
    with pytest.raises(UnknownName, match="unknown category 'java'"):
        import_bfcl(["java"], wheel=wheel)
    with pytest.raises(BadOption, match="no data of the category parallel"):
        import_bfcl(["parallel"], wheel=wheel)


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_of_single_turns_is_taken(tmp_path: Path, wheel: Path, category: str) -> None:
    truth = [{"m.f": {"x": ["a-b"]}}]
    files = {f"BFCL_v4_{category}.json": question(0, category)}
    if category not in WITHOUT_ANSWERS:
        files[f"possible_answer/BFCL_v4_{category}.json"] = {"id": f"{category}_0", "ground_truth": truth}
    path = tmp_path / "bfcl_eval-2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, row in files.items():
            archive.writestr(f"bfcl_eval/data/{name}", json.dumps(row))
    assert dict(import_bfcl([category], wheel=path).cases) == {category: 1}
    assert [str(tried) for tried in try_suite(load_suite("bfcl")) if not tried.ok] == []


def test_answers_that_may_only_be_left_out_and_those_that_can_never_be_right(tmp_path: Path, wheel: Path) -> None:
    """As in live_simple_114 (a key may only lack), live_simple_106 (no answer), live_multiple_507 (may only lack, and
    must be given)."""
    inner = {"type": "dict", "properties": {"email": {"type": "string"}, "bio": {"type": "string"}}}
    properties = {"profile": inner, "n": {"type": "integer"}}
    tool = {**TOOLS[0], "parameters": {"type": "dict", "properties": properties, "required": ["profile"]}}
    first = {"profile": [{"email": ["a@b.example"], "bio": [""]}]}
    truths = [first, {"profile": [{"email": ["c"]}], "n": []}, {"profile": [""]}]
    rows = [{**question(number, "live_simple"), "function": [tool]} for number in range(3)]
    answers = [{"id": row["id"], "ground_truth": [{"m.f": truth}]} for row, truth in zip(rows, truths, strict=True)]
    path = tmp_path / "bfcl_eval-2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("bfcl_eval/data/BFCL_v4_live_simple.json", "\n".join(map(json.dumps, rows)))
        archive.writestr("bfcl_eval/data/possible_answer/BFCL_v4_live_simple.json", "\n".join(map(json.dumps, answers)))
    kept = import_bfcl(["live_simple"], wheel=path)
    assert (dict(kept.cases), kept.left_out) == ({"live_simple": 1}, ("live_simple_1", "live_simple_2"))
    [case] = load_suite("bfcl").cases().values()
    assert case.steps[0].reference == 'm.f({"email": "a@b.example"})'


def test_another_file(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read as a wheel"):
        import_bfcl(wheel=tmp_path / "none.whl")
    wheel.write_bytes(b"x")
    with pytest.raises(BadFile, match="cannot be read as a wheel"):
        import_bfcl(wheel=wheel)


def answer(request: Request) -> str:
    """Right by BFCL's rules, by both, and a call of a tool that nobody offered where no call is due."""
    said = request.messages[-1].content
    return {"simple_python 1": "m.f(x='A B')", "simple_python 2": "m.f(x='a-b', n=2)"}.get(said, "g(1)")


def test_a_run_is_judged_twice_with_the_public_rows_beside(wheel: Path, tmp_path: Path) -> None:
    import_bfcl(wheel=wheel)
    plan = Plan.make(load_suite("bfcl"), [Scripted(answer, "scripted/some")], ["oneline"])
    with Store(str(tmp_path / "store.db")) as store:
        report = build_report(store, anyio.run(run, plan, store).id)
    rates = {
        (row["category"], rules): row[rules]["value"] for row in report["bfcl"]["rows"] for rules in ("ours", "theirs")
    }
    assert rates == {
        ("simple_python", "ours"): 0.5,
        ("simple_python", "theirs"): 1.0,
        ("irrelevance", "ours"): 0.0,
        ("irrelevance", "theirs"): 0.0,
    }
    (table,) = bfcl(report)
    assert table.columns == ("contestant", "simple_python", "irrelevance")
    first, second, granite = table.rows[:3]
    assert (first.head, first.cells[0].text) == ("scripted/some · oneline, BFCL's rules", "100.0 %")
    assert second.cells[0].text == "50.0 %"
    assert (granite.head, granite.cells[1].text, granite.published) == ("Granite-4.0-350m", "60.8 %", True)


def test_what_ours_were_trained_on_stands_under_the_public_rows(wheel: Path, tmp_path: Path) -> None:
    import_bfcl(wheel=wheel)
    models = [Scripted(answer, "smol/tools?seed=1"), Scripted(answer, "scripted/some")]
    with Store(str(tmp_path / "store.db")) as store:
        report = build_report(store, anyio.run(run, Plan.make(load_suite("bfcl"), models, ["oneline"]), store).id)
    said = (
        " smol/tools: trained on made-up tools and the toolbox calendar. The rules that compute what their words mean "
        "were made in sight of simple_python and irrelevance."
    )
    assert bfcl(report)[0].note.endswith(said)
    report["contestants"] = report["contestants"][1:]
    assert "trained" not in bfcl(report)[0].note
