"""A mistake as one short English sentence, as a person would say it, by level of what it gives away and by seed.

Levels: 0 knows nothing, 1 that it is wrong, 2 the argument or the rule, 3 also the value, in words. No sentence has
the expected call or a literal of it in the notation of calls. Pure: undoing and asking again are the session's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from string import Formatter
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, ToolSpec
from toolmend.base.mistakes import Correction, Kind, Mistake
from toolmend.language.corrections import names, words
from toolmend.language.corrections.back import takes_back
from toolmend.language.corrections.pool import DOUBT, Pool, open_pool, read_pool, sentences
from toolmend.language.corrections.understanding import understand
from toolmend.language.corrections.understood import Understood, edited, edited_calls

__all__ = [
    "Pool",
    "Understood",
    "answer_for",
    "correction_for",
    "edited",
    "edited_calls",
    "false_correction",
    "headline_level",
    "name_first",
    "open_pool",
    "read_pool",
    "takes_back",
    "understand",
    "wordings",
]

_VALUE_KINDS = {Kind.WRONG_VALUE, Kind.MISSING_ARGUMENT, Kind.WRONG_FORMAT, Kind.WRONG_TYPE}
_HEADLINE_NEEDS_VALUE = {Kind.WRONG_VALUE, Kind.MISSING_ARGUMENT}
_PLAIN_NAMES = {
    "date": {"date", "day", "when", "on"},
    "time": {"time", "start", "start time", "when", "at"},
    "length": {"duration", "length"},
    "name": {"title", "name", "label"},
}
_NAMING_ORDER = (
    "no_call syntax unwanted_call unknown_tool wrong_tool repeated_call extra_call missing_call "
    "unknown_argument wrong_format wrong_type missing_argument wrong_value wrong_state chatter"
).split()


def correction_for(
    mistake: Mistake, level: int, seed: int, *, spec: ToolSpec | None = None, pool: Pool | None = None
) -> Correction:
    """One sentence about the mistake, the same for the same arguments on every machine.

    `spec` is that of the expected tool; it adds wordings (types, units, parameter names). `pool` has other wordings for
    "it is wrong", for a value that is wrong and for one that is missing (pool.py). What cannot be said at
    `level` (a value that is a regex, a tool nobody knows) is said one level lower, and the correction's own `level`
    says so.
    Levels 0 and 1 depend on the seed alone. Raises BadOption for a level other than 0 to 3.
    """
    for lower in range(_checked(level), -1, -1):
        if found := wordings(mistake, lower, spec=spec, pool=pool):
            about = "" if lower < 2 else str(mistake)
            text = Random(f"{seed}|{lower}|{about}").choice(found)
            return Correction(text, lower, mistake if lower else None)
    raise BadOption(f"no wording for {mistake} at level {level}")  # level 0 always has some


def wordings(
    mistake: Mistake, level: int, *, spec: ToolSpec | None = None, pool: Pool | None = None
) -> tuple[str, ...]:
    """Every sentence that `correction_for` chooses from at this very level; () if it cannot be said there."""
    if _checked(level) < 2:
        return (pool.of(level) if pool else ()) or sentences(level)
    slots = _slots(mistake, level, spec)
    typed = _of_pool(pool, mistake, level, slots) if pool else ()
    if said := _said(typed, slots, mistake):
        return said
    own = (line for section in _sections(mistake, level, slots) for line in sentences(level, section))
    plain = (wording[0].upper() + wording[1:] for wording in _said(own, slots, mistake))
    as_such = pool.as_such(level, mistake.kind) if pool and not slots["surplus"] else ()
    return tuple(dict.fromkeys((*plain, *_said(as_such, slots, mistake))))


def answer_for(asked: Mistake, level: int, seed: int, pool: Pool, *, spec: ToolSpec | None = None) -> Correction:
    """One sentence to a question that was not due, about the argument that `asked` calls missing: by level that it
    should not be asked, that the argument was said, its value. Level 0 knows nothing, as ever."""
    if _checked(level) == 0:
        return correction_for(asked, 0, seed, pool=pool)
    said = _said(pool.answers(level), _slots(asked, level, spec), asked)
    text = Random(f"{seed}|answer|{level}|{asked}").choice(said or pool.answers(1))
    return Correction(text, level if said else 1, asked)


def _of_pool(pool: Pool, mistake: Mistake, level: int, slots: Mapping[str, Any]) -> tuple[str, ...]:
    """The wordings of a pool for a value: a flag is switched, a value not given at level 2 is no wrong one."""
    valued = mistake.kind in _HEADLINE_NEEDS_VALUE if level == 3 else mistake.kind is Kind.WRONG_VALUE
    fits = valued and slots["plain"] != "flag" and not slots["surplus"]
    return pool.of(level, slots["plain"], mistake.kind.value) if fits else ()


def _said(lines: Iterable[str], slots: Mapping[str, Any], mistake: Mistake) -> tuple[str, ...]:
    """The wordings that can be filled, in every way, but for those that give away what no sentence may."""
    secrets, said = _literals(mistake), dict[str, None]()
    for wording in lines:
        if all(slots.get(field) for field in _fields(wording)):
            said |= dict.fromkeys(wording.format_map(filled) for filled in _fillings(slots, wording))
    return tuple(line for line in said if not any(secret.search(line) for secret in secrets))


def headline_level(mistake: Mistake, recoverable: bool) -> int:
    """The level that the headline rate uses: 2, or 3 where a value is needed that the talk does not contain."""
    return 3 if mistake.kind in _HEADLINE_NEEDS_VALUE and not recoverable else 2


def name_first(mistakes: Sequence[Mistake]) -> Mistake | None:
    """The mistake of several that a person names first: what kept the call from being one, then the wrong call, then
    arguments, then chatter (as in the published talks); in the order given among equals. None of none.
    """
    return min(mistakes, key=lambda mistake: _NAMING_ORDER.index(mistake.kind.value), default=None)


def false_correction(seed: int, call: Call | None = None, *, pool: Pool | None = None) -> Correction:
    """A complaint about a reply that was right: that an argument of `call` is wrong, or just that it is wrong.

    It gives no new value, so the right answer stays what it was. `mistake` is None: there is none.
    """
    random = Random(f"{seed}|false")
    named = [name for name in call.arguments if not name.startswith("*")] if call else []
    claim = Mistake(Kind.WRONG_VALUE, random.choice(named) if named else None)
    level = 2 if named else 1
    doubts = _said(pool.of(DOUBT), _slots(claim, 2, None) if named else {}, claim) if pool else ()
    return Correction(random.choice((*doubts, *wordings(claim, level, pool=pool))), level)


def _checked(level: int) -> int:
    if level not in (0, 1, 2, 3):
        raise BadOption(f"a correction's level is 0, 1, 2 or 3, not {level!r}")
    return level


def _sections(mistake: Mistake, level: int, slots: Mapping[str, Any]) -> Iterator[str]:
    """The sections of wordings that fit; those that need a slot nobody filled are sorted out later."""
    kind = mistake.kind.value
    if slots["surplus"]:
        yield "unknown_argument:surplus"
        return
    if mistake.kind is Kind.WRONG_STATE:
        own = f"{kind}:{mistake.argument}"
        yield own if sentences(level, own) else kind
        yield f"{kind}:said"
        return
    if level == 3 and mistake.kind in _HEADLINE_NEEDS_VALUE:
        if slots["part"] == "year":
            yield "=year"
            return
        if slots["plain"] != "flag":
            yield "="
        yield f"={slots['plain']}" if slots["plain"] else ""
    yield kind
    for condition in ("receiver", "part", "type"):
        yield f"{kind}:{condition}" if slots[condition] else ""
    yield f"{kind}:{slots['notation']}"


def _slots(mistake: Mistake, level: int, spec: ToolSpec | None) -> dict[str, Any]:
    """What the wordings can be filled with; a slot that is empty has a false value."""
    argument = mistake.argument or ""
    schema = names.schema_of(spec, argument)
    label = names.label(argument) if argument else ""
    part, year = _differing_part(mistake)
    tool = _expected_tool(mistake)
    unit = names.unit(argument, schema)
    valued = level == 3 and mistake.kind in _VALUE_KINDS
    takes = list(spec.properties) if spec else []
    return {
        "argument": label,
        "Argument": label[:1].upper() + label[1:],
        "is": "are" if names.is_plural(label) else "is",
        "value": words.spoken(mistake.expected, unit, not _same_year(mistake)) if valued and _given(mistake) else (),
        "wrong": _wrong(mistake, unit),
        "part": part,
        "year": year,
        "type": names.type_words(schema, mistake.expected),
        "function": names.function(tool) if tool else "",
        "action": names.action(tool) if tool else "",
        "unasked": _unasked(mistake, tool),
        "receiver": _missed_receiver(mistake, tool),
        "only": words.joined([names.label(name) for name in takes]),
        "count": f"{words.number(len(takes))} parameter{'' if len(takes) == 1 else 's'}" if takes else "",
        "notation": names.notation(argument, schema, mistake.expected) if argument else "",
        "plain": _plain(label, unit, mistake.expected),
        "surplus": mistake.kind is Kind.UNKNOWN_ARGUMENT and argument.startswith("*"),
        "said": mistake.expected if mistake.kind is Kind.WRONG_STATE and isinstance(mistake.expected, list) else (),
    }


def _fillings(slots: Mapping[str, Any], wording: str) -> Iterator[Mapping[str, Any]]:
    """The slots with each way of saying the value, or what is due."""
    several = next((name for name in ("value", "said") if name in _fields(wording)), "")
    for way in slots[several] if several else ("",):
        yield {**slots, several or "value": way}


@cache
def _fields(wording: str) -> frozenset[str]:
    return frozenset(field for _, field, _, _ in Formatter().parse(wording) if field)


def _given(mistake: Mistake) -> bool:
    """Whether the mistake says what was expected; a null was, where something else was got in its place."""
    return mistake.expected is not None or (mistake.kind is Kind.WRONG_VALUE and mistake.got is not None)


def _wrong(mistake: Mistake, unit: str) -> str:
    """The value that was got, in words; "" where it is none, or sounds like the right one."""
    if mistake.kind is not Kind.WRONG_VALUE or mistake.got is None or isinstance(mistake.got, bool):
        return ""
    said, due = (words.spoken(value, unit, not _same_year(mistake)) for value in (mistake.got, mistake.expected))
    return said[0] if said and said[0] not in due else ""


def _plain(label: str, unit: str, expected: Any) -> str:
    """The kind of value that goes without saying its name: "It's at …" says time. "" where the name must be said."""
    if isinstance(expected, bool):
        return "flag"
    found = "length" if unit and isinstance(expected, (int, float)) else names.notation("", {}, expected)
    found = found or ("name" if isinstance(expected, str) else "")
    return found if label in _PLAIN_NAMES.get(found, ()) else ""


def _differing_part(mistake: Mistake) -> tuple[str, str]:
    """The only part in which two dates differ ("year", "month", "day"), and the right year in words if it is that."""
    rule = mistake.expected.get("date") if isinstance(mistake.expected, Mapping) else None
    if isinstance(rule, Mapping) and list(rule) == ["year"]:  # a suite that asks for a year and takes any day of it
        return "year", words.year(int(rule["year"]))
    due, got = words.as_date(mistake.expected), words.as_date(mistake.got)
    if mistake.kind is not Kind.WRONG_VALUE or due is None or got is None:
        return "", ""
    differing = [part for part in ("year", "month", "day") if getattr(due, part) != getattr(got, part)]
    if len(differing) != 1:
        return "", ""
    return differing[0], words.year(due.year) if differing == ["year"] else ""


def _same_year(mistake: Mistake) -> bool:
    due, got = words.as_date(mistake.expected), words.as_date(mistake.got)
    return due is not None and got is not None and due.year == got.year


def _tool_name(value: Any) -> str:
    """The tool's name in what grading keeps of a call: its name, its text or its JSON."""
    if isinstance(value, Call):
        return value.tool
    if isinstance(value, Mapping):
        return str(value.get("tool") or "")
    found = re.match(r"\s*([^\W\d][\w.]*)\s*(?:\(|$)", value) if isinstance(value, str) else None
    return found[1] if found else ""


