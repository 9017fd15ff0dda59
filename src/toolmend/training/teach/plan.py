"""How large a model and how long a training: from the tools, the minutes there are, and the speed of this machine.

The plan is kept in the work folder: a killed training goes on with the same one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from toolmend.errors import BadFile, BadOption

BATCH = 4096
BUCKETS = (64, 128, 192, 256, 384, 512)
WINDOW = 768
VOCABULARY = 1024
_A_TOOL, _FEWEST, _MOST = 900_000, 4_000_000, 16_000_000
_LEAST = 40 * BATCH


@dataclass(frozen=True)
class Plan:
    """Positions to see, and the speed measured on this machine in positions a second; `taught` identifies the data."""

    positions: int
    speed: float
    taught: str

    @property
    def seconds(self) -> float:
        """What the training takes, by that speed."""
        return self.positions / self.speed


def wanted(tools: int) -> int:
    """Positions for that many tools, if there is time."""
    return max(_FEWEST, min(_MOST, tools * _A_TOOL))


def plan_for(tools: int, minutes: float, speed: float, taught: str) -> Plan:
    """As much as is wanted, or as the minutes allow. Raises BadOption for too few of them."""
    possible = int(minutes * 60 * 0.95 * speed)
    if possible < _LEAST:
        least = _LEAST / speed / 57
        raise BadOption(f"--minutes {minutes:g} is too short to learn anything here; give {least:.1f} at least")
    return Plan(min(wanted(tools), possible) // BATCH * BATCH, speed, taught)


def kept(work: Path, taught: str) -> Plan | None:
    """The plan of a training that was begun in this folder; None if none was. Raises BadOption if it was another's."""
    path = work / "plan.json"
    if not path.exists():
        return None
    try:
        found = Plan(**json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise BadFile(path, f"no plan of a training ({error}); delete the folder to begin anew") from error
    if found.taught != taught:
        what = "the training of other tools or examples"
        raise BadOption(f"{work} holds {what}; choose another --work folder, or delete it to begin anew")
    return found


def keep(work: Path, plan: Plan) -> None:
    """Write the plan into the work folder."""
    (work / "plan.json").write_text(json.dumps(asdict(plan)) + "\n", encoding="utf-8")
