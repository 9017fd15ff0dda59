"""LLMaker's requests as a suite: the bars of right replies, of doing nothing and of replies with one thing wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from input_tokens import measured, ratio
from toolmend.base.errors import BadFile, BadOption
from toolmend.base.events import Looked
from toolmend.evals.benchmarks.published import published_data
from toolmend.evals.reports.llmaker import BROKEN
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.selftest import SuiteTrial
from toolmend.evals.suites.selftest import test_suite as try_suite
from toolmend.evals.suites.suite import Step, Suite, load_suite
from toolmend.grading.worlds import Seen
from toolmend.tools import Toolbox


@pytest.fixture(scope="module")
def cases(shared: Path) -> Path:
    """The file of published requests."""
    return shared / "facts" / "llmaker_cases.json"


@pytest.fixture(scope="module")
def llmaker(cases: Path) -> Suite:
    """The suite."""
    return load_suite("llmaker", cases=str(cases))


def marked(report: Any) -> Iterator[dict[str, Any]]:
    """Every object of a report that has one of the two keys, wherever it stands."""
    if isinstance(report, dict):
        if {"strict", "published"} & report.keys():
            yield report
        for value in report.values():
            yield from marked(value)
    elif isinstance(report, list):
        for value in report:
            yield from marked(value)


def played(suite: Suite, store: Store, model: str, *strategies: str) -> dict[str, Any]:
    """The report of a run."""
    return build_report(store, anyio.run(run, Plan.make(suite, [model], list(strategies)), store).id)


@pytest.mark.needs_shared
def test_its_world_takes_no_words_for_values(llmaker: Suite) -> None:
    assert llmaker.toolbox(next(iter(llmaker.cases().values()))).spoken_values is False


@pytest.mark.needs_shared
def test_fifty_requests_in_five_cases(llmaker: Suite) -> None:
    [experiment] = llmaker.experiments
    groups = [case.group for case in experiment.cases]
    assert {group: groups.count(group) for group in groups} == {"T1": 7, "T2": 9, "T3": 10, "T4": 11, "T5": 13}
    assert (experiment.corrections, experiment.branches, experiment.attempts) == (0, (), 1)


@pytest.mark.needs_shared
@pytest.mark.parametrize("strategy", ["oneline", "native", "freyr", "react", "spoken"])
def test_the_oracle_does_all_strictly_and_what_can_be_done_by_the_published_checks(
    llmaker: Suite, store: Store, strategy: str
) -> None:
    steps = list(marked(played(llmaker, store, "scripted/oracle", strategy)))
    assert (len(steps), sum(step["strict"] for step in steps), sum(step["published"] for step in steps)) == (50, 50, 47)
    assert {f"{step['case']}.{step['step']}" for step in steps if not step["published"]} == set(BROKEN)


@pytest.mark.needs_shared
@pytest.mark.parametrize("strategy", ["oneline", "native", "freyr"])
def test_doing_nothing_passes_three_published_checks_and_no_strict_one(
    llmaker: Suite, store: Store, strategy: str
) -> None:
    steps = list(marked(played(llmaker, store, "scripted/idle", strategy)))
    assert {f"{step['case']}.{step['step']}" for step in steps if step["published"]} == {"T1.7", "T4.5", "T5.8"}
    assert not any(step["strict"] for step in steps)


@pytest.fixture(scope="module")
def tried(llmaker: Suite) -> list[SuiteTrial]:
    """Every reference and every mutant, in the world."""
    return try_suite(llmaker)


@pytest.mark.needs_shared
def test_with_one_meaningful_argument_changed_the_strict_checks_fail(tried: list[SuiteTrial]) -> None:
    changed = [each for each in tried if each.name == "world: changed argument"]
    places = {each.place for each in tried}
    caught = places - {each.place for each in changed if not each.ok}
    assert (len(places), len({each.place for each in changed})) == (50, 48)  # two are refusals: their words are tried
    assert len(caught) >= 0.95 * 50


@pytest.mark.needs_shared
def test_the_self_test_has_no_failure(tried: list[SuiteTrial]) -> None:
    assert [str(each) for each in tried if not each.ok] == []


@pytest.mark.needs_shared
def test_the_report_names_broken_checks_and_what_was_printed(llmaker: Suite, store: Store) -> None:
    part = played(llmaker, store, "scripted/oracle", "native")["llmaker"]
    assert set(part["broken"]) == {"T4.2", "T4.6", "T5.8"}
    assert part["totals"][3] == {
        "contestant": "scripted/oracle · native",
        "case": "T4",
        "requests": 11,
        "ours": 11,
        "theirs": 9,
    }
    assert part["printed"] == published_data("freyr") and part["printed"]["date"] == "2025-01"


@pytest.mark.needs_shared
def test_the_levels_before_and_after_are_kept(llmaker: Suite, store: Store) -> None:
    finished = anyio.run(run, Plan.make(llmaker, ["scripted/oracle"], ["oneline"]), store)
    for sample in store.samples(finished.id, only=(Looked,)):
        [looked] = sample.events
        case = llmaker.cases()[sample.case]
        assert isinstance(looked, Looked) and looked.was == llmaker.toolbox(case).state()


@pytest.mark.needs_shared
def test_it_can_be_loaded_again_by_its_path(llmaker: Suite) -> None:
    assert load_suite(llmaker.path).hash == llmaker.hash


# the file of cases ---------------------------------------------------------------------------------------------------

ROOM = {"p": "rooms", "eq": 1}
EMPTY = {"current": "", "rooms": [], "corridors": []}


def written(path: Path, **changes: Any) -> Path:
    """A file with one request, with changes."""
    step = {"step": 1, "request": "Make a room in a swamp", "start_level": "empty"}
    step |= {"published_domain_check": [ROOM], "published_design_check": [], **changes}
    path.write_text(json.dumps({"cases": [{"case": "T1", "steps": [step]}], "levels": {"empty": EMPTY}}))
    return path


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "requests and strict checks do not agree on T1.2, "),
        ({"step": 99}, "T1.99 is none of the 50 requests"),
        ({"request": 3}, "does not hold cases and levels as it should (TypeError"),
        ({"start_level": "full"}, "does not hold cases and levels as it should (KeyError('full'))"),
        ({"published_design_check": [{"p": "maybe"}]}, "{'p': 'maybe'} is no known predicate"),
    ],
)
def test_a_file_that_is_not_as_it_should_be(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    path = written(tmp_path / "cases.json", **changes)
    with pytest.raises(BadFile) as caught:
        load_suite("llmaker", cases=str(path))
    assert str(caught.value).startswith(f"{path}: {told}") and "\n" not in str(caught.value)


def test_a_starting_level_that_cannot_be(tmp_path: Path) -> None:
    path = written(tmp_path / "cases.json")
    path.write_text(path.read_text().replace('"rooms": []', '"rooms": 3'))
    with pytest.raises(BadFile, match=r"cases.json: T1.1: its starting level cannot be: "):
        load_suite("llmaker", cases=str(path))


def test_without_a_file_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(
        BadOption, match=r"^suite llmaker needs --cases PATH: the published requests and levels are not"
    ):
        load_suite("llmaker")
    with pytest.raises(BadFile, match=r"gone.json: cannot be read \(No such file or directory\)"):
        load_suite("llmaker", cases=str(tmp_path / "gone.json"))
    (tmp_path / "text.json").write_text("T1")
    with pytest.raises(BadFile, match=r"text.json: is no JSON"):
        load_suite("llmaker", cases=str(tmp_path / "text.json"))


def test_what_the_paper_printed_has_source_and_date_and_no_key_of_ours() -> None:
    data = published_data("freyr")
    assert data["source"].startswith("R. Gallotta") and data["date"] == "2025-01"
    assert list(marked(data)) == []
    assert {"who": "Freyr, Qwen 2.5", "T2": "89", "T4": "52"} in data["rows"]


@pytest.mark.needs_shared
def test_freyr_reads_a_fifth_of_what_native_reads_at_most(llmaker: Suite) -> None:
    freyr, native = measured(llmaker, "freyr"), measured(llmaker, "native")
    assert [each.calls for each in freyr] == [each.calls for each in native] and len(freyr) == 50
    assert ratio(freyr, native, lambda each: each.tokens) <= 0.2
    assert all(0 < each.fresh <= each.tokens for each in [*freyr, *native])


def pairs(cases: Path, suite: Suite) -> Iterator[tuple[dict[str, Any], Step, Any, Any]]:
    """Every published request with its step, its level, and the authors' own next one."""
    data = json.loads(cases.read_text())
    box, steps = Toolbox.load("dungeon-cases"), suite.cases()

    def level(name: str) -> Any:
        box.set_state(data["levels"][name])
        return box.state()

    for case in data["cases"]:
        for one, following in zip(case["steps"], [*case["steps"][1:], None], strict=True):
            step = steps[f"steps/{case['case']}/{one['step']}"].steps[0]
            yield one, step, level(one["start_level"]), level(following["start_level"]) if following else None


@pytest.mark.needs_shared
def test_the_published_checks_judge_the_authors_levels_as_the_originals_did(cases: Path, llmaker: Suite) -> None:
    for one, step, before, after in pairs(cases, llmaker):
        check = step.beside["published"]
        assert check.holds(before, before) is one["unchanged_level_passes"], one["request"]
        assert after is None or check.holds(before, after) is one["author_next_level_passes"], one["request"]


@pytest.mark.needs_shared
def test_the_strict_checks_accept_the_authors_levels_but_one(cases: Path, llmaker: Suite) -> None:
    refused = [
        one["request"]
        for one, step, before, after in pairs(cases, llmaker)
        if after is not None and step.world and step.world.mistakes(Seen(before, after, "It is not allowed."))
    ]
    assert refused == ["Change the first enemy in the swamp to half its health and give it a sword"]  # there is none
