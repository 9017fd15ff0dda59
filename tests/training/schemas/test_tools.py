"""The tools that talks are made of."""

from random import Random

from toolmend.messages import Call
from toolmend.training.schemas.toolboxes import Wardrobe, dress
from toolmend.training.schemas.tools import kits


def names(held_out):
    return {name for kit in kits(held_out) for name in kit.names}


def test_the_exam_has_tools_that_training_never_sees():
    assert (len(kits(False)), len(kits(True))) == (50, 10)
    assert not names(True) & names(False)


def test_every_tool_has_five_sentences_and_other_names():
    for kit in (*kits(False), *kits(True)):
        assert len(kit.templates) >= 5, kit.spec.name
        assert len(kit.names) == 3 and len(kit.abouts) == 2, kit.spec.name
        assert all(len(set(each)) == 3 for each in kit.arguments.values()), kit.spec.name


def test_all_types_are_there():
    schemas = [schema for kit in kits(False) for schema in kit.spec.properties.values()]
    types = {str(each.get("format") or ("enum" if "enum" in each else each.get("type"))) for each in schemas}
    assert types >= {"string", "integer", "number", "boolean", "enum", "date", "time", "array", "None"}


def test_a_call_goes_by_the_new_names():
    (kit,) = (each for each in kits(False) if each.spec.name == "move_box")
    robe = Wardrobe(("carry",), ("Carry boxes.",), {"boxes": ("count",), "shelf": ("place",)})
    made = [dress((kit.spec,), {"move_box": robe}, Random(seed)) for seed in range(20)]
    calls = {each.call(Call("move_box", {"boxes": 3, "shelf": "B7"})).tool.rpartition(".")[2] for each in made}
    assert calls == {"move_box", "carry"}
    dressed = next(each for each in made if each.specs[0].name == "carry")
    assert dict(dressed.call(Call("move_box", {"boxes": 3, "shelf": "B7"})).arguments) == {"count": 3, "place": "B7"}
    assert sorted(dressed.specs[0].required) == ["count", "place"]
    assert dressed.text("No move_box please") == f"No {dressed.specs[0].full_name} please"
