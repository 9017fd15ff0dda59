"""One of several parts of a run, by the keys of its samples: the same one in every process and on every machine."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

from toolmend.errors import BadOption

MOST_PARTS = 100_000


@dataclass(frozen=True, slots=True)
class RunPart:
    """RunPart `number` of `of`, counted from 1. Every key is in exactly one part; which one depends on nothing else."""

    number: int
    of: int

    def __post_init__(self) -> None:
        """Raise BadOption for a part that there is not."""
        if not 1 <= self.number <= self.of <= MOST_PARTS:
            raise BadOption(f"there is no part {self}: parts go from 1/N to N/N, N up to {MOST_PARTS:,}")

    def has(self, key: str) -> bool:
        """Whether the sample with this key is in it."""
        return zlib.crc32(key.encode()) % self.of == self.number - 1

    def __str__(self) -> str:
        """`3/16`."""
        return f"{self.number}/{self.of}"


def read_part(text: str) -> RunPart:
    """The part of "3/16". Raises BadOption."""
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
    if match is None:
        raise BadOption(f"{text!r} is no part, such as 3/16")
    return RunPart(int(match[1]), int(match[2]))
