"""What training takes from a toolbox's talks: the dialogues, the texts of sentences, the strings worth one character.

Knows no net.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from toolmend.corrections import names, sentences
from toolmend.messages import ToolSpec
from toolmend.models.builtin.spelling import MAX_SHORTHANDS
from toolmend.training.corpus import Source
from toolmend.training.teach import changes, dialogues, style
from toolmend.training.teach.dialogues import Talks
from toolmend.training.teach.requests import Requests
from toolmend.training.words import sections


def source_of(talks: Talks) -> Source:
    """The talks as training and the exam take them."""
    return Source(
        lambda number, held_out: talks.dialogue(number, held_out=held_out), tuple(sentence_texts(talks.requests))
    )


def sentence_texts(requests: Requests) -> Iterator[str]:
    """Texts whose words make sentences and calls, as against the values in them."""
    for template in requests.templates:
        yield from (part for part in template.parts if isinstance(part, str))
        yield template.reply
    for spec in requests.specs.values():
        yield from (names.function(spec.full_name), *map(names.label, spec.properties), str(spec.parameters))
    for name in ("complaints.txt", "replies.txt"):
        yield from (line for lines in sections(name).values() for line in lines)
    for module in (sentences, style, changes, dialogues):
        yield from (text for value in vars(module).values() for text in _texts(value))


def _texts(value: object) -> Iterator[str]:
    """The texts in nested tables of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, tuple | frozenset | list):
        for item in value:
            yield from _texts(item)


def shorthands(specs: Sequence[ToolSpec], replies: Sequence[str], most: int = MAX_SHORTHANDS) -> list[str]:
    """The strings of calls that are worth one character each in the spelling: those that save most in these replies."""
    candidates = {'", "', '")', '", ', '"}])', '"]) ', "])", "})", '"}, {"'}
    for spec in specs:
        first = next(iter(spec.properties), "")
        quoted = spec.properties.get(first, {}).get("type") == "string"
        candidates |= {f"{spec.full_name}(", f'{spec.full_name}("' if quoted else f"{spec.full_name}("}
        for name in spec.properties:
            candidates |= {f", {name}=", f', {name}="', f'", {name}="', f'", {name}=', f"{name}=", f", {name}=["}
            candidates |= {f', {name}=[{{"', f', {name}={{"', f'("{name}"'}
        for part in _keys(spec.parameters):
            candidates |= {f'"{part}": ', f'"{part}": "', f'", "{part}": ', f'", "{part}": "', f', "{part}": '}
            candidates |= {f'[{{"{part}": "', f'{{"{part}": "', f'{{"{part}": '}
    return _best(candidates, "\n".join(replies), most)


def _best(candidates: set[str], text: str, most: int) -> list[str]:
    """Greedily the string that saves most characters in what is left of the text."""
    chosen: list[str] = []
    counts = Counter({each: text.count(each) * (len(each) - 1) for each in candidates})
    for _ in range(most):
        best, saved = max(counts.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
        if saved < 2:
            break
        chosen.append(best)
        text = text.replace(best, "\x00")
        counts = Counter({each: text.count(each) * (len(each) - 1) for each in candidates})
    return chosen


def _keys(schema: object) -> Iterator[str]:
    """The names of fields of nested objects."""
    if isinstance(schema, dict):
        for definition in schema.get("$defs", {}).values():
            yield from definition.get("properties", {})