def _expected_tool(mistake: Mistake) -> str:
    return mistake.tool or ("" if mistake.argument else _tool_name(mistake.expected))


def _unasked(mistake: Mistake, tool: str) -> str | None:
    got = "" if mistake.argument else _tool_name(mistake.got)
    return names.action(got) if got and names.function(got) != names.function(tool) else None


def _missed_receiver(mistake: Mistake, tool: str) -> str:
    """The receiver, where it is all that is wrong with the tool's name."""
    receiver, _, bare = tool.rpartition(".")
    got = _tool_name(mistake.got) if mistake.kind is Kind.UNKNOWN_TOOL else ""
    return receiver if receiver and got.rpartition(".")[2] == bare else ""


def _literals(mistake: Mistake) -> list[re.Pattern[str]]:
    """Patterns of everything a sentence must not contain: the expected value's literals, the tool as it is called.

    What is due of a world is given as sentences, which suites check for literals when they are read.
    """
    found = set[str]() if mistake.kind is Kind.WRONG_STATE else set(_leaves(mistake.expected))
    tool = _expected_tool(mistake)
    found |= {f"{tool}(", tool if re.search(r"[._]", tool) else ""} if tool else set()
    return [re.compile(rf"(?<!\w){re.escape(literal)}(?!\w)") for literal in sorted(found) if re.search(r"\w", literal)]


def _leaves(value: Any) -> Iterator[str]:
    if value is None or isinstance(value, bool):
        yield from (str(value), {None: "null", True: "true", False: "false"}[value])
    elif isinstance(value, (int, float)):
        yield from (str(value), f"{value:g}")
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item)
