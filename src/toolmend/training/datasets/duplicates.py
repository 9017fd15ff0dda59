"""Which texts say what another one before them says: word for word, or nearly so. Knows texts only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from toolmend.errors import MissingExtra

PERMUTATIONS = 128
SEED = 1
MOST = 0.9
"""Above, the hashes no longer divide into bands: then the index alone decides."""


def exact(texts: Sequence[str]) -> Iterator[int | None]:
    """For each text the place of the first equal one before it; None for one that is new."""
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        earlier = first.setdefault(text, place)
        yield None if earlier == place else earlier


def near(texts: Sequence[str], threshold: float) -> Iterator[int | None]:
    """For each text the place of an earlier kept one that is nearly the same; None for one that is kept.

    Alike is a Jaccard index of the runs of three words of at least `threshold`. Candidates come from MinHash with
    locality sensitive hashing (Broder 1997), the index itself is then counted, so that nothing is dropped by chance.
    Raises MissingExtra.
    """
    index, hashes = _index(threshold)
    kept: dict[int, frozenset[str]] = {}
    for place, text in enumerate(texts):
        runs = shingles(text)
        hashed = hashes(sorted(runs))
        found = sorted(index.query(hashed))
        earlier = next((other for other in found if jaccard(runs, kept[other]) >= threshold), None)
        if earlier is None:
            kept[place] = runs
            index.insert(place, hashed)
        yield earlier


def shingles(text: str) -> frozenset[str]:
    """The runs of three words of a text; of a shorter one itself."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2)))


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """What both have, of what either has."""
    return len(a & b) / len(a | b)


def _index(threshold: float) -> tuple[Any, Any]:
    """An index of hashes, and what makes them."""
    try:
        from datasketch import MinHash, MinHashLSH
    except ImportError as error:
        raise MissingExtra("finding near duplicates", "data") from error
    start = MinHash(num_perm=PERMUTATIONS, seed=SEED)

    def hashed(runs: Sequence[str]) -> Any:
        made = start.copy()
        made.update_batch([run.encode("utf-8", "replace") for run in runs])
        return made

    return MinHashLSH(threshold=min(threshold, MOST), num_perm=PERMUTATIONS), hashed
