"""SQLite files: what cannot be used is refused in one line, untouched; a full disk loses nothing acknowledged."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolmend.base.db import sqlite
from toolmend.base.errors import BadFile, ToolmendError
from toolmend.evals.store import RunConfig, Sample, Store

NOW = Path(__file__).parent / "fixtures" / "store_v3.db"


def edit(path: Path, statement: str) -> bytes:
    """The bytes of the file after this statement."""
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


def test_a_newer_store_is_refused_untouched(tmp_path: Path) -> None:
    path = Path(shutil.copy(NOW, tmp_path / "new.db"))
    before = edit(path, "UPDATE schema_versions SET version = 999")
    with pytest.raises(BadFile, match=rf"^{path}: written by a newer toolmend \(store version 999, known here: \d+\)"):
        Store(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"suite: calendar\n", b"\x1f\x8b" * 9999])
def test_another_kind_of_file_is_refused_untouched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=f"^{path}: not a SQLite database; name another file$"):
        Store(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_events_of_a_newer_toolmend_are_refused(tmp_path: Path) -> None:
    path = Path(shutil.copy(NOW, tmp_path / "new.db"))
    edit(path, "UPDATE samples SET schema = 999")
    with Store(path) as store, pytest.raises(BadFile, match=r"events of schema 999, known here: \d+"):
        list(store.samples(store.runs("calendar")[0].id))


@pytest.mark.parametrize("log", ["[", "[1]", '[{"event": "danced"}]', '[{"event": "marked", "marks": ["x"]}]'])
def test_a_spoilt_row_is_named(tmp_path: Path, log: str) -> None:
    path = Path(shutil.copy(NOW, tmp_path / "new.db"))
    edit(path, f"UPDATE samples SET events = '{log}'")
    with Store(path) as store:
        run = store.runs("calendar")[0].id
        with pytest.raises(BadFile, match=f"^{path}: a row cannot be read"):
            list(store.samples(run))


def test_tables_that_were_tampered_with_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with Store(path) as store:
        store.open_run(RunConfig("calendar"))
    edit(path, "DROP TABLE samples")
    with pytest.raises(BadFile, match="no such table: samples"), Store(path) as store:
        store.counts(store.runs()[0].id)


@settings(max_examples=100, deadline=None)
@given(offset=st.integers(0, NOW.stat().st_size - 1), noise=st.binary(min_size=1, max_size=1500))
@example(offset=9890, noise=b"\x80")
def test_damage_anywhere_is_an_answer_or_one_line(offset: int, noise: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.db"
        content = bytearray(NOW.read_bytes())
        content[offset : offset + len(noise)] = noise
        path.write_bytes(content)
        try:
            with Store(path) as store:
                for run in store.runs():
                    for read in (store.samples, store.done_keys, store.counts, store.state):
                        list(read(run.id))
                run_id = store.open_run(RunConfig("more"))
                store.commit(run_id, Sample("a", "m", "s"))
                store.finish(run_id)
                store.cached_reply("whole request")
        except ToolmendError as error:
            assert "\n" not in str(error)


def test_a_full_disk_is_one_line_and_loses_no_acknowledged_sample(
    tmp_path: Path, config: RunConfig, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_pragmas = sqlite.set_pragmas

    def small(connection: Any, record: Any) -> None:
        set_pragmas(connection, record)
        connection.execute("PRAGMA max_page_count=40")

    acknowledged = 0
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "set_pragmas", small)
        with Store(tmp_path / "a.db") as store:
            run = store.open_run(config)
            with pytest.raises(BadFile, match=f"^{tmp_path / 'a.db'}: the disk is full; free some space"):
                for number in range(1000):
                    store.commit(run, replace(sample, attempt=number))
                    acknowledged += 1
            with pytest.raises(BadFile, match="the disk is full"):
                store.commit(run, replace(sample, attempt=1000))
            assert store.counts(run)["ok"] == acknowledged > 5
    with Store(tmp_path / "a.db") as store:
        assert store.open_run(config) == run
        assert store.commit(run, replace(sample, attempt=1000))
        assert store.counts(run)["ok"] == acknowledged + 1


def test_a_store_that_can_only_be_read_is_read(
    tmp_path: Path, config: RunConfig, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_pragmas = sqlite.set_pragmas

    def only_reading(connection: Any, record: Any) -> None:
        set_pragmas(connection, record)
        connection.execute("PRAGMA query_only=ON")

    with Store(tmp_path / "a.db") as store:
        run = store.open_run(config)
        store.commit(run, sample)
    monkeypatch.setattr(sqlite, "set_pragmas", only_reading)
    with Store(tmp_path / "a.db", create=False) as store:
        assert list(store.samples(run)) == [sample]
        with pytest.raises(BadFile, match="cannot be written; check the permissions"):
            store.keep_report(run, "key", {})
