"""Which model a toolbox gets where nobody names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.base.errors import BadOption
from toolmend.models import chosen as room
from toolmend.models.chosen import chosen, contestants


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the base is looked for; it is not there yet."""
    path = tmp_path / "base.gguf"
    monkeypatch.setattr(room, "place", lambda _: path)
    monkeypatch.chdir(tmp_path)
    return path


def shelf(monkeypatch: pytest.MonkeyPatch, **toolboxes: str) -> None:
    monkeypatch.setattr(room, "_adapters", lambda box: (toolboxes.get("own", ""), toolboxes.get("any", "")))


def test_offline_nothing_reads_tools_that_nobody_taught_and_the_command_is_named(base: Path) -> None:
    with pytest.raises(BadOption, match="`toolmend models get smollm2`"):
        chosen("home.py")


def test_with_the_base_alone_it_is_held_to_the_schema(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base.touch()
    shelf(monkeypatch)
    pick = chosen("home.py")
    assert (pick.model, pick.strategy) == ("gguf/smollm2", "oneline?structured=true")


def test_an_adapter_for_any_tools_goes_before_its_base(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base.touch()
    shelf(monkeypatch, any="tools")
    assert chosen("home.py").model == "smol/tools"


def test_an_adapter_for_these_tools_goes_first(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base.touch()
    shelf(monkeypatch, own="calendar", any="tools")
    assert chosen("calendar") == room.Chosen("smol/calendar", why="it was taught calendar")


def test_without_the_base_no_adapter_is_chosen(base: Path) -> None:
    assert chosen("calendar").model == "builtin/small"


def test_what_was_taught_these_tools_goes_before_all(base: Path, tmp_path: Path) -> None:
    (tmp_path / "home_smol").mkdir()
    (tmp_path / "home_smol" / "toolmend.json").write_text("{}")
    assert chosen("home.py").model == "smol/./home_smol"
    assert chosen(str(tmp_path / "home.py")).model == f"smol/{tmp_path / 'home_smol'}"


def test_what_is_measured_where_nobody_is_named(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = "without smol/calendar, which needs `toolmend models get smollm2` (93 MB, once)"
    assert contestants("calendar") == (("builtin/small",), lacking)
    base.touch()
    assert contestants("calendar") == (("smol/calendar", "builtin/small"), "")
    assert contestants("dungeon") == (("smol/tools",), "")


def test_where_nobody_is_left_the_command_is_named(base: Path) -> None:
    with pytest.raises(BadOption, match=r"no model is here .* `toolmend models get smollm2` \(93 MB, once\)"):
        contestants("dungeon")
