"""What takes a place is there wholly, or what was there is as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile


def everything(folder: Path) -> dict[str, str]:
    """The texts of all files, hidden ones too, by their paths."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_file_is_there_with_the_folders_above_it(tmp_path: Path) -> None:
    with written(tmp_path / "deep" / "file") as part:
        part.write_text("new")
    assert everything(tmp_path) == {"deep/file": "new"}


def test_a_folder_takes_the_place_of_a_full_one(tmp_path: Path) -> None:
    for name in "ab":
        with written(tmp_path / "folder", durable=True) as part:
            part.mkdir()
            (part / name).write_text(name)
    assert everything(tmp_path) == {"folder/b": "b"}


@pytest.mark.parametrize("raised", [RuntimeError, KeyboardInterrupt])
def test_what_goes_wrong_leaves_what_was_there_and_nothing_else(tmp_path: Path, raised: type[BaseException]) -> None:
    (tmp_path / "file").write_text("old")
    with pytest.raises(raised), written(tmp_path / "file") as part:
        part.write_text("half")
        raise raised
    assert everything(tmp_path) == {"file": "old"}


def test_a_folder_that_cannot_be_put_there_leaves_the_one_that_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_self: Path, _target: Path) -> None:
        raise OSError(5, "Input/output error")

    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a").write_text("old")
    monkeypatch.setattr(Path, "replace", refused)
    said = r"folder: cannot be written \(Input/output error\)"
    with pytest.raises(BadFile, match=said), written(tmp_path / "folder") as part:
        part.mkdir()
    assert everything(tmp_path) == {"folder/a": "old"}


def test_what_a_link_leads_to_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with written(tmp_path / "link") as part:
        part.write_text("new")
    assert ((tmp_path / "link").is_symlink(), (tmp_path / "file").read_text()) == (True, "new")


def test_a_device_is_written_into() -> None:
    with written(Path(os.devnull)) as part:
        part.write_text("gone")
    assert not Path(os.devnull).is_file()
