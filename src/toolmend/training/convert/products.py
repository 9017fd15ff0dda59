"""A product that is there whole or not at all: written beside its place, then renamed. Knows no format."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from toolmend.errors import BadFile, BadOption


@contextmanager
def product(out: Path) -> Iterator[Path]:
    """An empty folder to write into, which becomes `out` when the block ends well and goes when it does not.

    Raises BadOption if `out` is already there, BadFile where it cannot be written (a full disk, no permission).
    """
    if out.exists():
        raise BadOption(f"{out} is already there; name another place, or remove it first")
    made: Path | None = None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(dir=out.parent, prefix=f".{out.name}-"))
        made.chmod(0o755)
        yield made
        os.replace(made, out)
    except OSError as error:
        raise BadFile(out, f"could not be written ({error.strerror or error}); nothing is left of it") from error
    finally:
        if made is not None and made.exists():
            shutil.rmtree(made, ignore_errors=True)
