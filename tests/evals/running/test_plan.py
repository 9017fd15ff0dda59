"""What a run will do: which samples, how warm, under which keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from toolmend.base.errors import BadOption, UnknownName
from toolmend.evals.running.plan import Plan
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.models import Abilities
from toolmend.models.scripted import Scripted

Write = Callable[..., Path]


def canned(name: str = "scripted/a") -> Scripted:
    return Scripted(["x"], name)


def plan_of(suite: Suite, *names: str, **options: object) -> Plan:
    return Plan.make(suite, [canned(name) for name in names or ("scripted/a",)], ["oneline"], **options)


def test_every_case_contestant_and_attempt_is_a_sample(calendar: Suite) -> None:
    samples = plan_of(calendar, "scripted/a", "scripted/b").samples()
    assert len(samples) == 2 * (1 * 5 + 1 * 1 + 12 * 3)


def test_keys_are_unique(calendar: Suite) -> None:
    samples = plan_of(calendar, "scripted/a", "scripted/b").samples()
    assert len({sample.key for sample in samples}) == len(samples)


def test_a_key_says_experiment_case_contestant_attempt_and_arm(calendar: Suite) -> None:
    sample = plan_of(calendar).samples()[-1]
    assert sample.key == "fixing/wrong API/a calendar object that does not exist|scripted/a|oneline|2|corrected"


def test_contestants_take_turns(calendar: Suite) -> None:
    first, second = plan_of(calendar, "scripted/a", "scripted/b").samples()[:2]
    assert (first.case_name, second.case_name) == ("reliability/first", "reliability/first")
    assert [first.player.name, second.player.name] == ["scripted/a · oneline", "scripted/b · oneline"]


def test_several_attempts_are_warm_with_seeds_from_one(calendar: Suite) -> None:
    samples = [sample for sample in plan_of(calendar).samples() if sample.experiment.id == "reliability"]
    assert [(s.attempt, s.options.seed, s.options.temperature) for s in samples] == [
        (0, 1, 0.7),
        (1, 2, 0.7),
        (2, 3, 0.7),
        (3, 4, 0.7),
        (4, 5, 0.7),
    ]


def test_a_single_attempt_is_greedy(calendar: Suite) -> None:
    (sample,) = [sample for sample in plan_of(calendar).samples() if sample.experiment.id == "complete"]
    assert (sample.options.temperature, sample.options.seed) == (0.0, 1)


def test_greedy_attempts_would_be_the_same_again(calendar: Suite) -> None:
    plan = plan_of(calendar, temperature=0.0)
    assert {sample.attempt for sample in plan.samples()} == {0}
    assert plan.notices() == [
        "temperature 0 gives the same reply every time: one attempt in reliability, fixing",
    ]


def test_no_notice_where_nothing_is_cut(calendar: Suite) -> None:
    assert plan_of(calendar).notices() == []
    assert plan_of(calendar, temperature=0.0, attempts=1).notices() == []


def test_options_replace_what_the_suite_says(calendar: Suite) -> None:
    plan = plan_of(calendar, attempts=2, temperature=0.3, history="gold", first_seed=11)
    assert {(e.attempts, e.history) for e in plan.experiments()} == {(2, "gold")}
    assert {(s.options.temperature, s.options.seed) for s in plan.samples()} == {(0.3, 11), (0.3, 12)}


def test_the_same_plan_is_the_same_run(calendar: Suite) -> None:
    assert plan_of(calendar).config().key == plan_of(calendar).config().key


@pytest.mark.parametrize(
    "options",
    [{"attempts": 2}, {"temperature": 0.5}, {"history": "gold"}, {"first_seed": 2}],
    ids=lambda x: next(iter(x)),
)
def test_another_option_is_another_run(calendar: Suite, options: dict[str, object]) -> None:
    assert plan_of(calendar, **options).config().key != plan_of(calendar).config().key


def test_another_contestant_or_suite_is_another_run(calendar: Suite) -> None:
    key = plan_of(calendar).config().key
    assert plan_of(calendar, "scripted/b").config().key != key
    assert plan_of(replace(calendar, hash="other")).config().key != key


def test_the_configuration_says_what_each_experiment_is_played_with(calendar: Suite) -> None:
    config = plan_of(calendar).config()
    found = [
        (e["id"], e["attempts"], e["corrections"], e["options"]["temperature"]) for e in config.settings["experiments"]
    ]
    assert found == [("reliability", 5, 0, 0.7), ("complete", 1, 3, 0.0), ("fixing", 3, 3, 0.7)]
    assert (config.attempts, config.seeds, config.temperature) == (5, (1, 2, 3, 4, 5), 0.7)


def test_the_configuration_says_who_is_reminded(calendar: Suite) -> None:
    assert "reminders" not in plan_of(calendar).config().settings
    config = plan_of(calendar, "scripted/a", "scripted/gemini").config()
    assert config.settings["reminders"] == {"scripted/gemini": "Answer with an API call from the provided API."}


def test_a_contestant_stands_once(calendar: Suite) -> None:
    with pytest.raises(BadOption, match="a contestant stands twice"):
        plan_of(calendar, "scripted/a", "scripted/a")


def test_names_are_checked_before_anything_runs(calendar: Suite) -> None:
    with pytest.raises(UnknownName, match="unknown strategy 'onelin'"):
        Plan.make(calendar, [canned()], ["onelin"])


def test_without_a_strategy_every_model_has_its_own(calendar: Suite) -> None:
    class Wordy(Scripted):
        abilities = Abilities(strategy="spoken")

    players = Plan.make(calendar, [canned(), Wordy(["x"], "scripted/wordy")], []).players
    assert [player.strategy.name for player in players] == ["oneline", "spoken"]


def test_a_model_of_another_toolbox_is_refused(suite_file: Write) -> None:
    class Narrow(Scripted):
        abilities = Abilities(toolboxes=("lamps",))

    with pytest.raises(BadOption, match="was trained for the toolbox lamps only"):
        Plan.make(read_suite(suite_file()), [Narrow(["x"])], ["oneline"])
