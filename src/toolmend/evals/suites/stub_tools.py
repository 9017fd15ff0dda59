"""Tools that a case offers and nobody can run: every call is taken as it is and changes nothing. Suites of lines
(evals/suites/lines.py) are played with them; what is called is looked at, not what comes of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.tools import Toolbox
from toolmend.tools.speech import Speech
from toolmend.tools.tool import Tool

OWN = "toolmend.evals.offered:Toolbox"
"""The toolbox of a suite whose cases bring their own: none. Stored runs hold this name (registry.py)."""


def offered(specs: Sequence[ToolSpec]) -> Toolbox:
    """A toolbox of these tools. Arguments are not checked: whether they fit is for grading to say."""
    return Toolbox.of(*(Tool(spec, _taken, _as_it_is, _nothing) for spec in specs))


def _as_it_is(arguments: Mapping[str, Any], speech: Speech | None = None) -> tuple[dict[str, Any], tuple[str, ...]]:
    return dict(arguments), ()


def _taken(**_arguments: Any) -> str:
    return "done"


def _nothing(_value: Any) -> None:
    """Takes back a call that changed nothing."""
