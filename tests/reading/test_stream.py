"""Cut at every byte, a reply comes to the same reading, and nothing of a call or a thought is shown meanwhile."""

from __future__ import annotations

import codecs
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.replies import BROKEN, REPLIES, SPECS
from toolmend.reading import read
from toolmend.reading.stream import WordStream
from toolmend.reading.thoughts import words_of

# what begins in the prompt shows only by its end: until then it is words
TEXTS = [text for _, text, *_ in (*REPLIES, *BROKEN) if "</think>" not in text or "<think>" in text]


def _pieces(text: str, cuts: list[int]) -> list[str]:
    data, decoder = text.encode(), codecs.getincrementaldecoder("utf-8")()
    places = [0, *sorted(cuts), len(data)]
    return [decoder.decode(data[start:stop]) for start, stop in itertools.pairwise(places)]


def _shown(pieces: list[str]) -> str:
    stream = WordStream(SPECS)
    return "".join(map(stream.feed, pieces))


def _is_words(shown: str, text: str) -> bool:
    """Whether what was shown is the beginning of the words that stand outside calls and thoughts."""
    return "".join(read(text, SPECS).rest.split()).startswith("".join(shown.split()))


@pytest.mark.parametrize("text", TEXTS)
def test_cut_at_every_byte(text: str) -> None:
    for place in range(len(text.encode()) + 1):
        pieces = _pieces(text, [place])
        assert read("".join(pieces), SPECS) == read(text, SPECS)
        assert _is_words(_shown(pieces), text), (place, _shown(pieces))


@pytest.mark.parametrize("text", TEXTS)
def test_byte_by_byte(text: str) -> None:
    shown = _shown(_pieces(text, list(range(len(text.encode())))))
    assert _is_words(shown, text), shown


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.lists(st.integers(0, 2_000), max_size=8))
@settings(deadline=None, max_examples=150)
def test_cut_anywhere_after_words(first: str, text: str, cuts: list[int]) -> None:
    text = f"I look it up for you, my friend.\n{text}"
    assert _is_words(_shown(_pieces(text, [cut for cut in cuts if cut < len(text.encode())])), text)


def test_words_are_shown_as_they_come() -> None:
    stream = WordStream(SPECS)
    text = "The weather in Paris is fine, and a < b holds.\nSo it is <b>good</b> news today.\n"
    shown = [stream.feed(char) for char in text]
    assert sum(map(bool, shown)) > 10
    assert stream.shown + stream.rest(text) == text


@pytest.mark.parametrize(
    "text", ["<think>Rome</think>\nIt is fine today.", "Well now.\n<think>\nRome\n</think>\nIt is fine today."]
)
def test_thoughts_are_not_shown(text: str) -> None:
    stream = WordStream(SPECS)
    shown = "".join(map(stream.feed, text))
    assert shown and words_of(text).startswith(shown)
    assert shown + stream.rest(words_of(text)) == words_of(text)
