"""What a report of agents says below what was published."""

from __future__ import annotations

from typing import Any

from toolmend.extras.agents.agent_output import _lines

ROW: dict[str, Any] = {"way": "cot", "score": 0.1, "interval": None, "tasks": 10, "figures": {}, "steps": 1.0}
ROW |= {"tokens": 9.0, "seconds": 0.1, "gave_up": 0.0, "unreadable": None, "groups": {}}
BESIDE = {"what": "chain", "value": "4 %", "source": "Yao et al. 2023"}


def told(model: str, *beside: dict[str, str]) -> list[str]:
    rows = [{**ROW, "model": model}]
    run = {"suite": "game24"}
    return [*_lines({"run": run, "about": "", "steps": 9, "rows": rows, "beside": beside, "could_not_be_run": 0})][3:]


def test_what_ours_was_trained_on_stands_below_what_was_published() -> None:
    published = "- published: chain 4 % (Yao et al. 2023); context, not a comparison"
    taught = "- smol/tools: trained on made-up tools and the toolbox calendar."
    assert told("smol/tools", BESIDE) == [published, taught]
    assert (told("gguf/smollm2", BESIDE), told("smol/tools")) == ([published], [])
