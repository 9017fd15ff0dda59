"""A conversation as token ids: the spelling, the byte-level vocabulary and the one chat template of embedded models.

    <|begin_of_text|> <|user|> request <|assistant|> reply <|eot_id|> <|user|> … <|assistant|>

System text is not part of it: an embedded model knows its toolbox from training. Knows nothing of weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from toolmend.models.builtin.spelling import Spelling

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PAD, BEGIN, END, USER, ASSISTANT = range(5)
SPECIAL = ("<|pad|>", "<|begin_of_text|>", "<|eot_id|>", "<|user|>", "<|assistant|>")


class BuiltinTokens:
    """Text to ids and back. `tokenizer` is a tokenizers.Tokenizer whose first five ids are SPECIAL."""

    def __init__(self, tokenizer: Tokenizer, spelling: Spelling) -> None:
        self.tokenizer, self.spelling = tokenizer, spelling

    def encode(self, text: str) -> list[int]:
        """Ids of a text without special tokens; a special token's name inside the text is taken apart."""
        spelled = self.spelling.encode(text.replace("<|", "<\u200b|"))
        ids: list[int] = self.tokenizer.encode(spelled, add_special_tokens=False).ids
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, special ones left out."""
        spelled: str = self.tokenizer.decode([i for i in ids if i >= len(SPECIAL)])
        return self.spelling.decode(spelled).replace("<\u200b|", "<|")

    def prompt(self, turns: Sequence[tuple[str, str]]) -> list[int]:
        """Ids of a conversation of (role, text) turns, ready for the next reply. Roles other than user and
        assistant are left out."""
        ids = [BEGIN]
        for role, text in turns:
            if role == "user":
                ids += [USER, *self.encode(text)]
            elif role == "assistant":
                ids += [ASSISTANT, *self.encode(text), END]
        return [*ids, ASSISTANT]
