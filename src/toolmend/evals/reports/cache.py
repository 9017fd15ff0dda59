"""A run's report, computed once: what was computed is kept in the store and found again while nothing it was made of
has changed, neither the samples nor the suite's file nor the code. Knows not what a report says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile
from toolmend.evals.store import Run, Store
from toolmend.evals.suites.suite import shipped
from toolmend.registry import columns

Report = dict[str, Any]

# Rooms whose code cannot change what a stored run is worth: they bring it about, or draw it.
_ELSEWHERE = frozenset({"apps", "arena", "http", "models", "training"})


def kept(store: Store, run_id: str, build: Callable[[Store, str], Report]) -> Report:
    """The report that `build` makes of a run, or made: that of an open run is always made anew."""
    run = store.run(run_id)
    if run.status == "open":
        return build(store, run_id)
    key = _key(run, store.state(run_id))  # before building: a sample that comes meanwhile leaves it behind
    found = store.kept_report(run_id, key)
    if found is None:
        found = build(store, run_id)
        # A store that can only be read shows its reports all the same; reading has had its own errors by now.
        with suppress(BadFile):
            store.keep_report(run_id, key, found)
    return found


def _key(run: Run, state: str) -> str:
    """Hash of everything that a report is made of."""
    digest = hashlib.sha256(f"{state}\n{_code()}\n{columns.names() or ''}".encode())
    for name in (str(run.config.settings.get("suite_path", "")), run.config.suite):
        digest.update(hashlib.sha256(_suite(name)).digest())
    return digest.hexdigest()


def _suite(name: str) -> bytes:
    """The file of a suite as it is now; nothing where there is none."""
    if name in shipped():
        return files("toolmend.evals.suites.shipped").joinpath(f"{name}.yaml").read_bytes()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError):
        return b""


@cache
def _code() -> str:
    """Hash of the code and data that reports are computed by: a few hundred kilobytes, some milliseconds."""
    digest = hashlib.sha256()
    package = Path(str(files("toolmend")))
    for path in sorted([*package.rglob("*.py"), *package.rglob("published/*.json")]):
        if path.relative_to(package).parts[0] not in _ELSEWHERE:
            digest.update(path.as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
