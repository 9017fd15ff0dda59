"""A data folder read back for trainers: typed lines, and where one is broken its file and number.

Makes no folder (writer.py) and learns nothing from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from toolmend.errors import BadFile
from toolmend.training.datasets.lines import FROM_JSON, KINDS, Chat, Hindsight, Line, Pair

L = TypeVar("L", bound=Line)
Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = ("train", "test")


@dataclass(frozen=True, slots=True)
class DataSplit:
    """One split of a data folder. `skipped` counts broken lines that were left out."""

    chat: tuple[Chat, ...] = ()
    pairs: tuple[Pair, ...] = ()
    hindsight: tuple[Hindsight, ...] = ()
    skipped: int = 0


def load(folder: str | Path, split: Split = "train", *, skip_bad: bool = False) -> DataSplit:
    """Lines of a split; a file that is not there is empty. Raises BadFile as FILE:LINE for the first broken line."""
    home = Path(folder) / split
    if not home.is_dir():
        raise BadFile(home, "there is no such part of a data folder; `toolmend data build --out DIR` makes one")
    bad: list[BadFile] = []
    found = {
        name: tuple(read_lines(home / f"{name}.jsonl", kind, bad if skip_bad else None))
        for name, kind in KINDS.items()
        if (home / f"{name}.jsonl").exists()
    }
    return DataSplit(**found, skipped=len(bad))  # type: ignore[arg-type]  # KINDS says which is which


def read_lines(path: Path, kind: type[L], bad: list[BadFile] | None = None) -> Iterator[L]:
    """The lines of a file as `kind`, blank ones left out. With `bad` broken ones are put there and skipped.

    Raises BadFile.
    """
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                if not raw.strip():
                    continue
                try:
                    line = FROM_JSON[kind](json.loads(raw.decode()))
                except (ValueError, TypeError, RecursionError) as error:
                    broken = BadFile(path, str(error) or type(error).__name__, number)
                    if bad is None:
                        raise broken from error
                    bad.append(broken)
                else:
                    assert isinstance(line, kind)
                    yield line
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
