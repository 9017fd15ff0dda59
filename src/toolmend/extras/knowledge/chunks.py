"""A source's text in pieces that an embedder takes whole: by heading, sentence and time, each with its offsets.

Nothing is rewritten: a chunk is a span of the stored text. Tokens are estimated, without a tokenizer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from toolmend.extras.knowledge.source import Source

# Small sentence embedders read 256. The estimate says 515 to 1031 for texts in which MiniLM counts 558 to 965: at the
# worst it is 8 % short, and this leaves room for that and for the embedder's own marks.
TOKENS = 220

_PIECE = re.compile(r"[A-Za-zÀ-ɏ']+|\d+|[^\w\s]|\w")
_SENTENCE = re.compile(
    r"(?<=[.!?…])[\"'”’)\]]*(?:\s+)(?=[\"'“‘(\[]?[A-ZÀ-Þ0-9])|\n{2,}|(?<=[.!?:;])\n|\n(?=\[\d|[-*•] )"
)
_NO_END = re.compile(
    r"(?:\b(?:et al|e\.g|i\.e|cf|vs|Dr|Mr|Mrs|Ms|Prof|Fig|Eq|No|St|vol|pp|approx|[A-Z]))\.[\"'”’)\]]*\s+$"
)


@dataclass(frozen=True)
class Chunk:
    """A span of a source's text: offsets in characters, the heading above, and seconds for what was spoken."""

    source: str
    position: int
    start: int
    end: int
    heading: str = ""
    seconds: float | None = None


def chunks_of(source: Source, tokens: int = TOKENS) -> tuple[Chunk, ...]:
    """The chunks of a source in order; together they hold every word once. No chunk crosses a heading."""
    spans = [piece for start, end in _sections(source) for piece in _packed(source, start, end, tokens)]
    begins, times = [cue.start for cue in source.cues], [cue.seconds for cue in source.cues]
    made = []
    for position, (start, end) in enumerate(spans):
        at = bisect_right(begins, start) - 1
        seconds = times[at] if at >= 0 else None
        made.append(Chunk(source.id, position, start, end, _path(source, start), seconds))
    return tuple(made)


def tokens_in(text: str) -> int:
    """About how many pieces a sentence embedder makes of a text.

    Words of up to seven letters count one, longer ones one for every four letters; two digits, one mark, one sign of a
    script without spaces count one each.
    """
    return sum(_cost(piece) for piece in _PIECE.findall(text))


def sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of the sentences in a part of a text; they touch, so that nothing is lost between them."""
    cuts = [start]
    for found in _SENTENCE.finditer(text, start, end):
        if not _NO_END.search(text, max(start, found.start() - 12), found.end()):
            cuts.append(found.end())
    return [(first, last) for first, last in zip(cuts, [*cuts[1:], end], strict=True) if text[first:last].strip()]


def _cost(piece: str) -> int:
    if piece.isdigit():
        return (len(piece) + 1) // 2
    return 1 if len(piece) <= 7 else -(-len(piece) // 4)


def _sections(source: Source) -> list[tuple[int, int]]:
    cuts = sorted({0, *(heading.start for heading in source.headings if heading.start < len(source.text))})
    return list(zip(cuts, [*cuts[1:], len(source.text)], strict=True))


def _path(source: Source, at: int) -> str:
    """The headings above an offset, from the highest down: `Memory › Types of Memory`."""
    path: list[tuple[int, str]] = []
    for heading in source.headings:
        if heading.start > at:
            break
        path = [part for part in path if part[0] < heading.level] + [(heading.level, heading.title)]
    return " › ".join(title for _, title in path)


def _packed(source: Source, start: int, end: int, tokens: int) -> Iterator[tuple[int, int]]:
    """Sentences put together while they fit; one that does not fit alone is cut between words."""
    text = source.text
    units = [piece for first, last in _units(source, start, end) for piece in _cut(text, first, last, tokens)]
    begin, used = -1, 0
    stop = start
    for first, last in units:
        cost = tokens_in(text[first:last])
        if begin >= 0 and used + cost > tokens:
            yield from _trimmed(text, begin, stop)
            begin = -1
        if begin < 0:
            begin, used = first, 0
        used, stop = used + cost, last
    if begin >= 0:
        yield from _trimmed(text, begin, stop)


def _units(source: Source, start: int, end: int) -> list[tuple[int, int]]:
    """Sentences; for what was spoken, captions, which have the times."""
    if not source.cues:
        return sentences(source.text, start, end)
    cuts = sorted({start, *(cue.start for cue in source.cues if start < cue.start < end)})
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def _cut(text: str, start: int, end: int, tokens: int) -> Iterator[tuple[int, int]]:
    if tokens_in(text[start:end]) <= tokens:
        yield start, end
        return
    begin, used = start, 0
    for word in re.finditer(r"\S{1,200}\s*", text[start:end]):
        cost = tokens_in(word[0])
        if used and used + cost > tokens:
            yield begin, start + word.start()
            begin, used = start + word.start(), 0
        used += cost
    yield begin, end


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        begin = start + len(piece) - len(piece.lstrip())
        yield begin, begin + len(bare)
