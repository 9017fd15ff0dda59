"""A teacher's wordings: kept if every value survived, asked once, within its budget."""

import pytest

from toolmend.messages import Reply, Usage
from toolmend.models.scripted import Scripted
from toolmend.training.teach.requests import Requests
from toolmend.training.teach.teacher import kept, reworded


@pytest.fixture
def specs(box):
    return {spec.full_name: spec for spec in box.specs}


def test_only_lines_that_say_every_value_are_kept(examples, specs):
    lines = [
        "Take 3 crates over to B7, please",
        "Take some crates to B7",
        "MOVE 3 CRATES TO SHELF B7",
        "Shelf B7 gets 3 crates",
    ]
    assert [
        "".join(p if isinstance(p, str) else "_" for p in each.parts) for each in kept(examples[0], lines, specs)
    ] == [
        "Take _ crates over to _, please",
        "Shelf _ gets _ crates",
    ]


def test_a_wording_has_the_name_of_its_example_and_so_its_side(examples, specs, box):
    extra = kept(examples[0], ["Shelf B7 gets 3 crates"], specs)
    requests = Requests(box.specs, examples, extra)
    side = {each.name for each in requests.held_out}
    assert extra[0].name == "line 2"
    assert (extra[0] in requests.held_out) == ("line 2" in side)


def test_bullets_and_quotes_are_no_part_of_a_wording(examples, specs, tmp_path):
    model = Scripted(['1. "Shelf B7 gets 3 crates"\n- Put 3 crates on B7\n\n'])
    found = reworded(examples[:1], specs, model, tmp_path / "t.jsonl")
    assert [each.parts[0] for each in found] == ["Shelf ", "Put "]


def test_the_same_model_is_asked_once(examples, specs, tmp_path):
    model = Scripted(["Shelf B7 gets 3 crates"])
    first = reworded(examples[:1], specs, model, tmp_path / "t.jsonl")
    again = reworded(examples[:1], specs, model, tmp_path / "t.jsonl")
    assert first == again and len(model.requests) == 1


def test_corrections_and_words_are_not_asked_for(examples, specs, tmp_path):
    model = Scripted(["nothing of use"])
    assert reworded(examples, specs, model, tmp_path / "t.jsonl") == ()
    assert len(model.requests) == 10


def test_it_stops_where_the_budget_is_spent(examples, specs, tmp_path):
    model = Scripted([Reply("Shelf B7 gets 3 crates", usage=Usage(60, 60))])
    told = []
    reworded(examples, specs, model, tmp_path / "t.jsonl", max_tokens=100, report=told.append)
    assert len(model.requests) == 1
    assert told[0] == "teacher: 120 of 100 tokens are spent; 9 examples are left as they are"
