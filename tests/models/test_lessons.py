"""What the models that ship were trained on is known of each, and of nobody else."""

from __future__ import annotations

from toolmend.models import builtin, smol
from toolmend.models.lessons import LESSONS, lessons


def test_every_model_that_ships_says_what_it_was_trained_on() -> None:
    assert sorted(LESSONS) == [*(f"builtin/{name}" for name in builtin.names()), *(f"smol/{n}" for n in smol.names())]


def test_nothing_is_said_of_others() -> None:
    given = ["smol/tools?seed=1", "smol/tools", "gguf/smollm2", "smol/./mine"]
    assert lessons(given) == " smol/tools: trained on made-up tools and the toolbox calendar."
