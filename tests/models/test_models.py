"""Models by name, and the toolboxes they were trained for."""

import pytest

from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.models import Abilities, declared, load_model
from toolmend.models.scripted import Scripted


def test_a_model_is_returned_as_it_is():
    model = Scripted(["a"])
    assert load_model(model) is model


def test_a_name_has_a_family():
    assert load_model("scripted/echo").name == "scripted/echo"


@pytest.mark.parametrize("name", ["", "scripted/", "/"])
def test_a_name_of_no_family_is_refused(name, tmp_path, monkeypatch):
    with pytest.raises((BadOption, BadFile)):
        load_model(name)


def test_a_name_of_no_family_says_what_is_known():
    with pytest.raises(UnknownName, match=r"unknown model 'smal' \(did you mean small or .*\?\); known: builtin/"):
        load_model("smal")


def test_a_short_name_is_the_model_here_of_that_name():
    assert load_model("small").name == "builtin/small"


def test_an_unknown_family_is_named():
    with pytest.raises(UnknownName, match="unknown model 'bultin'"):
        load_model("bultin/small")


def test_an_unknown_embedded_model_is_named():
    with pytest.raises(UnknownName, match="unknown embedded model 'nobody'; known: small"):
        load_model("builtin/nobody")


@pytest.mark.parametrize("toolboxes", [None, ("calendar",), ("lamp", "calendar")])
def test_a_toolbox_that_was_declared_is_served(toolboxes):
    model = Scripted(["a"])
    model.abilities = Abilities(toolboxes=toolboxes)
    assert declared(model, "calendar") is None


def test_another_toolbox_is_refused_with_what_would_work():
    model = Scripted(["a"], "builtin/small")
    model.abilities = Abilities(toolboxes=("calendar",))
    assert str(declared(model, "lamp")).startswith(
        "model 'builtin/small' was trained for the toolbox calendar only, not for 'lamp'; "
        "use --tools calendar, or a model that reads any toolbox: "
    )
