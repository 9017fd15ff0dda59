"""Replies led along a constraint, on every kind of tokenizer: exact to the token, whatever the logits are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from toolmend.errors import BadOption
from toolmend.messages import Constraint
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.guide import LogitGuide
from toolmend.models.keras.loading import read_tokens
from toolmend.models.keras.tokens import JsonTokens, KerasTokens, drops_space
from toolmend.models.masks import Mask, TokenMask, Vocabulary, Words

pytest.importorskip("llguidance")
pytest.importorskip("keras_hub")

SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string", "maxLength": 8}, "minutes": {"enum": [15, 30]}},
    "required": ["title", "minutes"],
    "additionalProperties": False,
}
CALL = 'start: "action.cancel(\\"" NAME "\\")"\nNAME: /[A-Z][a-zé]{1,5}/'
KINDS = ("byte-level", "pieces after a space", "pieces", "pieces in a tokenizer.json")


def metaspace() -> JsonTokens:
    """A tokenizer.json as Llama 2 and Mistral have it: ▁ for a space, bytes for what no piece spells."""
    from tokenizers import Tokenizer, decoders, models, normalizers

    letters = [f"<0x{number:02X}>" for number in range(256)]
    names = ["<unk>", "<s>", "</s>", *letters, *'▁abcdefghijklmnopqrstuvwxyz{}":,.0123456789CA()_', "▁c", "▁ca", "▁15"]
    vocabulary = {name: number for number, name in enumerate(names)}
    merges = [("▁", "c"), ("▁c", "a")]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens(["<s>", "</s>"])
    return JsonTokens(tokenizer)


@pytest.fixture(scope="module")
def tokenizers(folders: dict[str, Path]) -> dict[str, KerasTokens]:
    """One of each kind."""
    families = {"byte-level": "llama", "pieces after a space": "mistral", "pieces": "gemma"}
    found: dict[str, KerasTokens] = {kind: read_tokens(Folder.read(folders[name])) for kind, name in families.items()}
    return {**found, "pieces in a tokenizer.json": metaspace()}


def vocabulary(tokens: KerasTokens) -> Vocabulary:
    stops = [tokens.specials[name] for name in ("<|eot_id|>", "</s>", "<end_of_turn>") if name in tokens.specials]
    return Vocabulary(tokens.bytes_of, stops, drops_space=drops_space(tokens))


def led(tokens: KerasTokens, constraint: Constraint, seed: int, temperature: float = 0.0) -> str:
    """A reply to random logits: the text, once it ended by itself."""
    words = vocabulary(tokens)
    choose = LogitGuide(TokenMask(constraint, words), words.stops).chooser(temperature, seed)
    rng, ids = np.random.default_rng(seed), list[int]()
    for _ in range(200):
        token = choose(rng.normal(size=tokens.size + 3).astype("float32") * 3)  # weights have more rows than tokens
        if token in words.stops:
            return tokens.decode(ids)
        ids.append(token)
    raise AssertionError("it never ended")


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("kind", KINDS)
def test_json_by_a_schema(tokenizers: dict[str, KerasTokens], kind: str, temperature: float) -> None:
    texts = [led(tokenizers[kind], Constraint("json_schema", SCHEMA), seed, temperature) for seed in range(5)]
    for text in texts:
        found = json.loads(text)
        assert sorted(found) == ["minutes", "title"]
        assert found["minutes"] in (15, 30) and len(found["title"]) <= 8
    assert len(set(texts)) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_regex_with_letters_that_only_bytes_spell(tokenizers: dict[str, KerasTokens], kind: str) -> None:
    pattern = "(日本|öh) ?[0-9]{2,4}"
    texts = {led(tokenizers[kind], Constraint("regex", pattern), seed) for seed in range(12)}
    assert all(re.fullmatch(pattern, text) for text in texts)
    assert len(texts) > 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_grammar(tokenizers: dict[str, KerasTokens], kind: str) -> None:
    for seed in range(4):
        assert re.fullmatch(
            r'action\.cancel\("[A-Z][a-zé]{1,5}"\)', led(tokenizers[kind], Constraint("lark", CALL), seed)
        )


@pytest.mark.parametrize("kind", KINDS)
def test_tokens_are_allowed_by_their_bytes_one_by_one(tokenizers: dict[str, KerasTokens], kind: str) -> None:
    tokens, rng = tokenizers[kind], np.random.default_rng(1)
    words, constraint = vocabulary(tokens), Constraint("json_schema", SCHEMA)
    exact, by_bytes = TokenMask(constraint, words), Mask(constraint)
    for step in range(12):
        texts = [
            text[1:] if not step and words.drops_space and text[:1] == b" " else text for text in words.plain.tokens
        ]
        fits = [bool(text) and by_bytes.fits(text) for text in texts]
        for stop in words.stops:
            fits[stop] = by_bytes.may_end
        assert exact.allowed().tolist() == fits
        token = int(rng.choice(np.flatnonzero(fits)))
        if token in words.stops:
            break
        assert exact.fits(token)
        exact.take(token)
        by_bytes.take(texts[token])


def test_the_space_before_a_first_word_is_no_part_of_the_text(tokenizers: dict[str, KerasTokens]) -> None:
    spaced = [kind for kind, tokens in tokenizers.items() if drops_space(tokens)]
    assert spaced == ["pieces after a space", "pieces in a tokenizer.json"]
    for kind in spaced:
        tokens = tokenizers[kind]
        words = vocabulary(tokens)
        word = next(number for number, text in enumerate(words.plain.tokens) if re.fullmatch(b" [a-z]{2,}", text))
        mask = TokenMask(Constraint("regex", f"{words.plain.tokens[word].decode().strip()}( x)?"), words)
        assert mask.fits(word)
        mask.take(word)
        assert mask.may_end
        assert tokens.decode([word]) == words.plain.tokens[word].decode()[1:]


def test_what_would_have_been_said_anyway_is_said(tokenizers: dict[str, KerasTokens]) -> None:
    tokens = tokenizers["byte-level"]
    words = vocabulary(tokens)
    said = tokens.encode("Add a meeting with Anna")
    choose = LogitGuide(TokenMask(Constraint("regex", "(.|\n)*"), words), words.stops).chooser(0.0, 0)
    assert [choose(np.eye(tokens.size, dtype="float32")[token]) for token in said] == said


def test_a_token_that_may_not_be_chosen_is_not(tokenizers: dict[str, KerasTokens]) -> None:
    tokens = tokenizers["byte-level"]
    words = vocabulary(tokens)
    logits = np.zeros(tokens.size, "float32")
    logits[words.plain.spelled(b"y")[0]] = -np.inf
    choose = LogitGuide(TokenMask(Constraint("regex", "[yn]"), words), words.stops).chooser(0.0, 0)
    assert choose(logits) == words.plain.spelled(b"n")[0]


def test_nothing_that_ends_a_reply() -> None:
    with pytest.raises(BadOption, match="no token that ends a reply"):
        Vocabulary([b"a"], [])


def test_what_cannot_be_compiled(tokenizers: dict[str, KerasTokens]) -> None:
    with pytest.raises(BadOption, match="the constraint cannot be compiled"):
        TokenMask(Constraint("regex", "("), vocabulary(tokenizers["byte-level"]))


def test_text_that_no_tokens_spell() -> None:
    words = Words([b"a", b"ab", b"", b"a", b"abc"], (2,))
    assert (words.spelled(b"aba"), words.spelled(b"b")) == ([1, 0], [])
    assert words.along(b"ab") == ([0, 3, 1], [4])
