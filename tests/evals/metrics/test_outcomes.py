"""What a sample came to, in values by step: counted as rates.py counts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolmend.base.events import Asked, Corrected, Event, Finished, Marked, Replied, Tried
from toolmend.base.messages import Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.metrics import rates
from toolmend.evals.metrics.outcomes import SampleOutcome, outcome
from toolmend.evals.store import Sample
from toolmend.evals.suites.suite import Suite

Make = Callable[..., Sample]

TIME = Mistake(Kind.WRONG_VALUE, "time", "f", "17:00", "05:00")
Found = Sequence[Mistake]


def graded(turn: int, found: Found, step: int = 0, model: str = "m", text: str = "") -> list[Event]:
    marks = (Mark.MISTAKE,) * len(found) or (Mark.CORRECT,)
    return [
        Asked(turn, f"said {turn}"),
        Replied(turn, text or f"reply {turn}", model=model, usage=Usage(10, 5, 0.5)),
        Marked(turn, marks, tuple(found), True, step),
    ]


def corrected(turn: int, found: Found, step: int = 0) -> list[Event]:
    return [Corrected(turn, Correction("…", 2), turn - 1), *graded(turn, found, step)]


def two_steps(sample: Make) -> Sample:
    """Step 0 right at once, given up when doubted; step 1 wrong, mended when told, not by the control."""
    doubted = Tried(0, "false", Correction("…", 1), "gave in", (), (TIME,))
    again = Tried(1, "level 0", Correction("…", 0), "…", (), (TIME,), (TIME,))
    return sample([*graded(0, ()), doubted, *graded(1, (TIME,), 1), again, *corrected(2, (), 1), Finished()])


def test_values_by_step(sample: Make) -> None:
    assert outcome(two_steps(sample), {"main": 1}).values == {
        "first_right": {0: 1.0, 1: 0.0},
        "fix_at_1": {1: 1.0},
        "net_fix": {1: 1.0},
        "regress": {0: 1.0},
        "done": {0: 1.0},
        "tokens": {0: 45.0},
        "seconds": {0: 1.5},
        "request_input_tokens": {0: 10.0, 1: 10.0},
        "request_seconds": {0: 0.5, 1: 0.5},
    }


def test_a_request_costs_all_replies_to_its_first_answer(sample: Make) -> None:
    asked, reply, marked = graded(0, (TIME,))
    found = outcome(sample([asked, reply, reply, marked, *corrected(1, ()), Finished()])).values
    assert (found["request_input_tokens"], found["request_seconds"]) == ({0: 20.0}, {0: 1.0})
    assert (found["tokens"], found["seconds"]) == ({0: 45.0}, {0: 1.5})


def test_what_was_said_at_a_step(sample: Make) -> None:
    said = outcome(two_steps(sample)).steps[1]
    assert (said.asked, said.reply, said.mistakes) == ("said 1", "reply 1", ("wrong_value(time)",))
    assert (said.marks, said.right, said.score) == (((Mark.MISTAKE,), (Mark.CORRECT,)), (False, True), 0.5)


def test_a_reply_that_the_suite_gave_is_no_first_reply_and_costs_nothing(sample: Make) -> None:
    events = [*graded(0, (TIME,), model="given"), *corrected(1, ())]
    found = outcome(sample(events, case="fixing/a"), {"fixing": 1})
    assert found.values == {"fix_at_1": {0: 1.0}, "tokens": {0: 15.0}, "seconds": {0: 0.5}}


def test_tokens_that_nobody_counted_are_no_figure(sample: Make) -> None:
    events = [Asked(0, "…"), Replied(0, "…", model="m"), Marked(0, (Mark.CORRECT,), (), True, 0)]
    assert set(outcome(sample(events)).values) == {"first_right", "done"}


def test_a_sample_that_could_not_be_run_has_no_figure(sample: Make) -> None:
    assert outcome(sample(status="error")) == SampleOutcome(
        "main/lunch", "scripted/canned", "oneline", 0, "corrected", ok=False
    )


def test_outcomes_agree_with_the_report(calendar: Suite, played: Callable[..., Any], sample: Make) -> None:
    """Whatever is played, the values are the report's hits and trials."""
    (experiment,) = (each for each in calendar.experiments if each.id == "complete")
    case = experiment.cases[0]
    wrong = iter(range(1000))

    def reply(_request: object) -> str:
        number = next(wrong)
        return "Sorry." if number % 5 == 4 else case.steps[number % len(case.steps)].reference

    done = sample(played(reply, case, experiment).events, case=f"complete/{case.id}")
    found, tally = outcome(done, {"complete": 3}), rates.tally([done], {"complete": 3})[done.contestant]
    counts = {
        "first_right": rates.rate(tally.first),
        "fix_at_1": rates.headline(tally.trials),
        "done": rates.rate([(case, hit) for case, hit, _ in tally.dialogues]),
    }
    for name, rate in counts.items():
        values = found.values[name].values()
        assert (sum(values), len(values)) == (rate.hits, rate.trials)
    net, values = rates.net_fix(tally.trials), found.values["net_fix"].values()
    assert net.pairs == len(values) > 1
    assert net.value is not None and abs(net.value - sum(values) / len(values)) < 1e-12
