"""Test leakage: which sentences are too like a prompt that models are tested with. BLEU as Koala used it to keep test
prompts out of its training data (Geng et al. 2023). Knows sentences only.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

ORDER = 4
Grams = Counter[tuple[str, ...]]


def words_of(text: str) -> list[str]:
    """Words, numbers and marks, in small letters."""
    return re.findall(r"[^\W\d_]+|\d+|[^\w\s]", text.lower())


class Prompts:
    """Sentences that must not be learned from, indexed by their runs of four words."""

    def __init__(self, prompts: Iterable[str]) -> None:
        self._words = [words_of(prompt) for prompt in dict.fromkeys(prompts)]
        self._exact = {tuple(words) for words in self._words if words}
        self._counts = [_grams(words) for words in self._words]
        self._holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, counts in enumerate(self._counts):
            for gram in counts[ORDER - 1]:
                self._holders[gram].append(number)

    def __len__(self) -> int:
        return len(self._words)

    def nearest(self, text: str) -> float:
        """The greatest sentence BLEU of the text against any prompt, from 0 to 1; 1 for the same words.

        BLEU-4, not smoothed: it is 0 for whatever shares no run of four words with a prompt, so only those that do are
        looked at, and nothing is missed.
        """
        words = words_of(text)
        if tuple(words) in self._exact:
            return 1.0
        counts = _grams(words)
        near = {number for gram in counts[ORDER - 1] for number in self._holders.get(gram, ())}
        return max((bleu(words, self._words[n], counts, self._counts[n]) for n in sorted(near)), default=0.0)


def bleu(
    words: Sequence[str],
    reference: Sequence[str],
    counts: Sequence[Grams] | None = None,
    of_reference: Sequence[Grams] | None = None,
) -> float:
    """Sentence BLEU-4 without smoothing, from 0 to 1 (Papineni et al. 2002, §2)."""
    counts, of_reference = counts or _grams(words), of_reference or _grams(reference)
    total = 0.0
    for size, (mine, theirs) in enumerate(zip(counts, of_reference, strict=True), 1):
        same = sum(min(count, theirs[gram]) for gram, count in mine.items() if gram in theirs)
        if not same:
            return 0.0
        total += math.log(same / (len(words) - size + 1))
    return math.exp(total / ORDER + min(0.0, 1 - len(reference) / len(words)))


def _grams(words: Sequence[str]) -> list[Grams]:
    """How often each run of one to four words stands there."""
    return [Counter(zip(*(words[start:] for start in range(size)), strict=False)) for size in range(1, ORDER + 1)]
