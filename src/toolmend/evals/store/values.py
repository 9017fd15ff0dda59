"""What the store keeps, as frozen values: a run and its configuration, a sample.

Knows no table and no database. A contestant is model x strategy; a sample is case x contestant x attempt x arm.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from toolmend.base.events import Event, Marked

Status = Literal["ok", "error"]
RunStatus = Literal["open", "errors", "finished"]


@dataclass(frozen=True, slots=True)
class StoredContestant:
    """A model with a strategy, the hashes of its prompts and the options it was given."""

    model: str
    strategy: str
    prompt_hash: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that makes two runs the same run; `key` is its hash, and an unfinished run is found again by it.

    `suite_hash` covers the suite's content; `versions` the software whose change makes another run; `settings` is for
    whatever else decides results (limits of corrections, leniency, reminders). All values are JSON-able.
    """

    suite: str
    suite_hash: str = ""
    contestants: tuple[StoredContestant, ...] = ()
    attempts: int = 1
    arms: tuple[str, ...] = ("corrected",)
    history: str = "own"
    temperature: float = 0.0
    seeds: tuple[int, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON-able data, every field present."""
        data = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        data["contestants"] = [dataclasses.asdict(contestant) for contestant in self.contestants]
        data["temperature"] = float(self.temperature)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunConfig:
        """The configuration that `to_json` wrote."""
        values = dict(data)
        values["contestants"] = tuple(StoredContestant(**contestant) for contestant in data["contestants"])
        for name in ("arms", "seeds"):
            values[name] = tuple(data[name])
        return cls(**values)

    def apart(self, other: RunConfig) -> str:
        """The first thing that makes `other` another run, in words: "it is of the suite 'shop', not 'calendar'"."""
        if self.suite != other.suite:
            return f"it is of the suite {other.suite!r}, not {self.suite!r}"
        if self.versions != other.versions:
            theirs, mine = (", ".join(f"{k} {v}" for k, v in config.versions.items()) for config in (other, self))
            return f"it was made by {theirs}, not {mine}"
        if self.suite_hash != other.suite_hash:
            return f"its suite {self.suite!r} has another content"
        names = [name for name, value in self.to_json().items() if value != other.to_json()[name]]
        return f"it has other {' and '.join(names)}"

    @property
    def key(self) -> str:
        """32 hexadecimal digits, the same for equal configurations in every process and on every machine."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run. `created` and `finished` are ISO 8601 in UTC.

    `status`: "open" (going on or interrupted), "errors" (went through, but some samples could not be run: the same
    configuration goes on with those), "finished".
    """

    id: str
    config: RunConfig
    created: str
    finished: str | None = None
    status: RunStatus = "open"

    def head(self) -> dict[str, Any]:
        """What identifies it, as JSON-able data: the same fields in every list and report."""
        names = ("id", "created", "finished", "status")
        return {"suite": self.config.suite, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True, slots=True)
class Sample:
    """One finished dialogue with everything that happened in it; `error` if it could not be run, `detail` says why.

    `started` is ISO 8601 in UTC, `seconds` wall time.
    """

    case: str
    model: str
    strategy: str
    attempt: int = 0
    arm: str = "corrected"
    seed: int | None = None
    status: Status = "ok"
    detail: str = ""
    events: tuple[Event, ...] = ()
    started: str = ""
    seconds: float = 0.0

    @property
    def contestant(self) -> tuple[str, str]:
        """Model and strategy."""
        return (self.model, self.strategy)

    @property
    def marked(self) -> list[Marked]:
        """The graded replies of the conversation itself, in the order of their turns."""
        return sorted((event for event in self.events if isinstance(event, Marked)), key=lambda event: event.turn)

    @property
    def key(self) -> str:
        """What is unique in a run: see `sample_key`."""
        return sample_key(self.case, self.model, self.strategy, self.attempt, self.arm)


@dataclass(frozen=True, slots=True)
class Counted:
    """What a sample counts for in reports, as `version` of the code that makes them reckons: text that samples which
    came to the same share, and numbers of its own, packed."""

    version: str
    kind: str
    numbers: bytes


def sample_key(case: str, model: str, strategy: str, attempt: int, arm: str) -> str:
    """`case|model|strategy|attempt|arm`, with a backslash before a bar or backslash inside a part."""
    parts = (case, model, strategy, str(attempt), arm)
    return "|".join([storable(part.replace("\\", "\\\\").replace("|", "\\|")) for part in parts])


def storable(text: str) -> str:
    """Text as every database takes it: lone surrogates and NUL written as backslash escapes."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode()
