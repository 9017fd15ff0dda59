"""Accepted repairs, kept in a file from talk to talk if their person wants that: which kind of candidate was meant.

    {"learn": true}
    {"person": "anna", "tools": "calendar", "model": "…", "tool": "add", "argument": "time", "why": "…", "meant": true}

Lines are only added, so that several talks may go on at once; the last `learn` holds. No value and no word of a talk is
in it. Without `learn` nothing is kept, and nothing that was kept is used.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile
from toolmend.mend.leanings import Leaning, Leanings

_ANEW = "toolmend data repairs --delete"


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose repairs: of one person, with one toolbox and one model, each by its name."""

    person: str
    tools: str
    model: str


class LeaningFile:
    """The repairs in a file; it need not be there. Raises BadFile if that cannot be, or a line is none."""

    def __init__(self, path: Path) -> None:
        self.path, self.learn = path, False
        self.counts = Counter[tuple[Whose, Leaning]]()
        for number, line in enumerate(self._lines(), 1):
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise BadFile(path, f"no line of repairs; `{_ANEW}` begins anew", number) from error

    def switch(self, learn: bool) -> None:
        """From now on talks learn, or do not."""
        self._add({"learn": learn})
        self.learn = learn

    def leanings(self, learner: Whose) -> Leanings:
        """What was learned of them, and goes on being; nothing where learning is off."""
        if not self.learn:
            return Leanings()
        known = Counter({repair: count for (whose, repair), count in self.counts.items() if whose == learner})
        return Leanings(known.elements(), partial(self.keep, learner))

    def keep(self, learner: Whose, repair: Leaning) -> None:
        """One more."""
        self._add({**asdict(learner), **asdict(repair)})
        self.counts[learner, repair] += 1

    def _take(self, row: dict[str, Any]) -> None:
        if "learn" in row:
            self.learn = row["learn"] is True
            return
        whose = Whose(**{field.name: row[field.name] for field in fields(Whose)})
        what = Leaning(**{field.name: row[field.name] for field in fields(Leaning)})
        self.counts[whose, what] += 1

    def _lines(self) -> list[str]:
        try:
            return self.path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise BadFile(self.path, f"cannot be read ({error})") from error

    def _add(self, row: dict[str, Any]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as error:
            raise BadFile(self.path, f"cannot be written ({error.strerror or error})") from error


def delete(path: Path, person: str | None = None) -> int:
    """Drop the repairs of a person, or of all and the file with them; how many lines went. Raises BadFile."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        if person is None:
            path.unlink()
            return len(lines)
        kept = [line for line in lines if json.loads(line).get("person") != person]
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        part.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
        os.replace(part, path)
    except FileNotFoundError:
        return 0
    except (OSError, ValueError, AttributeError) as error:
        raise BadFile(path, f"cannot be changed ({error})") from error
    return len(lines) - len(kept)
