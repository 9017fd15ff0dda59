"""Another reply than one that a person has just called wrong: the likeliest whole reply that differs from it.

Greedy decoding repeats itself. Told "The date is wrong", a small model reads the request again and mostly says the same
again, word for word (docs/log.md). So the likeliest forks of its reply, another choice at one place, are followed to
their ends; where the person says what in it is wrong, the forks within that part, and the rest is to stay a call of the
same tool. It insists where it is so sure that no other reply is nearly as likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.base.messages import Wrong
from toolmend.models.builtin.tokens import END

FORKS, CHOICES = 10, 3
SURE = 6.0
"""In nats: a reply less likely than the first one by more than this is not given."""

Logits = Callable[[Sequence[int]], NDArray[Any]]
"""Of the token after those made so far; what may never come is at minus infinity."""
Decode = Callable[[list[int]], str]


def unless(
    wrong: Sequence[Wrong], decode: Decode, made: list[int], seen: Sequence[NDArray[Any]], after: Logits, room: int
) -> list[int]:
    """What was made, or the likeliest other reply if that is wrong; see `otherwise` for the rest."""
    known = {_plain(bad.text) for bad in wrong}

    def new(text: str) -> bool:
        return _plain(text) not in known and not any(bad.part and bad.part in text for bad in wrong)

    def fit(reply: list[int]) -> bool:
        return new(text := decode(reply)) and all(text.startswith(bad.head) for bad in wrong)

    if new(decode(made)):
        return made
    part = next((bad.part for bad in wrong if bad.part), "")
    return otherwise(made, seen, after, fit, room, _places(part, made, decode)) or made


def otherwise(
    made: Sequence[int],
    seen: Sequence[NDArray[Any]],
    after: Logits,
    new: Callable[[list[int]], bool],
    room: int,
    places: range | None = None,
) -> list[int] | None:
    """The likeliest reply for which `new` holds, without its end token; None if there is none worth saying.

    `made` was said greedily, `seen` are the logits at each of its places and at its end; where `places` are given, it
    differs there first.
    """
    sure, forks = 0.0, []
    for place, (token, logits) in enumerate(zip((*made, END), seen, strict=True)):
        chances = _log_softmax(logits)
        likeliest = np.argsort(chances)[-CHOICES:] if places is None or place in places else ()
        forks += [(sure + float(chances[other]), place, int(other)) for other in likeliest if other != token]
        sure += float(chances[token])
    best, least = None, sure - SURE
    for chance, place, other in sorted(forks, reverse=True)[:FORKS]:
        if chance <= least:  # what follows makes it less likely still
            break
        found = _followed([*made[:place], other], chance, after, least, room)
        if found and new(found[0]):
            best, least = found
    return best


def _places(part: str, made: list[int], decode: Decode) -> range | None:
    """The tokens of a reply that spell the part, and the one after them; None where it is not in it."""
    start = decode(made).find(part) if part else -1
    if start < 0:
        return None
    ends = [len(decode(made[: place + 1])) for place in range(len(made))]
    first = next(place for place, end in enumerate(ends) if end > start)
    last = next(place for place, end in enumerate(ends) if end >= start + len(part))
    return range(first, last + 2)


def _followed(
    tokens: list[int], chance: float, after: Logits, least: float, room: int
) -> tuple[list[int], float] | None:
    """The greedy end of a reply so begun and its log-probability; None once that falls to `least`."""
    while tokens[-1] != END:
        if len(tokens) >= room or chance <= least:
            return None
        chances = _log_softmax(after(tokens))
        tokens.append(int(chances.argmax()))
        chance += float(chances[tokens[-1]])
    return (tokens[:-1], chance) if chance > least else None


def _log_softmax(logits: NDArray[Any]) -> NDArray[Any]:
    shifted: NDArray[Any] = logits - logits.max()
    chances: NDArray[Any] = shifted - np.log(np.exp(shifted).sum())
    return chances


def _plain(text: str) -> str:
    """A reply without what makes no difference to its call."""
    return " ".join(text.split()).casefold()
