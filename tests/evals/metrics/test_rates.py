"""Rates from samples made by hand: every figure here can be counted on the fingers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from toolmend.base.events import Asked, Corrected, Event, Finished, Marked, Replied, Tried
from toolmend.base.messages import Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.metrics import rates
from toolmend.evals.metrics.rates import Tally, tally
from toolmend.evals.store import Sample
from toolmend.evals.suites.suite import Case, Suite

Make = Callable[..., Sample]

TIME = Mistake(Kind.WRONG_VALUE, "time", "f", "17:00", "05:00")
DATE = Mistake(Kind.WRONG_FORMAT, "date", "f")
CHATTER = Mistake(Kind.CHATTER)
Found = Sequence[Mistake]


def graded(turn: int, found: Found, step: int = 0, model: str = "m") -> list[Event]:
    """A reply with its mistakes."""
    marks = (Mark.MISTAKE,) * len(found) or (Mark.CORRECT,)
    return [Asked(turn, "…"), Replied(turn, "…", model=model), Marked(turn, marks, tuple(found), True, step)]


def corrected(turn: int, found: Found, step: int = 0, level: int = 2) -> list[Event]:
    """The reply to a correction of the turn before."""
    return [Corrected(turn, Correction("…", level), turn - 1), *graded(turn, found, step)]


def tried(turn: int, level: int, found: Found, after: Found = (TIME,)) -> Event:
    """A branch after a wrong reply."""
    return Tried(turn, f"level {level}", Correction("…", level), "…", (), tuple(found), tuple(after))


def unfounded(turn: int, found: Found) -> Event:
    """A branch after a right reply."""
    return Tried(turn, "false", Correction("…", 1), "…", (), tuple(found))


def tally_of(*samples: Sample, **limits: int) -> Tally:
    (made,) = tally(samples, limits).values()
    return made


@pytest.fixture
def three(sample: Make) -> Tally:
    """Three wrong replies; what came of level 2 (the talk itself), and of the branches of levels 0, 1 and 3."""
    outcomes = {"a": ((), (), (), ()), "b": ((), (TIME,), (TIME,), ()), "c": ((TIME,), (TIME,), (), (TIME, DATE))}
    samples = []
    for case, (headline, zero, one, three) in outcomes.items():
        branches = [tried(0, 0, zero), tried(0, 1, one), tried(0, 3, three)]
        samples.append(
            sample([*graded(0, (TIME,)), *branches, *corrected(1, headline), Finished()], case=f"main/{case}")
        )
    return tally_of(*samples, main=1)


def counted(rate: rates.Rate) -> tuple[int, int]:
    return rate.hits, rate.trials


# fixing --------------------------------------------------------------------------------------------------------------


def test_fix_at_1_is_that_of_the_talk_itself(three: Tally) -> None:
    found = rates.headline(three.trials)
    assert (counted(found), found.value) == ((2, 3), 2 / 3)


@pytest.mark.parametrize(("level", "hits"), [(0, 1), (1, 2), (2, 2), (3, 2)])
def test_fix_at_1_by_level(three: Tally, level: int, hits: int) -> None:
    assert counted(rates.fixed_at_level(three.trials, level)) == (hits, 3)


def test_net_fix_is_the_difference_to_the_control_on_the_same_replies(three: Tally) -> None:
    found = rates.net_fix(three.trials)
    assert (found.value, found.pairs) == (1 / 3, 3)
    assert found.low < 1 / 3 < found.high


def test_a_branch_and_the_talk_follow_the_same_reply(three: Tally) -> None:
    assert {trial.place for trial in three.trials} == {("main/a", 0, 0), ("main/b", 0, 0), ("main/c", 0, 0)}


def test_net_fix_leaves_out_what_has_no_control(sample: Make) -> None:
    alone = sample([*graded(0, (TIME,)), *corrected(1, ()), Finished()], case="main/a")
    pair = sample([*graded(0, (TIME,)), tried(0, 0, ()), *corrected(1, (TIME,)), Finished()], case="main/b")
    found = tally_of(alone, pair, main=1).trials
    assert (rates.net_fix(found).value, rates.net_fix(found).pairs) == (-1.0, 1)
    assert counted(rates.headline(found)) == (1, 2)


def test_two_wrong_steps_of_one_talk_are_two_pairs(sample: Make) -> None:
    first = [*graded(0, (TIME,)), tried(0, 0, ()), *corrected(1, ())]
    second = [*graded(2, (TIME,), 1), tried(2, 0, (TIME,)), *corrected(3, (), 1)]
    found = rates.net_fix(tally_of(sample([*first, *second, Finished()])).trials)
    assert (found.value, found.pairs) == (0.5, 2)


def test_without_a_pair_there_is_no_net_fix(sample: Make) -> None:
    found = rates.net_fix(tally_of(sample([*graded(0, ()), Finished()])).trials)
    assert (found.value, found.low, found.high, found.pairs) == (None, -1.0, 1.0, 0)


def test_a_level_is_the_one_that_was_said(sample: Make) -> None:
    lower = Tried(0, "level 3", Correction("…", 2), "…", (), (), (TIME,))
    found = tally_of(sample([*graded(0, (TIME,)), lower, Finished()])).trials
    assert [trial.level for trial in found] == [2]


def test_the_mistake_that_was_named_may_be_gone_with_another_left(sample: Make) -> None:
    found = tally_of(sample([*graded(0, (CHATTER, TIME)), *corrected(1, (CHATTER,)), Finished()])).trials
    assert (counted(rates.headline(found)), counted(rates.headline(found, named=True))) == ((0, 1), (1, 1))


def test_a_trial_is_of_the_kind_that_was_named(sample: Make) -> None:
    found = tally_of(sample([*graded(0, (CHATTER, TIME)), *corrected(1, ()), Finished()])).trials
    assert [trial.kind for trial in found] == ["wrong_value"]


@pytest.mark.parametrize(
    ("later", "within"),
    [
        ([()], {1: (1, 1), 2: (1, 1), 3: (1, 1)}),
        ([(TIME,), ()], {1: (0, 1), 2: (1, 1), 3: (1, 1)}),
        ([(TIME,), (TIME,), (TIME,)], {1: (0, 1), 2: (0, 1), 3: (0, 1)}),
    ],
)
def test_fix_at_k(sample: Make, later: list[Found], within: dict[int, tuple[int, int]]) -> None:
    replies = [event for turn, found in enumerate(later, 1) for event in corrected(turn, found)]
    made = tally_of(sample([*graded(0, (TIME,)), *replies, Finished()]), main=3)
    assert {k: counted(rates.rate(pairs)) for k, pairs in made.within.items()} == within


def test_fix_at_k_leaves_out_where_k_were_not_allowed(sample: Make) -> None:
    short = sample([*graded(0, (TIME,)), *corrected(1, ()), Finished()], case="short/a")
    long = sample([*graded(0, (TIME,)), *corrected(1, (TIME,)), *corrected(2, ()), Finished()], case="long/a")
    made = tally_of(short, long, short=1, long=3)
    assert {k: counted(rates.rate(pairs)) for k, pairs in made.within.items()} == {1: (1, 2), 2: (1, 1), 3: (1, 1)}


def test_three_corrections_are_the_limit_where_nothing_is_said(sample: Make) -> None:
    made = tally_of(sample([*graded(0, (TIME,)), *corrected(1, ()), Finished()]))
    assert sorted(made.within) == [1, 2, 3]


# right replies, whole talks ------------------------------------------------------------------------------------------


def test_regress_is_of_right_replies_only(sample: Make) -> None:
    events = [*graded(0, ()), unfounded(0, ()), *graded(1, (), 1), unfounded(1, (TIME,)), Finished()]
    assert counted(rates.rate(tally_of(sample(events)).groundless)) == (1, 2)


def test_first_right_counts_requests_not_corrections(sample: Make) -> None:
    made = tally_of(sample([*graded(0, (TIME, DATE)), *corrected(1, ()), *graded(2, (), 1), Finished()]))
    assert counted(rates.rate(made.first)) == (1, 2)
    assert made.kinds == {"wrong_value(time)": 1, "wrong_format(date)": 1}


def test_done_is_every_step_right_in_the_end(sample: Make) -> None:
    mended = sample([*graded(0, (TIME,)), *corrected(1, ()), *graded(2, (), 1), Finished()], attempt=0)
    not_mended = sample([*graded(0, (TIME,)), *corrected(1, (TIME,)), *graded(2, (), 1), Finished()], attempt=1)
    given_up = sample([*graded(0, ()), Finished("gave_up")], attempt=2)
    made = tally_of(mended, not_mended, given_up)
    assert made.dialogues == [("main/lunch", True, 3), ("main/lunch", False, 3), ("main/lunch", False, 1)]


def test_turns_to_done_are_those_of_talks_that_were_done() -> None:
    assert rates.turns_to_done([("a", True, 3), ("a", True, 6), ("a", False, 9)]) == 4.5
    assert rates.turns_to_done([("a", False, 9)]) is None


@pytest.mark.parametrize(("k", "share"), [(1, 0.6), (2, 0.3), (3, 0.1), (5, 0.0), (6, None)])
def test_pass_k(k: int, share: float | None) -> None:
    assert rates.pass_all([("a", done, 1) for done in (True, True, True, False, False)], k) == share


def test_pass_k_is_averaged_over_cases_with_enough_attempts() -> None:
    attempts = [("a", True, 1), ("a", True, 1), ("b", True, 1), ("b", False, 1), ("c", True, 1)]
    assert (rates.pass_all(attempts, 1), rates.pass_all(attempts, 2)) == (2.5 / 3, 0.5)


# what is in no rate --------------------------------------------------------------------------------------------------


def test_the_mistake_nobody_can_avoid_is_in_no_rate(played: Callable[..., Any], calendar: Suite, sample: Make) -> None:
    dialogue: Case = calendar.experiments[1].cases[0]
    found = played([step.reference for step in dialogue.steps], dialogue)
    made = tally_of(sample(found.events))
    assert (made.trials, dict(made.kinds), dict(made.within)) == ([], {}, {})
    assert counted(rates.rate(made.first)) == (6, 6)
    assert made.dialogues == [("main/lunch", True, 6)]


def test_samples_that_could_not_be_run_are_counted_apart(sample: Make) -> None:
    events = [*graded(0, (TIME,)), *corrected(1, ()), Finished()]
    made = tally_of(sample(events, status="error", detail="down"), sample([], status="error", attempt=1))
    assert (made.samples, made.errors) == (2, 2)
    assert (made.trials, made.first, made.dialogues, made.replies) == ([], [], [], [])


def test_a_given_reply_is_mended_but_nobodys(sample: Make) -> None:
    made = tally_of(sample([*graded(0, (TIME,), model="given"), tried(0, 0, ()), *corrected(1, ()), Finished()]))
    assert (made.first, dict(made.kinds), made.dialogues, len(made.replies)) == ([], {}, [], 1)
    assert (counted(rates.headline(made.trials)), rates.net_fix(made.trials).pairs) == ((1, 1), 1)


def test_a_talk_with_given_replies_is_none_that_can_be_done_or_given_up(sample: Make) -> None:
    made = tally_of(sample([*graded(0, (TIME,), model="given"), *corrected(1, (TIME,)), Finished("gave_up")]))
    assert made.dialogues == []


def test_contestants_are_kept_apart(sample: Make) -> None:
    events = [*graded(0, ()), Finished()]
    made = tally([sample(events), sample(events, model="other/x"), sample(events, strategy="other")])
    assert list(made) == [("scripted/canned", "oneline"), ("other/x", "oneline"), ("scripted/canned", "other")]


def test_how_replies_came_is_counted(sample: Make) -> None:
    events = [
        Replied(0, "", finish="empty", unmet=("max_tokens: 8 asked, 16 given", "stop: a asked, it stands", "stop: x")),
        Replied(1, "x", truncated=True, unmet=("max_tokens: 8 asked, 17 given",)),
        Replied(2, "x", cached=True),
        Replied(3, "", model="given", finish="empty"),
    ]
    (found,) = tally([sample(events)]).values()
    assert found.outcomes == {"empty": 1, "truncated": 1, "cached": 1}
    assert found.unmet == {"max_tokens": 2, "stop": 1}


def test_every_reply_of_a_turn_has_its_cost(sample: Make) -> None:
    two = [Replied(0, "…", role="plan", usage=Usage(10, 1, 0.5)), Replied(0, "…", usage=Usage(20, 2, 1.5))]
    made = tally_of(sample([*two, Marked(0, (Mark.CORRECT,)), Finished()]))
    assert made.replies == [(10, 1, 0.5), (20, 2, 1.5)]


def test_one_trial_a_case_has_wilsons_interval() -> None:
    found = rates.rate([("a", True), ("b", True), ("c", False)])
    assert (round(found.low, 3), round(found.high, 3)) == (0.208, 0.939)


def test_no_trial_says_nothing() -> None:
    found = rates.rate([])
    assert (found.value, found.low, found.high) == (None, 0.0, 1.0)
