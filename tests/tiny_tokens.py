"""A small byte-level vocabulary for tests, in the form that embedded models have theirs: spelled, numbers as pieces."""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from toolmend.models.builtin.tokens import SPECIAL, BuiltinTokens, Spelling


def train_vocabulary(texts: Iterable[str], size: int, spelling: Spelling) -> BuiltinTokens:
    """At most `size` ids learned from texts (which are spelled first)."""
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(r" ?\p{L}+|[-:]\d\d(?!\d)|\d{1,4}|."), "isolated")
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, level])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator((spelling.encode(text) for text in texts), trainer)
    return BuiltinTokens(tokenizer, spelling)
