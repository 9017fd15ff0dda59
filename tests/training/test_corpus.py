"""Dialogues as ids: what is learned, and how batches are made."""

from itertools import islice
from random import Random

import numpy as np
import pytest

from toolmend.models.builtin.tokens import ASSISTANT, BEGIN, END, PAD, USER
from toolmend.training.corpus import BUCKETS, Source, batches, encode_dialogue, pad
from toolmend.training.meaning import Exchange
from toolmend.training.simulate import simulate

TALK = [
    Exchange("Add a lunch", 'action.add("Lunch")', True, "add"),
    Exchange("Wrong", "Sorry!", False, "fix 1 time"),
    Exchange("No", 'action.add("Lunch", 2)', True, "fix 2 time"),
]


def calendar_source() -> Source:
    return Source(lambda number, held_out: simulate(number, held_out=held_out))


def test_a_dialogue_is_what_the_model_will_be_asked(tokens):
    ids, _, _ = encode_dialogue(TALK, tokens)
    turns = [turn for e in TALK for turn in (("user", e.user), ("assistant", e.reply))]
    assert [*ids, USER, *tokens.encode("x"), ASSISTANT] == tokens.prompt([*turns, ("user", "x")])
    assert ids[0] == BEGIN


def test_only_right_replies_are_learned_with_their_end(tokens):
    ids, learned, _ = encode_dialogue(TALK, tokens)
    assert len(ids) == len(learned)
    chosen = [number for number, flag in zip(ids, learned, strict=True) if flag]
    assert chosen == [*tokens.encode(TALK[0].reply), END, *tokens.encode(TALK[2].reply), END]


def test_spans_are_the_right_replies(tokens):
    ids, learned, spans = encode_dialogue(TALK, tokens)
    assert [op for _, _, op in spans] == ["add", "fix 2 time"]
    assert [tokens.decode(ids[start:end]) for start, end, _ in spans] == [TALK[0].reply, TALK[2].reply]
    assert all(all(learned[start:end]) and ids[end - 1] == END for start, end, _ in spans)


def test_simulated_dialogues_read_back(tokens, dialogues):
    for talk in dialogues[:100]:
        ids, _, spans = encode_dialogue(talk, tokens)
        assert [tokens.decode(ids[start:end]) for start, end, _ in spans] == [e.reply for e in talk if e.gold]
        assert ids.count(USER) == ids.count(ASSISTANT) == ids.count(END) == len(talk)


def test_padding(tokens):
    batch = pad([([1, 2, 3], [False, True, True]), ([4], [False])], 4)
    np.testing.assert_array_equal(batch.ids, [[1, 2, 3, PAD], [4, PAD, PAD, PAD]])
    np.testing.assert_array_equal(batch.target, [[False, True, True, False], [False] * 4])


@pytest.fixture(scope="module")
def some(tokens):
    return list(islice(batches(tokens, calendar_source(), seed=1, tokens_per_batch=1536, chunk=64), 40))


def test_batches_have_one_of_the_widths_and_fill_their_budget(some):
    for batch in some:
        assert batch.ids.shape == batch.target.shape == (1536 // batch.ids.shape[1], batch.ids.shape[1])
        assert batch.ids.shape[1] in BUCKETS


def test_the_first_position_and_the_padding_are_never_learned(some):
    for batch in some:
        assert not batch.target[:, 0].any()
        assert not batch.target[batch.ids == PAD].any()
        assert batch.target.any()


def test_the_same_seed_gives_the_same_batches_and_another_one_others(tokens, some):
    again = list(islice(batches(tokens, calendar_source(), seed=1, tokens_per_batch=1536, chunk=64), 10))
    other = next(batches(tokens, calendar_source(), seed=2, tokens_per_batch=1536, chunk=64))
    assert all((a.ids == b.ids).all() and (a.target == b.target).all() for a, b in zip(some, again, strict=False))
    assert not np.array_equal(other.ids, some[0].ids)


def test_a_batch_says_where_to_go_on(tokens, some):
    batch = next(batch for batch in some if batch.chunk == 1)
    stream = batches(tokens, calendar_source(), seed=1, tokens_per_batch=1536, chunk=64, start=1)
    again = next(islice(stream, batch.place, None))
    np.testing.assert_array_equal(again.ids, batch.ids)


def test_taking_tokens_apart_makes_dialogues_longer_and_learns_as_much(tokens, dialogues):
    from toolmend.training.segments import Segments, merges

    apart = Segments(merges(tokens.tokenizer), Random(0), 0.7)
    plain, longer = encode_dialogue(dialogues[0], tokens), encode_dialogue(dialogues[0], tokens, apart)
    assert len(longer[0]) > len(plain[0])
    assert [tokens.decode(longer[0][a:b]) for a, b, _ in longer[2]] == [
        tokens.decode(plain[0][a:b]) for a, b, _ in plain[2]
    ]
