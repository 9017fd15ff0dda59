"""The vocabulary: a word has the same pieces wherever it stands, and every text comes back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.models.builtin.tokens import SPECIAL


def test_it_has_as_many_ids_as_asked_for_special_ones_first(tokens):
    assert tokens.tokenizer.get_vocab_size() == 512
    assert [tokens.tokenizer.id_to_token(number) for number in range(5)] == list(SPECIAL)


def test_dialogues_come_back(tokens, dialogues):
    texts = [text for talk in dialogues[:200] for e in talk for text in (e.user, e.reply)]
    assert [tokens.decode(ids) for ids in tokens.encode_many(texts)] == texts


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf"))))
@settings(deadline=None, max_examples=100)
def test_any_text_comes_back(tokens, text):
    assert tokens.decode(tokens.encode(text)) == text


@pytest.mark.parametrize(
    "text", ["meeting with Zorbla", 'add("Zorbla")', "zorbla", "ZORBLA at 5", "5zorbla", "x-Zorbla's"]
)
def test_a_word_has_the_same_pieces_wherever_it_stands(tokens, text):
    pieces, ids = tokens.encode("zorbla"), tokens.encode(text)
    assert any(ids[start : start + len(pieces)] == pieces for start in range(len(ids)))


def test_the_parts_of_a_date_and_a_time_are_one_piece_each():
    from toolmend.models.builtin.spelling import Spelling
    from toolmend.training.vocabulary import train_vocabulary

    said = ["2024-11-12 at 17:30 for 180", "on 2024-12-11 at 16:30 for 180"] * 50
    tokens = train_vocabulary(said, 300, Spelling())
    names = [tokens.tokenizer.id_to_token(number) for number in tokens.encode("2024-11-12 17:30")]
    assert names == ["2024", "-11", "-12", "Ġ", "17", ":30"]


def test_signs_and_spaces_before_numbers_are_tokens_of_their_own(tokens):
    names = [tokens.tokenizer.id_to_token(number) for number in range(261, 512)]
    assert not [name for name in names if name[0] in "Ġ.,/(" and any(character.isdigit() for character in name)]


def test_the_same_texts_make_the_same_vocabulary():
    from toolmend.models.builtin.spelling import Spelling
    from toolmend.training.vocabulary import train_vocabulary

    made = [train_vocabulary(["a lunch with Anna"] * 9, 280, Spelling()).tokenizer.to_str() for _ in range(2)]
    assert made[0] == made[1]
