"""Names of models and makers are put out of sight, and ordinary words are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.extras.arena.judges.anonymize import NameMask

MASK = NameMask(
    [
        "ollama/qwen2.5:7b?think=false",
        "openai/my-Model-v3",
        "builtin/small",
        "x/small-2b",
        "scripted/oracle",
        "native",
        "",
    ]
)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("I am Qwen 2.5, made by Alibaba Cloud.", "I am [model], made by [maker]."),
        ("qwen2.5:7b here", "[model] here"),
        ("ollama/qwen2.5:7b?think=false", "[model]"),
        ("As QWEN I", "As [model] I"),
        ("My Model V3 says", "[model] says"),
        ("GPT-4 by OpenAI; Gemma 2 by Google", "[model] by [maker]; [model] by [maker]"),
        ("Command-R", "[model]"),
        ("phi-4 and builtin/small", "[model] and [model]"),
    ],
)
def test_names_are_masked(text: str, masked: str) -> None:
    assert MASK.text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "a small chest",
        "a small 3-headed dog",
        "The oracle speaks",
        "native plants",
        "in full bloom",
        "qwentin",
        "I command you",
        "claudette",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert MASK.text(text) == text


def test_values_are_masked_through_and_through() -> None:
    assert MASK.value({"GPT-4": ["Qwen", 1, {"a": "Llama 3.1"}]}) == {"[model]": ["[model]", 1, {"a": "[model]"}]}


@given(
    st.lists(st.sampled_from(["Qwen", "2.5", " ", "-", "Alibaba", "gpt", "4", "[model]", "x", "/", ":7b", "_"])).map(
        "".join
    )
)
def test_nothing_is_left_to_be_read(text: str) -> None:
    assert MASK.text(MASK.text(text)) == MASK.text(text)


@given(st.text(), st.text())
def test_any_name_and_text(name: str, text: str) -> None:
    NameMask([name]).text(text)


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("Made by Open AI.", "Made by [maker]."),
        ("I am Falcon, a model.", "I am [model], a model."),
        ("My name is Yi.", "My name is [model]."),
        ("Yi-34B here", "[model] here"),
        ("I am solar powered; the falcon called.", "I am solar powered; the falcon called."),
    ],
)
def test_who_introduces_itself_is_masked(said: str, masked: str) -> None:
    assert NameMask([]).text(said) == masked
