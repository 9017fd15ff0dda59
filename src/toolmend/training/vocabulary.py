"""Trains the byte-level vocabulary of an embedded model. Merges stay inside words and numbers: spaces between figures,
punctuation and the spelling's marks are tokens of their own, so a word has the same pieces wherever it stands.

A number is one piece where it is frequent, and so are the parts of a date and a time ("2024" "-11" "-30", "17" ":00"):
fewer pieces to copy, and adding a day or an hour is looking it up.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from toolmend.models.builtin.spelling import Spelling
from toolmend.models.builtin.tokens import SPECIAL, Tokens

WORDS = r" ?\p{L}+"
NUMBERS = r"[-:]\d\d(?!\d)|\d{1,4}"


def train_vocabulary(texts: Iterable[str], size: int, spelling: Spelling) -> Tokens:
    """A vocabulary of at most `size` ids learned from texts (which are spelled first)."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(f"{WORDS}|{NUMBERS}|."), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator((spelling.encode(text) for text in texts), trainer)
    return Tokens(tokenizer, spelling)
