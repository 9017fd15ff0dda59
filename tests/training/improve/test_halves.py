"""Which cases are held out, and which suites are not to be learned from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toolmend.errors import BadOption
from toolmend.evals.suites.suite import load_suite
from toolmend.training.improve.halves import check_share, held_cases, is_dev, kept_for_testing, usual_share

DEV, TEST, BLOG = (load_suite(name) for name in ("calendar_dev", "calendar_test", "calendar"))


def test_half_of_a_large_suite_is_held_out() -> None:
    assert (usual_share(DEV), usual_share(BLOG)) == (0.5, 0.0)


def test_a_case_stays_on_its_side_as_the_share_grows() -> None:
    assert held_cases(DEV, 0.3) < held_cases(DEV, 0.5) < frozenset(DEV.cases())


def test_cases_with_the_same_first_request_are_on_one_side() -> None:
    assert {name.split("/")[0] for name in held_cases(BLOG, 0.99)} == {e.id for e in BLOG.experiments}
    assert held_cases(BLOG, 0.001) == frozenset()


@pytest.mark.parametrize(("held", "what"), [((), "judge by"), (DEV.cases(), "learn from")])
def test_a_share_that_leaves_nothing_is_refused(held: object, what: str) -> None:
    with pytest.raises(BadOption, match=f"leaves none of the 30 cases of 'calendar_dev' to {what}; try --hold 0"):
        check_share(DEV, held, 0.5)  # type: ignore[arg-type]


def test_no_share_needs_nothing() -> None:
    check_share(DEV, (), 0.0)


def test_a_suite_kept_for_testing_is_known_by_its_name() -> None:
    assert kept_for_testing(TEST) == "'calendar_test' is kept for testing"


def test_and_by_its_requests_under_another_name() -> None:
    said = kept_for_testing(replace(TEST, name="mine"))
    assert said is not None and said.endswith("requests of 'calendar_test', which is kept for testing")


def test_a_public_benchmark_is_kept_for_testing() -> None:
    said = kept_for_testing(replace(DEV, name="bfcl", notation="bfcl"))
    assert said == "'bfcl' is a public benchmark, and so kept for testing"


@pytest.mark.parametrize(("suite", "dev"), [(DEV, True), (BLOG, False)])
def test_others_may_be_learned_from(suite: object, dev: bool) -> None:
    assert kept_for_testing(suite) is None  # type: ignore[arg-type]
    assert is_dev(suite) is dev  # type: ignore[arg-type]
