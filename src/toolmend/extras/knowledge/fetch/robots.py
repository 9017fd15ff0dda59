"""robots.txt as RFC 9309 has it: groups, the longest match, `*` and `$`. Asks through whoever fetches, once a run.

The standard library's parser knows neither `*` and `$` nor the longest match, so it would let through what many sites
forbid. Nothing here goes back and forth in what a site writes: reading and matching are linear.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

import anyio

from toolmend.base.budget import Budget, OverBudget
from toolmend.extras.knowledge.fetch.guard import FetchRefused
from toolmend.extras.knowledge.fetch.wire import AGENT

BYTES_AT_MOST = 5_000_000  # ten times what RFC 9309 asks of a crawler
STEPS = 500_000  # pieces of patterns that one target is held against; `/*/*/*` has four
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What a robots.txt tells one crawler: patterns that allow (True) or forbid, and seconds between requests."""

    patterns: tuple[tuple[bool, str], ...] = ()
    delay: float = 0.0

    def forbids(self, target: str) -> str:
        """The pattern that forbids a path with its query, "" if it is allowed. The longest counts, Allow in a tie.

        Raises OverBudget where that cannot be found out in reasonable time.
        """
        path, budget = _normal(target), Budget("to match its patterns", steps=STEPS)
        found = [(len(text), allows, text) for allows, text in self.patterns if _matches(text, path, budget)]
        _, allows, text = max(found, default=(0, True, ""))
        return "" if allows or path == "/robots.txt" else text


def parse(text: str, agent: str = AGENT) -> RobotsRules:
    """The rules for a crawler: those of all groups that name it, else those for everybody."""
    groups: list[tuple[set[str], list[tuple[str, str]]]] = []
    naming = False
    for line in text.removeprefix("\ufeff").splitlines():
        name, _, said = line.partition("#")[0].partition(":")
        key, value = name.strip().lower(), said.strip()
        if key == "user-agent":
            if not naming:
                groups.append((set(), []))
            groups[-1][0].add(value.partition("/")[0].strip().lower())
            naming = True
        elif key in ("allow", "disallow", "crawl-delay"):
            naming = False
            if groups:
                groups[-1][1].append((key, value))
    mine = [lines for names, lines in groups if agent.lower() in names]
    told = [rule for lines in mine or [lines for names, lines in groups if "*" in names] for rule in lines]
    patterns = tuple((key == "allow", _pattern(value)) for key, value in told if key != "crawl-delay" and value)
    return RobotsRules(patterns, max((_seconds(value) for key, value in told if key == "crawl-delay"), default=0.0))


class Robots:
    """The rules of each origin, asked once. `get(url)` gives status and text of a robots.txt, or raises Refused."""

    def __init__(self, get: Callable[[str], Awaitable[tuple[int, str]]]) -> None:
        self._get = get
        self._known: dict[str, RobotsRules | FetchRefused] = {}
        self._asking: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)

    async def delay(self, origin: str, target: str) -> float:
        """Seconds the origin wants between requests. Raises FetchRefused if the target is forbidden.

        No robots.txt (4xx) allows everything; one that cannot be had now (5xx) forbids everything: RFC 9309, 2.3.1.
        """
        async with self._asking[origin]:
            if origin not in self._known:
                self._known[origin] = await self._ask(origin)
        rules = self._known[origin]
        if isinstance(rules, FetchRefused):
            raise FetchRefused(rules.name, str(rules))
        try:
            pattern = rules.forbids(target)
        except OverBudget as error:
            raise FetchRefused("robots_refused", f"its robots.txt: {error}") from error
        if pattern:
            says = f"robots.txt of {origin} forbids it (Disallow: {pattern[:80]}); save the page and add the file"
            raise FetchRefused("robots_refused", says)
        return rules.delay

    async def _ask(self, origin: str) -> RobotsRules | FetchRefused:
        try:
            status, text = await self._get(f"{origin}/robots.txt")
        except FetchRefused as refused:
            if refused.name == "redirect_loop":  # as good as none: RFC 9309, 2.3.1.2
                return RobotsRules()
            broken = refused.name in ("too_large", "bomb", "unreadable")
            return FetchRefused("robots_refused" if broken else refused.name, f"its robots.txt: {refused}")
        if status >= 500:
            says = f"robots.txt of {origin} cannot be had (HTTP {status}), and until then nothing is asked (RFC 9309)"
            return FetchRefused("robots_refused", says)
        return parse(text) if 200 <= status < 300 else RobotsRules()


def _matches(pattern: str, path: str, budget: Budget) -> bool:
    """Whether a pattern matches the beginning of a path: `*` is anything, a `$` at the end its end."""
    anchored = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    budget.spend("steps")
    if not path.startswith(first):
        return False
    budget.spend("steps", len(rest) * (1 + len(path) // 64))
    at = len(first)
    if not rest:
        return not anchored or at == len(path)
    for piece in rest[:-1]:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    if anchored:
        return path.endswith(rest[-1]) and len(path) - len(rest[-1]) >= at
    return path.find(rest[-1], at) >= 0


def _pattern(value: str) -> str:
    return _normal(value if value.startswith(("/", "*")) else f"/{value}")


def _normal(text: str) -> str:
    """A path in one spelling: escapes of plain characters undone, others in capitals, what is not ASCII escaped."""

    def one(found: re.Match[str]) -> str:
        plain = chr(int(found[1], 16))
        return plain if plain in _UNRESERVED else found[0].upper()

    return _ESCAPED.sub(one, quote(text, safe="/?&=%:@!$'()*+,;[]#~", errors="replace"))


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0
