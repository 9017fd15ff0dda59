"""The words of a reply while it comes: nothing of a call and nothing of a thought is shown meanwhile.

What could be the beginning of either waits. Where a call may have begun, all that follows waits for the end, when the
whole text is read: cut anywhere, a reply comes to the same reading. Knows no model and no server.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolmend.base.messages import ToolSpec
from toolmend.reading.formats import marks
from toolmend.reading.thoughts import Span, blanked, thoughts, words_of

_WORD = re.compile(r"\S+")
_PENDING = re.compile(r"(?:\S*<\S*\s+|(?:assistant)?commentary\s+)?\S*\Z")
_PARTIAL = re.compile(r"(?:<[^<>\n]{0,50}|<\|channel\|?>[^<>]{0,30}|\[/?[A-Z]{0,6}|◁[^▷\n]{0,10}|\Aa[nalysi]{0,7})\Z")
_DECORATION = re.compile(r"[-*+•]|\(?\d{1,3}[.):]")
_OPENS = re.compile(r"[{]|`|~~~|<[｜|/\w]|functools|to=|\[\Z|\[[\w{\[]|\(\Z")
_FIRST = re.compile(r"[\[({<\"'>“‘]|(?:await|print|return)\b|\w+[=(]|(?:Action|Tool|Function|Call|Operation)\b", re.I)


class WordStream:
    """Takes pieces of a reply and gives the words of it that can be shown. `specs` are the tools that it may call."""

    def __init__(self, specs: Sequence[ToolSpec] = ()) -> None:
        names = {name for spec in specs for name in (spec.full_name, spec.name.rpartition(".")[2], spec.receiver)}
        told = "|".join(sorted(map(re.escape, filter(None, names)), key=len, reverse=True))
        self._names = re.compile(rf"(?<!\w)(?:{told})(?!\w)") if told else None
        self._text, self._checked = "", 0
        self._held: int | None = None
        self.shown = ""

    def feed(self, piece: str) -> str:
        """The words that are settled now and were not shown before."""
        self._text += piece
        if self._held is not None:
            return ""
        spans, _ = thoughts(self._text)
        end = self._settled(spans)
        end = next((start for start, stop in spans if start < end < stop), end)
        words = words_of(self._text[:end])
        new = self.rest(words.strip() if self._names else words)
        self.shown += new
        return new

    def rest(self, words: str) -> str:
        """What of the whole reply's words is still to be shown, at its end."""
        if words.startswith(self.shown):
            return words[len(self.shown) :]
        shown, place = "".join(self.shown.split()), 0  # blanks beside a thought are fewer once it is known
        for sign in shown:
            place = words.find(sign, place) + 1
        return words[place:] if "".join(words[:place].split()) == shown else ""

    def _settled(self, spans: list[Span]) -> int:
        """Up to where the text is words, whatever follows."""
        text = blanked(self._text, spans)
        end = spans[-1][0] if spans and spans[-1][1] >= len(text) else len(text)
        if self._names is None:
            partial = _PARTIAL.search(text, max(0, end - 60), end)
            return partial.start() if partial else end
        end = self._line_begun(text, end)
        mark = marks().search(text, self._checked)
        stop = min(end, mark.start()) if mark else end
        for word in _WORD.finditer(text, self._checked, stop):
            if self._may_call(text, word):
                self._held = self._line(text, word.start())
                return self._held
        if mark is not None:
            self._held = mark.start()
        self._checked = max(self._checked, stop)
        return stop

    def _line_begun(self, text: str, end: int) -> int:
        """The end without a word, or a line, that is only begun."""
        pending = _PENDING.search(text, max(0, end - 400), end)
        end = min(end, pending.start()) if pending else end
        line = text.rfind("\n", 0, end) + 1
        words = [word for word in text[line:end].split() if not _DECORATION.fullmatch(word)]
        return end if len(words) > 1 else min(end, max(line, self._checked))

    def _may_call(self, text: str, word: re.Match[str]) -> bool:
        assert self._names is not None, "only asked with tools"
        before = text[text.rfind("\n", 0, word.start()) + 1 : word.start()].split()
        first = all(_DECORATION.fullmatch(one) for one in before)
        if _OPENS.search(word[0]) or self._names.search(word[0]) or (first and _FIRST.match(word[0])):
            return True
        return len(before) == 1 and word[0].startswith("=")

    def _line(self, text: str, place: int) -> int:
        """The beginning of the line, where nothing of it was shown."""
        line = text.rfind("\n", 0, place) + 1
        before = text[line:place].split()
        plain = line >= self._checked and (len(before) < 2 or all(map(_DECORATION.fullmatch, before)))
        return line if plain else place
