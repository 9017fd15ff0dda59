"""What all tests share: a store of their own, and the skipping of tests whose files are not in the repository."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolmend.base.messages import ToolSpec

# Started in the background of a script, Python ignores Ctrl-C, and so would every program the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


SHARED = Path(os.environ.get("TOOLMEND_SHARED") or Path(__file__).parents[2] / "shared")


@pytest.fixture(scope="session", autouse=True)
def own_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches the store or the settings of whoever runs it, in a process it starts neither."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOOLMEND_CONFIG", "off")
        patch.setenv("TOOLMEND_STORE", str(tmp_path_factory.mktemp("store") / "toolmend.db"))
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the published experiment's files; only for tests marked `needs_shared`."""
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs files that are not here."""
    if SHARED.is_dir():
        return
    skip = pytest.mark.skip(reason=f"needs {SHARED} (TOOLMEND_SHARED names another folder)")
    for item in items:
        if item.get_closest_marker("needs_shared"):
            item.add_marker(skip)


# The two tools of the calendar experiment, as plain schemas.
_TITLE, _DATE, _TIME = {"type": "string"}, {"type": "string", "format": "date"}, {"type": "string", "format": "time"}
_REQUIRED = ["title", "date", "time"]


@pytest.fixture(scope="session")
def add() -> ToolSpec:
    duration = {"type": "integer", "default": 30}
    properties = {"title": _TITLE, "date": _DATE, "time": _TIME, "duration": duration}
    schema = {"type": "object", "properties": properties, "required": _REQUIRED}
    return ToolSpec("add_calendar_entry", parameters=schema, receiver="action")


@pytest.fixture(scope="session")
def remove() -> ToolSpec:
    properties = {"title": _TITLE, "date": _DATE, "time": _TIME}
    schema = {"type": "object", "properties": properties, "required": _REQUIRED}
    return ToolSpec("remove_calendar_entry", parameters=schema, receiver="action")


@pytest.fixture(scope="session")
def tools(add: ToolSpec, remove: ToolSpec) -> tuple[ToolSpec, ...]:
    return (add, remove)
