"""A file or folder that is there wholly, or as it was: written beside its place, and then put there.

It knows no format. What a killed process left half written lies beside the place in a folder `.….part`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from toolmend.base.errors import BadFile

UNFINISHED = ".part"


@contextmanager
def written(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """Where to write what takes the place of `path` when the block ends without an error; folders above it are made.

    What else is put into its folder is dropped. `durable`: it is on the disk before it is in its place. A link stays
    one; a device or a pipe is written into. Raises BadFile for every OSError, of the block too; then what was there is
    as it was.
    """
    place = Path(os.path.realpath(path))
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            yield path
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=place.parent, prefix=".", suffix=UNFINISHED) as scratch:
            part, old = Path(scratch, place.name), Path(scratch, f"{place.name}.old")
            yield part
            for file in (part, *part.rglob("*")) if durable else ():
                if file.is_file():
                    with file.open("r+b") as stream:
                        os.fsync(stream.fileno())
            if place.is_dir():  # no folder is put over another that is not empty
                place.rename(old)
            try:
                part.replace(place)
            except OSError:
                if old.exists():
                    old.rename(place)
                raise
    except OSError as error:
        raise BadFile(path, f"cannot be written ({error.strerror or error})") from error


def private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for its owner alone. Raises OSError."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))


def private_file(path: Path) -> None:
    """Make an empty file that its owner alone reads, where there is none yet. Raises OSError."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
