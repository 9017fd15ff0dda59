"""What a piece of work in several stages has done so far: one JSON file in its work folder, written whole each time.

So the same command goes on where it was killed. Knows no stage; those who use it name them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, BadOption
from toolmend.training.tune.checkpoint import write_whole

NAME = "state.json"


class Ledger:
    """The stages done in a work folder, by name. `what` says which work it is.

    Raises BadOption for the folder of another work, by the names of what differs, BadFile for one that cannot be used.
    """

    def __init__(self, work: Path, what: Mapping[str, Any]) -> None:
        self.work, self._path = work, work / NAME
        self._what: dict[str, Any] = json.loads(json.dumps(dict(what)))
        self._done: dict[str, Any] = {}
        if self._path.exists():
            self._done = self._read()
        else:
            self._write()

    def get(self, stage: str) -> Any:
        """What was noted of a stage; None if nothing was."""
        return self._done.get(stage)

    def put(self, stage: str, value: Any) -> None:
        """Note a stage, for good."""
        self._done[stage] = value
        self._write()

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            kept, done = dict(found["what"]), dict(found["done"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadFile(self._path, f"cannot be read ({error}); remove {self.work} to start over") from error
        if other := sorted(name for name in {*kept, *self._what} if kept.get(name) != self._what.get(name)):
            what = ", ".join(other)
            raise BadOption(f"{self.work} holds other work ({what} differ); choose another --work folder or remove it")
        return done

    def _write(self) -> None:
        text = json.dumps({"what": self._what, "done": self._done}, indent=1, ensure_ascii=False) + "\n"
        try:
            self.work.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise BadFile(self._path, f"cannot be written ({error.strerror or error})") from error
