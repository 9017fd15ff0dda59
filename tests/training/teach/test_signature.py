"""What is made of a signature alone: wordings, and what each value can be."""

from __future__ import annotations

from toolmend.tools import Toolbox
from toolmend.training.teach.signature import parameters_of, wordings_of


def test_a_description_becomes_sentences(box: Toolbox) -> None:
    spec = box.specs[0]
    assert wordings_of(spec, parameters_of(spec, {})) == [
        "Move {crates} crates to {shelf}",
        "(Please|Can you|Could you) move {crates} crates to {shelf}",
        "(I'd like to|I want to|I need to|We have to) move {crates} crates to {shelf}",
        "Move: crates {crates}, shelf {shelf}",
        "move {crates} {shelf}",
    ]


def test_a_sentence_may_lack_a_value(box: Toolbox) -> None:
    spec = box.specs[0]
    assert wordings_of(spec, parameters_of(spec, {}), without="shelf")[0] == "Move {crates} crates to a shelf"


def test_values_have_their_kinds(box: Toolbox) -> None:
    kinds = {slot: one.kind.name for spec in box.specs for slot, one in parameters_of(spec, {}).items()}
    assert kinds == {
        "crates": "int", "shelf": "text", "goods": "list", "day": "date", "by": "enum",
        "things__0__what": "text", "things__0__count": "int",
    }  # fmt: skip


def test_codes_bring_others_like_them(box: Toolbox) -> None:
    texts = parameters_of(box.specs[0], {"shelf": ["B7"]})["shelf"].kind.members
    assert {text for text in texts if len(text) == 2 and text[1].isdigit()} > {"B7"}


def test_numbers_reach_beyond_those_seen(box: Toolbox) -> None:
    kind = parameters_of(box.specs[0], {"crates": [3, 700]})["crates"].kind
    assert (kind.low, kind.high) == (1, 1400)
