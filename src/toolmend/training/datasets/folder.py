"""A data folder written whole or not at all: first beside its place, then renamed. Knows no rule of curation."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, BadOption
from toolmend.reading.render import as_json
from toolmend.training.datasets.lines import KINDS, Line, to_json
from toolmend.training.datasets.reader import SPLITS

COUNTS = "counts.json"
CARD = "README.md"
MARK = "data"


def check_place(folder: Path, *, force: bool) -> None:
    """Raise BadOption unless the folder is not there, is empty, or with `force` is a data folder to be replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not force:
        raise BadOption(f"{folder} is not empty; --force replaces a data folder")
    if not is_data(folder):
        raise BadOption(f"{folder} is no data folder (no {COUNTS} of toolmend): --force does not delete it")


def is_data(folder: Path) -> bool:
    """Whether `toolmend data build` made it."""
    try:
        found = json.loads((folder / COUNTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("toolmend") == MARK


def read_counts(folder: Path) -> dict[str, Any]:
    """What `counts.json` says. Raises BadFile for what is no data folder."""
    if not is_data(folder):
        raise BadFile(folder, f"no data folder (no {COUNTS}); `toolmend data build --out DIR` makes one")
    found: dict[str, Any] = json.loads((folder / COUNTS).read_text(encoding="utf-8"))
    return found


def write(
    folder: Path,
    splits: Mapping[str, Mapping[str, Sequence[Line]]],
    counts: Mapping[str, Any],
    card: str,
    *,
    force: bool,
) -> None:
    """Write lines by split and kind, the counts and the card. Raises BadFile; then what was there is as it was."""
    check_place(folder, force=force)
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        _fill(part, splits, counts, card)
        _put(part, folder)
    except OSError as error:
        raise BadFile(folder, f"cannot be written ({error.strerror or error})") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _fill(part: Path, splits: Mapping[str, Mapping[str, Sequence[Line]]], counts: Mapping[str, Any], card: str) -> None:
    shutil.rmtree(part, ignore_errors=True)
    for split in SPLITS:
        (part / split).mkdir(parents=True)
        for kind in KINDS:
            _write(part / split / f"{kind}.jsonl", (as_json(to_json(line)) + "\n" for line in splits[split][kind]))
    _write(part / COUNTS, [json.dumps(counts, indent=1, ensure_ascii=False) + "\n"])
    _write(part / CARD, [card])


def _write(path: Path, texts: Iterable[str]) -> None:
    """A file on the disk, not in its cache: what is renamed into place afterwards is whole."""
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
        stream.writelines(texts)
        stream.flush()
        os.fsync(stream.fileno())


def _put(part: Path, folder: Path) -> None:
    """In place of what was there, which is deleted last."""
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    if folder.exists():
        folder.rename(old)
    try:
        part.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
