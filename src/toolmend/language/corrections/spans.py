"""Every part of a sentence that could be a value, in one chart: of a kind, a member, a name, quoted, led by a word.

    spans("No, two rooms at the Ritz on Friday", slots, said)   # two: number; the Ritz: text; Friday: day

Parts may overlap: which one is meant, and for which argument, is decided in assign.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolmend.language.corrections.segments import Segment, segments
from toolmend.language.corrections.slots import Slot
from toolmend.language.corrections.values import Surroundings

_TOKEN = re.compile(r"(?:[A-Z]\.){2,}|[^\W_]+(?:['’.&/@:+-]+[^\W_]+)*'?|[&#@]")
_QUOTED = re.compile(r"[\"“]([^\"”]+)[\"”]|(?<!\w)'([^']+)'(?!\w)")
_JOINS = frozenset("of the and & de la du del von van at in on for to vs with a an".split())
"""Words that stand inside names: "Museum of the City"."""
_SHORT = frozenset("dr st mr mrs ms jr sr vs mt ft no".split())
"""Words that are written with a full stop within a name."""
_PARTS = re.compile(r"(?i)(?:morning|afternoon|evening|night) (?:at )?$")
_OUTER = frozenset("at in on for to with".split())
"""Those that may as well stand between two names: "Oliva in Kiel"."""
LEADS = frozenset(
    "to in at for by with from on near around about is are was be as like than of named called watch see play hear"
    " find try want need prefer make visit attend book call say read write search playing starring featuring under via"
    " into".split()
)
"""Words that lead to a value."""
_STOPS = LEADS | frozenset(
    "and or but not no it that this i you me my we us please instead rather actually sorry then so because"
    " starting leaving going which where who when if can could would should will do does have has".split()
)
_NO_FLAGS = frozenset("have with only also allowed available option indicator flag yes needed wanted".split())
_ENDINGS = frozenset("please pls instead thanks thx sorry now then rather actually".split())
LONGEST = 7
MEMBER = 4


@dataclass(frozen=True, slots=True)
class TypedSpan:
    """A part of a sentence: its kind (of segments(), or "member", "flag", "text", "quoted"), its text, where it begins
    and ends, and of a member or a flag the names of the arguments that have it."""

    kind: str
    text: str
    start: int
    end: int
    slots: tuple[str, ...] = ()


def spans(text: str, slots: Sequence[Slot], said: Surroundings) -> list[TypedSpan]:
    """The chart of a sentence, those of a kind first."""
    typed = [_typed(text, value) for value in segments(text)[0] if not (value.text == "am" and value.before == "i")]
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    members = list(_members(text, tokens, [slot for slot in slots if slot.kind == "enum"], said))
    members += _flags(text, tokens, [slot for slot in slots if slot.kind == "truth"])
    texts = list(_texts(text, tokens)) if any(slot.kind == "text" for slot in slots) else []
    chart = [*typed, *members, *texts]
    return list({(span.kind, span.start, span.end, span.slots): span for span in chart}.values())


def _typed(text: str, value: Segment) -> TypedSpan:
    """A value of a kind; of a clock with the part of the day that stands before it."""
    start, end = value.start, value.start + len(value.text)
    if value.kind in ("clock", "number") and (part := _PARTS.search(text[:start])):
        return TypedSpan("clock", text[part.start() : end], part.start(), end)
    return TypedSpan(value.kind, value.text, start, end)


def _members(
    text: str, tokens: Sequence[tuple[int, int]], slots: Sequence[Slot], said: Surroundings
) -> Iterator[TypedSpan]:
    """Words that name one member of an argument, and no fewer of them do."""
    for slot in slots:
        words = _words_of(slot)
        place = 0
        while place < len(tokens):
            for size in range(min(MEMBER, len(tokens) - place), 0, -1):
                start, end = tokens[place][0], tokens[place + size - 1][1]
                if size > 1 and not _within(text[start:end], words):
                    continue
                if _names_one(text[start:end], slot, said):
                    yield TypedSpan("member", text[start:end], start, end, (slot.name,))
                    place += size - 1
                    break
            place += 1


def _names_one(text: str, slot: Slot, said: Surroundings) -> bool:
    """Whether the words are a member, or can mean but one."""
    same = [member for member in slot.schema["enum"] if str(member).casefold() == text.casefold()]
    return bool(same) or len(said.read(text, slot.schema).values) == 1


def _flags(text: str, tokens: Sequence[tuple[int, int]], slots: Sequence[Slot]) -> Iterator[TypedSpan]:
    """Words that name something that is or is not so."""
    for slot in slots:
        named = {word for word in slot.label.casefold().split() if len(word) > 3} - _NO_FLAGS
        for start, end in tokens:
            word = text[start:end].casefold()
            if len(word) > 3 and any(word[:5] == one[:5] or word[:4] == one for one in named):
                yield TypedSpan("flag", text[start:end], start, end, (slot.name,))


def _words_of(slot: Slot) -> frozenset[str]:
    return frozenset(word for member in slot.schema["enum"] for word in re.findall(r"[^\W_]+", str(member).casefold()))


def _within(text: str, words: frozenset[str]) -> bool:
    """Whether several words can be a member's: the first and the last are one of its, or begin as one."""
    told = re.findall(r"[^\W_]+", text.casefold())
    return bool(told) and all(any(word[:4] == one[:4] for word in words) for one in (told[0], told[-1]))


