"""Tokens taken apart spell the same text."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.training.segments import Segments, merges


def test_each_merged_id_is_spelled_by_its_two_parts(tokens):
    table = merges(tokens.tokenizer)
    name = tokens.tokenizer.id_to_token
    assert len(table) > 150
    assert not any(character.isdigit() for whole in table for character in name(whole))
    assert all(name(whole) == name(left) + name(right) for whole, (left, right) in table.items())


@given(seed=st.integers(0, 999), share=st.floats(0, 1))
@settings(deadline=None, max_examples=60)
def test_the_text_stays_the_same(tokens, dialogues, seed, share):
    apart = Segments(merges(tokens.tokenizer), Random(seed), share)
    ids = tokens.encode(dialogues[seed][0].user)
    assert tokens.decode(apart(ids)) == tokens.decode(ids) == dialogues[seed][0].user


def test_nothing_is_taken_apart_at_0_and_everything_at_1(tokens):
    table, ids = merges(tokens.tokenizer), tokens.encode("Add a meeting with Anna on May 3")
    assert Segments(table, Random(0), 0.0)(ids) == ids
    assert not set(Segments(table, Random(0), 1.0)(ids)) & set(table)


def test_a_token_is_spelled_the_same_throughout_a_dialogue(tokens):
    apart = Segments(merges(tokens.tokenizer), Random(3), 0.5)
    ids = tokens.encode("Add a meeting with Anna on May 3")
    assert apart(ids) == apart(ids)
