"""Accepted repairs, kept in a file from talk to talk if their person wants that: which kind of candidate was meant.

    {"learn": true}
    {"person": "anna", "tools": "calendar", "model": "…", "tool": "add", "argument": "time", "why": "…", "meant": true}

Lines are only added: several talks may go on at once. The last `learn` holds; without it nothing is kept or used.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path

from toolmend.base.atomic import private_file, private_folder, written
from toolmend.base.errors import BadFile
from toolmend.session.mend.leanings import Leaning, Leanings

Whose = tuple[str, str, str]
"""Whose repairs: of one person, with one toolbox and one model, each by its name."""
_WHOSE = ("person", "tools", "model")


class LeaningFile:
    """The repairs in a file; it need not be there. Raises BadFile if that cannot be, or a line is none."""

    def __init__(self, path: Path) -> None:
        self.path, self.learn, self.counts, number = path, False, Counter[tuple[Whose, Leaning]](), 0
        try:
            for line in _lines(path):
                number += 1
                if "learn" in (row := json.loads(line)):
                    self.learn = row["learn"] is True
                else:
                    person, tools, model = map(row.pop, _WHOSE)
                    self.counts[(person, tools, model), Leaning(**row)] += 1
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"no line of repairs ({error}); `toolmend data repairs --delete` begins anew"
            raise BadFile(path, why, number or None) from error

    def switch(self, learn: bool) -> None:
        """From now on talks learn, or do not."""
        self._add({"learn": learn})
        self.learn = learn

    def leanings(self, learner: Whose) -> Leanings:
        """What was learned of them, and goes on being; nothing where learning is off."""
        known = Counter({leaning: count for (whose, leaning), count in self.counts.items() if whose == learner})
        return Leanings(known.elements(), partial(self.keep, learner)) if self.learn else Leanings()

    def keep(self, learner: Whose, leaning: Leaning) -> None:
        """One more."""
        self._add({**dict(zip(_WHOSE, learner, strict=True)), **asdict(leaning)})

    def _add(self, row: dict[str, object]) -> None:
        try:
            private_folder(self.path.parent)
            private_file(self.path)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        except OSError as error:
            raise BadFile(self.path, f"cannot be written ({error.strerror or error})") from error


def delete(path: Path, person: str | None = None) -> int:
    """Drop the repairs of a person, or of all and the file with them; how many lines went. Raises BadFile."""
    try:
        lines = _lines(path)
        kept = [line for line in lines if person is not None and json.loads(line).get("person") != person]
        if person is None:
            path.unlink(missing_ok=True)
        elif lines:
            with written(path) as part:
                private_file(part)
                part.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    except (OSError, ValueError, AttributeError) as error:
        raise BadFile(path, f"cannot be changed ({error})") from error
    return len(lines) - len(kept)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
