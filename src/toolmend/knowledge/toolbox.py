"""The library as tools for a model, a server, MCP: search, quote, list, trust. All of them only read.

What they answer is the sources' text, and shown to models as such: data, never instructions. The database is opened
when a tool is first called, where runs are kept unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from toolmend.errors import BadOption, ToolError, UnknownName
from toolmend.knowledge.library import Library
from toolmend.knowledge.quotes import find_quote
from toolmend.knowledge.source import Source
from toolmend.knowledge.trust import Others, judge
from toolmend.store.place import default_place
from toolmend.tools import Toolbox, tool

_LISTED = 50


@dataclass(frozen=True, slots=True)
class Passage:
    """Words that stand in a source, where they stand, and how far the source may be trusted (0 to 1)."""

    source: str
    title: str
    start: int
    end: int
    text: str
    trust: float


class KnowledgeTools(Toolbox):
    """The tools of one library: that given, else the one where runs are kept, opened when needed."""

    receiver = "knowledge"

    def __init__(self, library: Library | None = None) -> None:
        if library is not None:
            self.library = library

    @cached_property
    def library(self) -> Library:
        """The library, opened now."""
        return Library(default_place())

    @tool(effect="read", foreign=True)
    def search(self, question: str, most: int = 5) -> list[Passage]:
        """Find passages of the sources kept that answer a question; an empty list where none does.

        Args:
            question: what to look for, in words
            most: how many passages at most
        """
        return [self._passage(*each) for each in self._found(question, max(1, min(most, 20)))]

    @tool(effect="read", foreign=True)
    def quote(self, source: str, words: str) -> Passage:
        """Check that words stand in a source exactly so, and tell where. Use it before quoting anything.

        Args:
            source: the id of the source, as search gives it
            words: the words to be quoted
        """
        kept = self._source(source)
        found = find_quote(kept, words)
        if found is None:
            raise ToolError(f"these words do not stand in {kept.id}: quote only what search gave, letter by letter")
        return self._passage(kept.id, found.start, found.end)

    @tool(effect="read", foreign=True, name="list")
    def listed(self) -> list[dict[str, str]]:
        """List the sources kept: their ids, kinds, titles and addresses, at most fifty."""
        found = [each for each, _ in zip(self.library.sources(), range(_LISTED), strict=False)]
        return [{"id": each.id, "kind": each.kind, "title": each.title, "url": each.url} for each in found]

    @tool(effect="read", foreign=True)
    def trust(self, source: str) -> dict[str, object]:
        """Tell how far a source may be trusted (0 to 1), between what bounds, and why.

        Args:
            source: the id of the source
        """
        return judge(self._source(source), datetime.now(UTC).date(), self._others).as_dict(explain=True)

    @property
    def _others(self) -> Others:
        return Others.of(self.library.sources(), self.library.outside())

    def _found(self, question: str, most: int) -> Iterable[tuple[str, int, int]]:
        from toolmend.knowledge.search import Search

        for hit in Search(self.library).find(question, most):
            yield hit.chunk.source, hit.start, hit.end

    def _passage(self, source: str, start: int, end: int) -> Passage:
        kept = self._source(source)
        score = judge(kept, datetime.now(UTC).date(), self._others).score
        return Passage(kept.id, kept.title, start, end, kept.text[start:end], score)

    def _source(self, source: str) -> Source:
        try:
            return self.library.source(self.library.find(source))
        except (UnknownName, BadOption) as error:
            raise ToolError(str(error)) from error
