"""Lines as examples of a method, and too few of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from toolmend.errors import BadOption
from toolmend.models.builtin.tokens import ASSISTANT, BEGIN, END, USER, Tokens
from toolmend.training.datasets.lines import Attempt, Chat, Hindsight, Pair, Said
from toolmend.training.datasets.reader import Data
from toolmend.training.tune.examples import Examples, enough, hindsight_row, make_examples
from toolmend.training.tune.rows import Row

ASK = (Said("user", "Add Tom"),)
CHAT = Chat("c", (), (*ASK, Said("assistant", "t")))
PAIR = Pair(
    "p", (), (*ASK, Said("assistant", "a"), Said("user", "no")), (Said("assistant", "b"),), (Said("assistant", "c"),)
)
LOOK = Hindsight("h", (), ASK, (Attempt("a", quality="bad", wrong="Not a."), Attempt("b")))


class SignForm:
    """Four special ids around texts, no system text, no tools."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def row(self, messages: Sequence[Said], tools: object) -> Row:
        ids, learn = [BEGIN], [False]
        for said in messages:
            piece = [USER if said.role == "user" else ASSISTANT, *self._tokens.encode(said.content)]
            reply = said.role == "assistant"
            ids += [*piece, *[END] * reply]
            learn += [False, *[reply and said.learn] * (len(piece) - 1 + reply)]
        return Row(tuple(ids), tuple(learn))


def text(tokens: Tokens, row: Row, *, learned: bool = False) -> str:
    """A row in words; special tokens by their signs."""
    signs = {BEGIN: "^", USER: "U:", ASSISTANT: "A:", END: "$"}
    made, run = "", list[int]()
    for each, learn in zip(row.ids, row.learn, strict=True):
        if not learned or learn:
            if each in signs:
                made, run = made + tokens.decode(run) + signs[each], []
            else:
                run.append(each)
    return made


def test_of_a_pair_only_the_last_reply_is_learned(tokens: Tokens) -> None:
    found = make_examples(Data(pairs=(PAIR,)), Data(), "preference", SignForm(tokens), 99, 1)
    [(chosen, rejected)] = found.train
    assert (text(tokens, chosen, learned=True), text(tokens, rejected, learned=True)) == ("b$", "c$")
    assert chosen.ids[:-2] == rejected.ids[:-2]


def test_hindsight_learns_the_better_answer_after_the_worse_one_and_what_was_wrong(tokens: Tokens) -> None:
    rows = {text(tokens, hindsight_row(LOOK, SignForm(tokens), seed)) for seed in range(8)}
    assert rows == {
        "^U:Add TomA:a$U:Not a.A:b$",
        "^U:Add Tom A worse answer:A:a$U:Not a. A better answer:A:b$",
    }
    assert text(tokens, hindsight_row(LOOK, SignForm(tokens), 1), learned=True) == "b$"


def test_as_many_plain_conversations_stand_beside_sequences_of_hindsight(tokens: Tokens) -> None:
    found = make_examples(Data(chat=(CHAT,) * 5, hindsight=(LOOK,) * 2), Data(), "hindsight", SignForm(tokens), 99, 1)
    assert len(found.train) == 4


def test_what_cannot_be_used_is_counted(tokens: Tokens) -> None:
    long = Chat("l", (), (Said("user", "x" * 200), Said("assistant", "t")))
    nothing = Chat("n", (), (*ASK, Said("assistant", "t", learn=False)))
    data = Data(chat=(CHAT, long, nothing), skipped=3)
    found = make_examples(data, Data(chat=(CHAT,), skipped=1), "sft", SignForm(tokens), 99, 1)
    assert (len(found.train), len(found.held), found.long, found.empty, found.skipped) == (1, 1, 1, 1, 4)


def test_too_few_examples_are_said_with_what_is_missing() -> None:
    row = (Row((1, 2), (False, True)),)
    with pytest.raises(BadOption) as error:
        enough(Examples((row,) * 10, (row,) * 9, 2, 1, 0), "d", "sft")
    assert str(error.value) == (
        "too few examples: d/train/chat.jsonl gives 10 (2 too long, 1 with nothing to learn), "
        "sft needs at least 16: 6 more"
    )


def test_too_few_are_held_out() -> None:
    row = (Row((1, 2), (False, True)),)
    with pytest.raises(BadOption, match=r"d/test/pairs.jsonl gives 0, preference needs at least 4: 4 more"):
        enough(Examples((row,) * 16, (), 0, 0, 0), "d", "preference")