def _texts(text: str, tokens: Sequence[tuple[int, int]]) -> Iterator[TypedSpan]:
    """Names, quoted words, and words that another word leads to."""
    for match in _QUOTED.finditer(text):
        group = 1 if match[1] is not None else 2
        yield TypedSpan("quoted", match[group], *match.span(group))
    for first, last in {*_names(text, tokens), *_led(text, tokens)}:
        start, end = tokens[first][0], tokens[last][1]
        if last - first < LONGEST:
            yield TypedSpan("text", text[start:end].rstrip("'"), start, end)


def _names(text: str, tokens: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Runs of words with capitals, small words within them; each also up to, and from, a small word that may stand
    between two names, with a number before it, and without its first word where that begins a sentence."""
    place = 0
    while place < len(tokens):
        last = _run(text, tokens, place)
        if last < place:
            place += 1
            continue
        cuts = [at for at in range(place + 1, last) if text[slice(*tokens[at])] in _OUTER]
        commas = [at for at in range(place, last) if "," in text[tokens[at][1] : tokens[at + 1][0]]]
        begins = {place, *(cut + 1 for cut in cuts), *(comma + 1 for comma in commas)}
        ends = {last, *(cut - 1 for cut in cuts), *commas}
        if place and text[tokens[place - 1][0]].isdigit() and _near(text, tokens[place - 1], tokens[place]):
            begins.add(place - 1)
        if place == 0 or re.search(r"[.!?,:]\s*$", text[: tokens[place][0]]):
            begins.add(place + 1)
        yield from ((begin, end) for begin in begins for end in ends if begin <= end)
        place = last + 1


def _run(text: str, tokens: Sequence[tuple[int, int]], place: int) -> int:
    """The last word with a capital of the run that begins here; the word before it where none does."""
    if not _capital(text, tokens[place]):
        return place - 1
    last = at = place
    while at + 1 < len(tokens) and _near(text, tokens[at], tokens[at + 1]):
        at += 1
        if _capital(text, tokens[at]):
            last = at
        elif text[slice(*tokens[at])] not in _JOINS:
            break
    return last


def _led(text: str, tokens: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What follows a word that leads to a value, up to where a clause or another such word begins, or to the end of the
    clause."""
    words = [text[start:end].casefold() for start, end in tokens]
    for place, word in enumerate(words[:-1]):
        if word not in LEADS:
            continue
        first = place + 1
        if words[first] in ("the", "a", "an") and first + 1 < len(words):
            first += 1
        if (end := _clause_end(text, tokens, first)) >= first:
            yield first, end
        for last in range(first, min(first + LONGEST, len(words))):
            if words[last] in _STOPS or (last > first and not _near(text, tokens[last - 1], tokens[last])):
                break
            at_end = last + 1 == len(words) or words[last + 1] in _STOPS
            if at_end or not _near(text, tokens[last], tokens[last + 1]):
                yield first, last


def _clause_end(text: str, tokens: Sequence[tuple[int, int]], place: int) -> int:
    """The last word before the mark that ends a clause."""
    while place + 1 < len(tokens) and not re.search(r"[.,;!?]", text[tokens[place][1] : tokens[place + 1][0]]):
        place += 1
    while text[slice(*tokens[place])].casefold() in _ENDINGS:
        place -= 1
    return place


def _capital(text: str, token: tuple[int, int]) -> bool:
    word = text[slice(*token)]
    return word[:1].isupper() and not re.fullmatch(r"I(?:['’]\w+)?", word)


def _near(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether nothing stands between two words that ends a name: a comma may, before two letters or a capital."""
    between = text[one[1] : other[0]]
    if between.strip() in ("", "-", "#"):
        return True
    if between.strip() == ".":
        return text[slice(*one)].casefold() in _SHORT
    return between.strip() == "," and text[other[0]].isupper()
