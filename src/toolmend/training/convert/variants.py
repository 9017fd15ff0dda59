"""A spelled vocabulary for programs that turn tokens into text one by one, such as llama.cpp and Ollama.

There every token has one text, but what a spelled token says depends on the mark before it: ` fred` says `Fred` behind
a capital's mark. So each token is written once for every text that it can say, as variants with the same embedding.
A variant leads into a state (toolmend.models.builtin.guide.Unspelling) and may be made in some states only. Both are
carried by a few more dimensions of the residual stream, which hold one small number each token brings along: no layer
reads them, and the head takes variants out of reach that do not belong to the state. What the net computes is the same
(`widened`: the norms' epsilon takes up the constant that is added), and so is the chance of every text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.guide import Unspelling
from toolmend.models.builtin.tokens import END, SPECIAL, Tokens

Weights = Mapping[str, NDArray[np.float32]]

MORE = 32  # dimensions added: one a state, and a whole block of Q8_0
_CAPITALS = frozenset(bytes((letter,)) for letter in range(ord("A"), ord("Z") + 1))  # spelled text has none
_FAR, _GAIN = np.float32(2.0**15), np.float32(2.0**10)  # both are exact in float16


@dataclass(frozen=True)
class Variant:
    """One token of the written vocabulary. `base` is its id in the spelled one, `name` how files write it (empty text
    has a made-up one), `after` the state it leads into, `allowed` the states in which it may be made."""

    base: int
    text: bytes
    name: bytes
    after: int
    allowed: frozenset[int]


def variants(tokens: Tokens) -> list[Variant]:
    """The written vocabulary: the special tokens with their own ids, then every token in every text it can say.

    The first state is that of a reply not begun. Names are unique. A base token's own name stays with one of its
    variants, so that encoding finds it.
    """
    outcomes, count = _outcomes(tokens)
    made = [
        Variant(number, b"", name.encode(), 0, frozenset(range(count)) if number == END else frozenset())
        for number, name in enumerate(SPECIAL)
    ]
    own: list[Variant] = []
    others: list[Variant] = []
    for base, found in outcomes.items():
        name = (tokens.tokenizer.id_to_token(base) or "").encode()
        ready = [Variant(base, text, _name(text), after, states) for (text, after), states in found.items()]
        keeper = next((each for each in ready if each.name == name), None) or next(
            (each for each in ready if not each.text), None
        )
        own.append(replace(keeper, name=name) if keeper else Variant(base, b"", name, 0, frozenset()))
        others += [each for each in ready if each is not keeper]
    unsaid = (base for base in range(len(SPECIAL), len(tokens.bytes_of)) if base not in outcomes)
    others += [Variant(base, b"", b"", 0, frozenset()) for base in unsaid]
    return [*made, *own, *_distinct(others, {each.name for each in (*made, *own)})]


def _outcomes(tokens: Tokens) -> tuple[dict[int, dict[tuple[bytes, int], frozenset[int]]], int]:
    """For every base token: the states in which it says a text and leads into a state; and the number of states."""
    shorthands = {ord(code): text.encode() for code, text in tokens.spelling.codes.items()}
    states, waiting = {Unspelling(): 0}, [Unspelling()]
    found: dict[int, dict[tuple[bytes, int], set[int]]] = {}
    while waiting:
        state = waiting.pop()
        for base, spelled in enumerate(tokens.bytes_of):
            if base < len(SPECIAL) or spelled in _CAPITALS:
                continue
            after, text = state.after(spelled, shorthands)
            if after.mark and text:
                continue  # a mark, a space and another mark: no spelled text
            if after not in states:
                states[after] = len(states)
                waiting.append(after)
            found.setdefault(base, {}).setdefault((text, states[after]), set()).add(states[state])
    if len(states) > MORE:
        raise ValueError(f"{len(states)} states, {MORE} fit")
    return {base: {key: frozenset(each) for key, each in kinds.items()} for base, kinds in found.items()}, len(states)


def _name(text: bytes) -> bytes:
    """A text as byte-level vocabularies write it."""
    return "".join(_LETTERS[byte] for byte in text).encode()


def _letters() -> dict[int, str]:
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(rest)}


_LETTERS = _letters()


def _distinct(found: list[Variant], taken: set[bytes]) -> Iterator[Variant]:
    """The same variants with names that nobody has.

    llama.cpp refuses a vocabulary in which two tokens have one name. ` fred` without its space and `fred` both say
    `fred`; the second to come is written with longer forms of UTF-8, which llama.cpp reads as the same letters.
    """
    for each in found:
        names = (f"<|silent {len(taken)}|>".encode(),) if not each.text else _forms(each.name.decode())
        name = next(name for name in names if name not in taken)
        taken.add(name)
        yield replace(each, name=name)


def _forms(name: str) -> Iterator[bytes]:
    """A name's bytes: as they should be, then with one letter after the other in 2 (where that fits), 3 and 4 bytes."""
    yield name.encode()
    for place, code in enumerate(map(ord, name)):
        last, middle = 0x80 | code & 0x3F, 0x80 | code >> 6 & 0x3F
        short = [bytes((0xC0 | code >> 6, last))] if code < 0x80 else []
        for form in (*short, bytes((0xE0, middle, last)), bytes((0xF0, 0x80, middle, last))):
            yield name[:place].encode() + form + name[place + 1 :].encode()


def widened(weights: Weights, sizes: Sizes, rows: list[Variant]) -> tuple[dict[str, NDArray[np.float32]], Sizes]:
    """The weights for the written vocabulary, and their sizes (width + 32, vocabulary, epsilon).

    (S + c²) / (d + 32) + ε' is (S / d + ε) · d / (d + 32) for ε' = (ε·d − c²) / (d + 32): with the norms' weights
    times √(d / (d + 32)) every layer sees what it saw.
    """
    d, wide = sizes.width, sizes.width + MORE
    flag = np.float32(2.0 ** np.floor(np.log2(np.sqrt(sizes.epsilon * d / 2))))
    shrink = np.sqrt(np.float64(d / wide))
    made: dict[str, NDArray[np.float32]] = {}
    for name, weight in weights.items():
        if weight.ndim == 1:
            made[name] = np.pad((weight * shrink).astype(np.float32), (0, MORE))
        elif name.endswith(("o_proj.weight", "down_proj.weight")):
            made[name] = np.pad(weight, ((0, MORE), (0, 0)))
        elif name not in ("model.embed_tokens.weight", "lm_head.weight"):
            made[name] = np.pad(weight, ((0, 0), (0, MORE)))
    made["model.norm.weight"][d:] = _GAIN
    base = [each.base for each in rows]
    embedding, head = weights["model.embed_tokens.weight"], weights.get("lm_head.weight")
    into, out = np.zeros((2, len(rows), MORE), np.float32)
    for number, each in enumerate(rows):
        into[number, each.after] = flag
        out[number] = -_FAR
        out[number, list(each.allowed)] = 0
    made["model.embed_tokens.weight"] = np.hstack([embedding[base], into])
    made["lm_head.weight"] = np.hstack([(embedding if head is None else head)[base], out])
    epsilon = (sizes.epsilon * d - float(flag) ** 2) / wide
    return made, replace(sizes, vocabulary=len(rows), width=wide, epsilon=epsilon)
