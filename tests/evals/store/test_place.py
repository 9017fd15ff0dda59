"""Where the store is when nobody says."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.evals.store import Store, default_place


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLMEND_STORE", "postgresql+psycopg://host/db")
    assert default_place() == "postgresql+psycopg://host/db"


@pytest.mark.parametrize("named", [None, ""])
def test_else_it_is_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    monkeypatch.delenv("TOOLMEND_STORE", raising=False)
    if named is not None:
        monkeypatch.setenv("TOOLMEND_STORE", named)
    assert Path(default_place()).parts[-2:] == ("toolmend", "toolmend.db")


def test_a_store_goes_there_by_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOOLMEND_STORE", str(tmp_path / "mine.db"))
    with Store() as store:
        assert store.place == str(tmp_path / "mine.db")
