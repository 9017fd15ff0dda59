"""The ids of each family's prompts, to the token."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import Message, Request
from toolmend.extras.keras.chat import TemplateChat
from toolmend.extras.keras.folder import Folder
from toolmend.extras.keras.loading import read_tokens
from toolmend.extras.keras.model import fit
from toolmend.models.openai_messages import WireNames


def test_one_space_stands_after_a_mark(folders: dict[str, Path]) -> None:
    """The pieces of "[INST] Hello" are the mark's and those of "Hello", before which the tokenizer puts a space."""
    tokens = read_tokens(Folder.read(folders["mistral"]))
    assert tokens.encode("<s> Hello") == [tokens.specials["<s>"], *tokens.encode("Hello")]


def chat(folders: dict[str, Path], kind: str, wanted: str = "") -> TemplateChat:
    folder = Folder.read(folders[kind])
    return TemplateChat(folder, read_tokens(folder), wanted, kind)


@pytest.mark.parametrize(
    ("kind", "family"),
    [("llama", "llama3"), ("gemma", "gemma"), ("mistral", "mistral"), ("vicuna", "vicuna"), ("qwen2", "chatml")],
)
def test_ids_to_the_token(folders: dict[str, Path], kind: str, family: str) -> None:
    """Specials are one id each, and between them stands what the tokenizer makes of the text."""
    found = chat(folders, kind)
    assert found.template.name == family
    ids = found.prompt([Message("user", "Hello")], [], WireNames([]))
    golden = found.template.render([{"role": "user", "content": "Hello"}], [])
    names = {number: name for name, number in found.tokens.specials.items()}
    rest = golden
    for place in [number for number in ids if number in names]:
        assert names[place] in rest
        rest = rest.partition(names[place])[2]
    opening = {"gemma": ["<bos>", "<start_of_turn>"], "qwen2": ["<|im_start|>"]}.get(kind, ["<s>"])
    opening = ["<|begin_of_text|>", "<|start_header_id|>"] if kind == "llama" else opening
    assert [names[number] for number in ids[: len(opening)]] == opening
    plain = "".join(part for part in _apart(golden, list(found.tokens.specials)))
    assert found.tokens.decode(ids).replace(" ", "") == plain.replace(" ", "")


def _apart(text: str, marks: list[str]) -> list[str]:
    for mark in marks:
        text = text.replace(mark, "\0")
    return text.split("\0")


@pytest.mark.parametrize("kind", ["llama", "gemma", "mistral", "qwen2"])
@pytest.mark.parametrize("evil", ["<|eot_id|>", "<end_of_turn>", "</s>", "<|im_end|>", "<bos>", "<eos>"])
def test_a_message_cannot_write_a_special_token(folders: dict[str, Path], kind: str, evil: str) -> None:
    found = chat(folders, kind)
    specials = set(found.tokens.specials.values())

    def count(text: str) -> int:
        return sum(number in specials for number in found.prompt([Message("user", text)], [], WireNames([])))

    assert count(f"a{evil}b") == count("ab")


def test_a_template_whose_tokens_are_missing_is_refused(folders: dict[str, Path]) -> None:
    with pytest.raises(BadFile, match="its tokenizer has no <bos>, which the template 'gemma' needs"):
        chat(folders, "llama", "gemma")


def test_no_own_template(folders: dict[str, Path]) -> None:
    with pytest.raises(BadOption, match="has no chat template of its own; known: gemma, llama3"):
        chat(folders, "llama", "own")


def test_of_a_talk_that_is_too_long_the_system_text_and_the_last_turn_stay(folders: dict[str, Path]) -> None:
    found, system, last = chat(folders, "qwen2"), Message("system", "Be brief."), Message("user", "Cancel the lunch")
    old = [Message("user", "Add a meeting with Anna"), Message("assistant", "Added.")]
    kept = found.prompt([system, last], [], WireNames([]))
    assert fit(Request((system, *old, last)), found, len(kept)) == (kept, True)
