"""One line of Python, or several, as calls; finds them inside chatter too. Nothing is evaluated.

A call counts if its tool or its receiver is known, or if it makes up a whole line with constant arguments.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading.arguments import Arguments, excerpt, from_node, mended
from toolmend.reading.literals import dotted, parse_expression
from toolmend.reading.mention import mentioned
from toolmend.reading.quick import plain_calls
from toolmend.reading.reading import Names, Problem, Reading, bind, judged
from toolmend.reading.scan import CALL, Leftover, scan
from toolmend.reading.thoughts import blanked, thoughts

_LEAD = re.compile(
    r"\s*(?P<list>[\[(,;]\s*)*(?P<fence>`{1,3}(?:(?:python|py|tool_code|code)[ \t]+)?)?"
    r"(?P<assignment>[^\W\d][\w.]*(?:[ \t]*:[ \t]*[\w.]+)?[ \t]*=[ \t]*)?(?P<await>await[ \t]+)?"
)
_TAIL = re.compile(r"(?P<fence>[ \t]*`{1,3})?(?P<semicolon>[ \t]*;)?(?P<comment>[ \t]*#[^\n]*)?")
_GOES_ON = re.compile(r"(?:[\s,;(\[]|#[^\n]*\n)*")
_FENCED = re.compile(r"```[ \t]*(?:python|py|tool_code)?[ \t]*\r?\n([^`\n]*[)\]])[ \t]*\r?\n```")
_STRAY = re.compile(r"[)\]}\"']+(?=[\s;#`.,]|$)")
_LINE_END = re.compile(r"[ \t]*(?:[;,\])`][ \t`]*)*(?:\r?\n|$)")


def read_python(text: str, specs: Sequence[ToolSpec], lenient: bool = True) -> Reading:
    """The calls in a text of Python notation. `lenient=False` forgives no noise: it is `rest` then."""
    names = Names(specs)
    return judged(_whole(text, names, lenient) or _Reader(text, names).read(lenient), lenient)


def _whole(text: str, names: Names, lenient: bool) -> Reading | None:
    """A line that is nothing but a plain call of a known tool, or a list of calls one of which is: read at once. Alone
    it comes to the same end as call by call; in a list a tool that there is not is a call like its neighbours."""
    source = text.strip(" \t\n\r")
    fence = _FENCED.fullmatch(source) if lenient and source.startswith("```") else None
    if fence:
        source = fence[1]
    listed = source.startswith("[")
    plain = plain_calls(source) if source[-1:] in (")", "]") and (lenient or not listed) else None
    if plain is None or not any(names.known(name) for name, _, _ in plain):
        return None
    calls = tuple(Call(name, bind(positional, named, names.find(name))) for name, positional, named in plain)
    return Reading(calls, "", (*(("fence",) if fence else ()), *(("list",) if listed else ())))


@dataclass(slots=True)
class _Found:
    """A call and where it stands: `start` to `stop` is the call alone."""

    name: str
    start: int
    stop: int
    arguments: Arguments
    boundary: bool = True
    outer: tuple[int, int] | None = None


class _Reader:
    def __init__(self, text: str, names: Names) -> None:
        hidden, thinks = thoughts(text)
        self.text, self.names = blanked(text, hidden), names
        self.calls: list[Call] = []
        self.notes: list[str] = ["reasoning"] if thinks else []
        self.details: list[str] = []
        self.spoken_of = ""
        self.left = Leftover(text, hidden)
        self.pending = 0
        self.budget = 20 * len(text) + 20_000

    def read(self, lenient: bool) -> Reading:
        place = 0
        while self.budget > 0 and (match := CALL.search(self.text, place)) is not None:
            place = self._consider(match)
        rest, notes, broken = self.left.finish(bool(self.calls), lenient)
        self._note(*notes)
        if broken:
            self.details.append(f"stray {broken}")
        problem: Problem | None = "syntax" if self.details else None if self.calls else "no_call"
        detail = self.details[0] if self.details else "" if self.calls else self.spoken_of
        return Reading(tuple(self.calls), rest, tuple(self.notes), problem, detail)

    def _note(self, *notes: str) -> None:
        self.notes.extend(note for note in notes if note not in self.notes)

    def _consider(self, match: re.Match[str]) -> int:
        """Take the call at this place if there is one; the place to go on from."""
        name, start = match[1], match.start()
        line = self.text.rfind("\n", 0, start) + 1
        since = max(line, self.left.end)
        before = self.text[since:start]
        if since == line and before.lstrip().startswith("#"):
            newline = self.text.find("\n", start)
            return len(self.text) if newline < 0 else newline
        known = self.names.known(name)
        lead = _LEAD.fullmatch(before) if known or len(before) < 200 else None
        if keyword.iskeyword(name) or not (known or (lead and not match[2])):
            return match.end()
        self.budget -= 200
        found = self._printed(match) if name == "print" and not known else self._found(match, known)
        if found is None or (not known and not self._whole_line(found)):
            return max(match.end(), self.left.end)
        found.boundary = lead is not None
        outer = found.outer or (start, found.stop)
        if self._mention(found):
            return match.end()
        if mentioned(self.text, *outer, self.left.end):
            self.spoken_of = self.spoken_of or f"only spoken of: {excerpt(self.text[slice(*outer)])}"
            return outer[1]
        self._accept(found, lead)
        return self.left.end

    def _found(self, match: re.Match[str], known: bool) -> _Found | None:
        start, opening = match.start(), match.end() - 1
        end, missing = scan(self.text, opening, len(self.text))
        self.budget -= end - start
        source = self.text[start:end]
        node = parse_expression(source) if missing == "" else None
        if isinstance(node, ast.Call):
            return _Found(match[1], start, end, from_node(node, source))
        if not known:
            return None
        arguments, after = mended(self.text, start, opening, end if missing == "" else -1)
        if arguments is None:
            self.details.append(f"cannot be read as Python: {excerpt(self.text[start:after])}")
            self.left.take(start, after)
            return None
        return _Found(match[1], start, after, arguments)

    def _printed(self, match: re.Match[str]) -> _Found | None:
        """The one call inside `print(…)`."""
        start = match.start()
        end, missing = scan(self.text, match.end() - 1, len(self.text))
        self.budget -= end - start
        source = self.text[start:end]
        node = parse_expression(source) if missing == "" else None
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            return None
        inner = node.args[0].value if isinstance(node.args[0], ast.Await) else node.args[0]
        name = dotted(inner.func) if isinstance(inner, ast.Call) else None
        if not isinstance(inner, ast.Call) or name is None or name == "print":
            return None
        segment = ast.get_source_segment(source, inner) or ""
        arguments = from_node(inner, source)
        if not self.names.known(name) and arguments.detail:
            return None
        arguments.notes |= {"print", "await"} if isinstance(node.args[0], ast.Await) else {"print"}
        inside = start + source.find(segment)
        return _Found(name, inside, inside + len(segment), arguments, outer=(start, end))

    def _whole_line(self, found: _Found) -> bool:
        stop = found.outer[1] if found.outer else found.stop
        tail = _TAIL.match(self.text, stop)
        after = tail.end() if tail else stop
        return not found.arguments.detail and _LINE_END.match(self.text, after) is not None

    def _mention(self, found: _Found) -> bool:
        """Whether prose only speaks of the tool: `add(title, date)`, or `add()` where arguments are required."""
        spec = self.names.find(found.name)
        if found.boundary or spec is None:
            return False
        arguments = found.arguments
        if not arguments.positional and not arguments.named:
            return bool(spec.required)
        return not arguments.variables.isdisjoint(spec.properties)

    def _accept(self, found: _Found, lead: re.Match[str] | None) -> None:
        arguments = found.arguments
        spec = self.names.find(found.name)
        self.calls.append(Call(found.name, bind(arguments.positional, arguments.named, spec)))
        self._note(*sorted(arguments.notes))
        if arguments.detail:
            self.details.append(arguments.detail)
        start, stop = found.outer or (found.start, found.stop)
        stop = self._closers(start, stop)
        bare = (found.start, found.stop if found.outer else stop)
        tail = _TAIL.match(self.text, stop)
        if lead is not None:
            start = self._leading(lead, start, bool(tail and tail["fence"]))
        if tail:
            fence = tail["fence"] and lead is not None and lead["fence"]
            if fence or not tail["fence"]:
                stop = tail.end()
                self._note(*(note for note in ("semicolon", "comment") if tail[note]))
        self.left.take(start, stop, bare)

    def _closers(self, start: int, stop: int) -> int:
        """Where the call ends if stray brackets or quotes follow it that nothing before it opened."""
        gap = self.text[self.left.end : start]
        newline = gap.rfind("\n")
        if newline >= 0 and not _GOES_ON.fullmatch(gap):  # a list may go over lines, prose ends with its line
            self.pending, gap = 0, gap[newline + 1 :]
        self.pending += sum(gap.count(mark) for mark in "([{") - sum(gap.count(mark) for mark in ")]}")
        stray = _STRAY.match(self.text, stop)
        if stray is None or len(stray[0]) <= max(0, self.pending) or gap.endswith(stray[0]):
            return stop
        self._note("brackets")
        self.details.append(f"stray {stray[0]} after the call")
        return stray.end()

    def _leading(self, lead: re.Match[str], start: int, fenced: bool) -> int:
        """Where the call begins with what may stand before it; notes what that is."""
        self._note(*(note for note in ("assignment", "await") if lead[note]))
        begin = start - len(lead["await"] or "") - len(lead["assignment"] or "")
        ticks = lead["fence"] or ""
        if ticks and (fenced or ticks.startswith("```")):
            self._note("fence")
            return begin - len(ticks)
        return begin
