"""The questions of questions.jsonl, and a library to ask them of: the six seed sources, and the project's own docs.

`shared`: the question and the span that answers it have a content word in common; `apart`: none; `none`: nothing in the
library answers. Spans of seed sources are offsets and a hash, for their text is not in the repository. fresh.jsonl is
by another hand, which had read docs/knowledge.md, but not the search's code, and saw no result of them before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from toolmend.extras.knowledge import Library, Source
from toolmend.extras.knowledge.chunks import Chunk

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
SEED = "seeds/002_5e2629a4887884f0.txt"
KINDS = ("shared", "apart", "none")
# What is written about this very search would answer questions about the questions.
LEFT_OUT = {"knowledge.md", "log.md", "seeds.md"}


@dataclass(frozen=True)
class Asked:
    """A question with the span that answers it: `source` or `doc`, and offsets with a hash or a quote."""

    question: str
    kind: str
    half: str
    source: str = ""
    start: int = 0
    end: int = 0
    sha256: str = ""
    doc: str = ""
    quote: str = ""


@dataclass(frozen=True)
class Gold:
    """Where the answer stands."""

    source: str
    start: int
    end: int

    def within(self, chunk: Chunk) -> bool:
        """Whether at least half of it is in a chunk."""
        both = min(chunk.end, self.end) - max(chunk.start, self.start)
        return chunk.source == self.source and 2 * both >= self.end - self.start


def questions(file: str = "questions.jsonl") -> list[Asked]:
    """All of a file."""
    text = (HERE / file).read_text(encoding="utf-8")
    return [Asked(**json.loads(line)) for line in text.splitlines()]


def fill(library: Library, published: Path) -> None:
    """Add the docs, and the published sources where their file is here."""
    for file in sorted(DOCS.glob("*.md")):
        if file.name not in LEFT_OUT:
            list(library.add(str(file), url=f"https://docs.example/{file.name}"))
    if published.is_file():
        list(library.add(str(published)))


def gold(library: Library, asked: Sequence[Asked]) -> dict[str, Gold | None]:
    """The span for each question, None where its source no longer has it: a page of docs was rewritten."""
    sources = {source.id: source for source in library.sources()}
    pages = {source.url.rpartition("/")[2]: source for source in sources.values()}
    return {each.question: _gold(each, sources, pages) for each in asked if each.kind != "none"}


def _gold(asked: Asked, sources: dict[str, Source], pages: dict[str, Source]) -> Gold | None:
    if asked.doc:
        page = pages.get(asked.doc)
        start = page.text.find(asked.quote) if page else -1
        return Gold(page.id, start, start + len(asked.quote)) if page and start >= 0 else None
    source = sources.get(asked.source)
    if source is None:
        return None
    found = source.text[asked.start : asked.end]
    same = hashlib.sha256(found.encode()).hexdigest().startswith(asked.sha256)
    return Gold(source.id, asked.start, asked.end) if same else None
