"""The registry: names, late imports, entry points, and what it says when something is not there."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from toolmend import registry
from toolmend.base.errors import BadOption, UnknownName
from toolmend.registry import Registry, load_object


@pytest.fixture
def table() -> Registry[object]:
    return Registry("thing", "toolmend.test_things", {"decoder": "json:JSONDecoder"})


@pytest.fixture
def with_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*, group: str) -> list[EntryPoint]:
        return [
            EntryPoint("foreign", "json:JSONEncoder", group),
            EntryPoint("decoder", "json:JSONEncoder", group),
            EntryPoint("broken", "no_such_module_anywhere:thing", group),
        ]

    monkeypatch.setattr("importlib.metadata.entry_points", found)


def test_a_name_that_stored_runs_hold_is_found_where_it_is_now() -> None:
    assert load_object("toolmend.evals.offered:OWN") == "toolmend.evals.offered:Toolbox"


def test_a_factory_is_found_under_its_name(table: Registry[object]) -> None:
    table.add("list", list)
    assert table.get("list") is list


def test_a_string_is_imported_when_asked_for(table: Registry[object]) -> None:
    import json

    assert table.get("decoder") is json.JSONDecoder


def test_adding_a_string_imports_nothing(table: Registry[object]) -> None:
    table.add("broken", "no_such_module_anywhere:thing")
    assert table.names() == ["broken", "decoder"]


def test_a_later_add_replaces(table: Registry[object]) -> None:
    table.add("decoder", dict)
    assert table.get("decoder") is dict


def test_an_unknown_name_says_what_is_known(table: Registry[object]) -> None:
    with pytest.raises(UnknownName, match=r"unknown thing 'decodr' \(did you mean decoder\?\); known: decoder"):
        table.get("decodr")


@pytest.mark.usefixtures("with_entry_points")
def test_entry_points_are_names_too(table: Registry[object]) -> None:
    assert table.names() == ["broken", "decoder", "foreign"]


@pytest.mark.usefixtures("with_entry_points")
def test_an_entry_point_is_loaded(table: Registry[object]) -> None:
    import json

    assert table.get("foreign") is json.JSONEncoder


@pytest.mark.usefixtures("with_entry_points")
def test_what_is_built_in_goes_before_an_entry_point(table: Registry[object]) -> None:
    import json

    assert table.get("decoder") is json.JSONDecoder


@pytest.mark.usefixtures("with_entry_points")
def test_a_broken_entry_point_is_one_line(table: Registry[object]) -> None:
    with pytest.raises(
        BadOption, match=r"^cannot load 'no_such_module_anywhere:thing': ModuleNotFoundError: No module"
    ):
        table.get("broken")


def test_entry_points_are_not_read_for_a_known_name(table: Registry[object], monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*, group: str) -> list[EntryPoint]:
        raise AssertionError(group)

    monkeypatch.setattr("importlib.metadata.entry_points", never)
    table.get("decoder")


def test_built_in_tables() -> None:
    assert "calendar" in registry.toolboxes.names()
    assert "oneline" in registry.strategies.names()
    assert {"builtin", "scripted"} <= set(registry.models.names())


def test_the_built_in_calendar_loads() -> None:
    from toolmend.tools.toolboxes.calendar import Calendar

    assert registry.toolboxes.get("calendar") is Calendar


def test_load_object_follows_dots() -> None:
    assert load_object("json:JSONDecoder.decode").__name__ == "decode"


@pytest.mark.parametrize("target", ["json", "json:", ":loads", ""])
def test_load_object_wants_module_and_name(target: str) -> None:
    with pytest.raises(BadOption, match=r"is not of the form package\.module:name"):
        load_object(target)


def test_load_object_names_what_is_near() -> None:
    with pytest.raises(UnknownName, match=r"unknown name in json 'laods' \(did you mean loads"):
        load_object("json:laods")


def test_importing_the_registry_imports_no_built_in() -> None:
    code = "import sys, toolmend.registry; print([m for m in sys.modules if m.startswith('toolmend.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    layer_0 = ["toolmend.base.errors", "toolmend.base.messages", "toolmend.base.mistakes"]
    assert done.stdout.strip() == str([*layer_0, "toolmend.registry"])
