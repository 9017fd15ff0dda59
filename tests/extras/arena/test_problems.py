"""What once kept a stranger from a first success, a test each; the numbers are those of the report on that walk."""

from __future__ import annotations

from pathlib import Path

import pytest

from arenas import LUNCH, make
from loops import alive
from toolmend.base.errors import BadOption
from toolmend.evals.running.plan import Plan
from toolmend.evals.suites.suite import load_suite
from toolmend.extras.arena.choices import usual_contestants


@alive
async def test_9_a_mistake_is_given_with_words_about_it_or_not_at_all(tmp_path: Path) -> None:
    arena = make(tmp_path / "arena.db")
    desk = await arena.open("ann")
    await desk.send("both", LUNCH)
    with pytest.raises(BadOption, match="say what is wrong with that reply"):
        desk.copy("left", text="  ")
    assert len(desk.view().right.turns) == 1
    arena.close()


def test_10_votes_and_runs_name_a_contestant_alike() -> None:
    models = ["smol/calendar", "builtin/small"]
    played = Plan.make(load_suite("calendar"), models, []).players
    assert [each.name for each in usual_contestants(models)] == [f"{each.models} · {each.way}" for each in played]
