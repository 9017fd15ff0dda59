"""Which tokens are learned: the embedded form, written out."""

from __future__ import annotations

from toolmend.messages import Call, ToolSpec
from toolmend.models.builtin.tokens import Tokens
from toolmend.training.datasets.lines import Said
from toolmend.training.tune.rows import EmbeddedForm, as_text

TALK = [
    Said("system", "Be good."),
    Said("user", "ab"),
    Said("assistant", "x", learn=False),
    Said("user", "no"),
    Said("assistant", "yz"),
]


def shown(tokens: Tokens, ids: tuple[int, ...]) -> list[str]:
    return [tokens.tokenizer.id_to_token(each) for each in ids]


def test_the_right_reply_and_its_end_are_learned_and_nothing_else(tokens: Tokens) -> None:
    row = EmbeddedForm(tokens).row(TALK, ())
    pieces = list(zip(shown(tokens, row.ids), row.learn, strict=True))
    assert [piece for piece, learn in pieces if learn] == [*shown(tokens, tuple(tokens.encode("yz"))), "<|eot_id|>"]
    end = len(tokens.encode("yz")) + 1
    assert row.learn == (*[False] * (len(row.ids) - end), *[True] * end)


def test_a_row_is_what_the_model_is_asked_with(tokens: Tokens) -> None:
    row = EmbeddedForm(tokens).row(TALK, ())
    asked = tokens.prompt([(said.role, said.content) for said in TALK[:-1]])
    assert list(row.ids[: len(asked)]) == asked
    assert not any(row.learn[: len(asked)])


def test_a_mask_written_out(tokens: Tokens) -> None:
    row = EmbeddedForm(tokens).row([Said("user", "q"), Said("assistant", "z")], ())
    assert shown(tokens, row.ids) == [
        "<|begin_of_text|>", "<|user|>", "Ġ", "q", "<|assistant|>", "Ġ", "z", "<|eot_id|>",
    ]  # fmt: skip
    assert row.learn == (False, False, False, False, False, True, True, True)


def test_calls_are_written_as_python(tokens: Tokens) -> None:
    spec = ToolSpec("add", "", {"properties": {"title": {"type": "string"}, "time": {"type": "string"}}}, "action")
    said = Said("assistant", "", (Call("action.add", {"time": "17:00", "title": "Lunch"}),))
    assert as_text(said, (spec,)) == 'action.add("Lunch", time="17:00")'


def test_words_stand_before_calls(tokens: Tokens) -> None:
    assert as_text(Said("assistant", "Well.", (Call("f", {}),)), ()) == "Well.\nf()"
