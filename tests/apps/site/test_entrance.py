"""Who waits outside, and what is told of it."""

from __future__ import annotations

import logging

import pytest

from toolmend.apps.site.entrance import Seldom, room


def test_a_flood_of_requests_is_no_flood_of_lines() -> None:
    seldom = Seldom(most=2, seconds=60)

    def told(at: float, text: str, about: str) -> bool:
        record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, text, (about,), None)
        record.created = at
        return bool(seldom.filter(record))

    assert [told(at, "Invalid %s", str(at)) for at in (0, 1, 2, 59, 61, 62, 63)] == [
        *(True, True, False, False),
        *(True, True, False),
    ]
    assert told(63, "another %s", "x")


@pytest.mark.parametrize(
    ("files", "places"), [(256, (64, 128)), (1024, (256, 512)), (20_000, (512, 10_000)), (-1, (512, 10_000))]
)
def test_a_quarter_of_the_descriptors_is_left_for_answers(
    files: int, places: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert room() == places
