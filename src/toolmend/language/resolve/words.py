"""Text → normalised words, each with its place: numbers in figures, months and weekdays as names, spelling mended.

"Twenty-first of Febuary, half past two" becomes "21th of month2 , half past 2". What grammars read is this; it knows no
schema. Words that nobody knows stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache

from toolmend.language.resolve import vocabulary

_TOKEN = re.compile(
    r"(?P<number>\d+(?:[.,:/-]\d+)*|\.\d+)|(?P<half>\b[ap]\.\s?m\b\.?)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)|"
    r"(?P<sign>[^\s\w])",
    re.IGNORECASE,
)
_KEPT = re.compile(
    r"\d+|\d*\.\d+|\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}([-/.])\d{1,2}\1\d{2,4}|\d{1,2}:\d\d(:\d\d)?|\d{1,3}/\d{1,3}"
)
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")
_DECIMAL_COMMA = re.compile(r"\d+,\d\d|\d\d?,\d")
_PIECE = re.compile(r"\d+|\D")
_LONGEST_NUMBER = 15

MONTHS = "january february march april may june july august september october november december".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTH_SHORT = f"(?:{'|'.join(name[:3] for name in MONTHS)})"
WEEKDAY = f"(?:{'|'.join(WEEKDAYS)})"
WEEKDAY_OR_SHORT = r"(?:(?:mon|tues?|weds?|wednes|thu|thurs?|fri|sat|satur|sun)(?:days?)?)"
UNIT_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TEN_NAMES = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
).split()
NAMED_NUMBERS = {word: n for n, word in enumerate(UNIT_NAMES)} | {word: 20 + 10 * n for n, word in enumerate(TEN_NAMES)}
"""Those of one word below a hundred: "zero", "twelve", "forty"."""
_RANKS = {word: n for n, word in enumerate(_ORDINALS, 1)} | {
    f"{word[:-1]}ieth": 20 + 10 * n for n, word in enumerate(TEN_NAMES)
}
_SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "dozen": 12,
    "score": 20,
    "grand": 1000,
}
_TWO = ("couple", "pair")
_SHARES = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3)}
_SIGNS = {"–": "-", "—": "-", "−": "-", "’": "'"}

_ALSO = vocabulary.words("spellings")

# Other ways to write a word. Months and weekdays come with their abbreviations.
_SAME = {
    **{name: f"month{n}" for n, name in enumerate(MONTHS, 1)},
    **{name[:3]: f"month{n}" for n, name in enumerate(MONTHS, 1)},
    **{name: f"weekday{n}" for n, name in enumerate(WEEKDAYS)},
    **{name[:3]: f"weekday{n}" for n, name in enumerate(WEEKDAYS)},
    **{f"{name}s": f"weekday{n}" for n, name in enumerate(WEEKDAYS)},
    **{f"{name}'s": f"weekday{n}" for n, name in enumerate(WEEKDAYS)},
    **dict(pair.split("=") for pair in _ALSO),
}
_SOUNDS = {"2moro": "tomorrow", "2morrow": "tomorrow", "2mrw": "tomorrow", "2night": "tonight"}
_NIGHTS = re.compile(r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|few|a) nights?")
_APART = frozenset({"later", "earlier", "before", "after"})
# Said beside a value, and nothing of it.
_FILLERS = frozenset("uh um uhm erm er ehm hmm please pls plz thanks thx ta cheers mate kindly ish".split())
# A fraction before one of these is no date: 1/2 hour, 3/4 kg, 1/4 past.
_AFTER_SHARE = vocabulary.words("after a share")
_WRITTEN_SHARES = {"1/2": ("half", "5"), "1/4": ("quarter", "25"), "3/4": ("0.75", "75")}
# Only long words are mended by likeness: "match" is no March.
_SPELLED = [
    *(name for name in (*MONTHS, *WEEKDAYS, *UNIT_NAMES, *TEN_NAMES) if len(name) > 5),
    *"tomorrow yesterday tonight midnight afternoon evening morning minute minutes quarter percent degrees".split(),
    *"hundred thousand million fortnight second seconds kilometres kilograms celsius weekend earlier".split(),
]
_KNOWN = {
    *_SAME,
    *NAMED_NUMBERS,
    *_RANKS,
    *_SCALES,
    *_SPELLED,
    "quarters",
    "thirds",
    "seconds",
    "degree",
    "hundreds",
    "thousands",
    "millions",
}


_BEGINNING = {*NAMED_NUMBERS, "a", "half", "point", "hundred", "thousand", "million", "dozen", *_TWO}
_GOING_ON = {*_SCALES, *_SHARES, *_RANKS, "and", "point", "quarters", "0.75"}


class Words:
    """A normalised text. `text` is what grammars read; `span` finds the place in the original."""

    __slots__ = ("_begins", "_places", "text")

    def __init__(self, text: str) -> None:
        tokens = _numbers(list(_tokens(text)))
        self.text = " ".join([token[0] for token in tokens])
        self._places = tokens
        self._begins: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the normalised characters from `start` to `end` come from."""
        if self._begins is None:
            self._begins, place = [], 0
            for token in self._places:
                self._begins.append(place)
                place += len(token[0]) + 1
        first = bisect_right(self._begins, start) - 1
        last = bisect_right(self._begins, max(start, end - 1)) - 1
        return self._places[first][1], self._places[last][2]


Token = tuple[str, int, int]


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, written, start, end = match.lastgroup, match[0], match.start(), match.end()
        if kind == "word":
            word = written.lower().replace("’", "'")
            word = normalised(word)
            glued = tokens and tokens[-1][2] == start and tokens[-1][0][-1:].isdigit() and tokens[-1][0].isascii()
            if glued and word in ("st", "nd", "rd", "th"):
                tokens[-1] = (f"{tokens[-1][0]}th", tokens[-1][1], end)
            elif glued and (sounds := _SOUNDS.get(tokens[-1][0] + word)):
                tokens[-1] = (sounds, tokens[-1][1], end)
            elif word == "to" and tokens and tokens[-1][0] == "prior":
                tokens[-1] = ("before", tokens[-1][1], end)
            elif word in _APART and len(tokens) > 1 and _NIGHTS.fullmatch(f"{tokens[-2][0]} {tokens[-1][0]}"):
                tokens[-1:] = [("days", *tokens[-1][1:]), (word, start, end)]  # "two nights later"
            elif word not in _FILLERS:
                if tokens and tokens[-1][0] in _WRITTEN_SHARES and word in _AFTER_SHARE:
                    _mend_share(tokens, word)
                tokens.append((word, start, end))
        elif kind == "number":
            before = tokens[-1] if tokens else None
            if before and _goes_on(before[0], written) and text[before[2] : start] == " ":
                tokens[-1] = (before[0] + written, before[1], end)  # 1 200
            elif written == "4" and before and before[0] == "b" and before[2] == start:
                tokens[-1] = ("before", before[1], end)
            else:
                tokens += _figure_tokens(written, start)
        elif written == "-" and tokens and tokens[-1][2] == start and (text[start - 1] + text[end : end + 1]).isalnum():
            continue  # twenty-first, 9-Mar-2026; 5-7 came as one number
        elif kind == "half":
            tokens.append((f"{written[0].lower()}m", start, end))
        elif written not in ".!?":
            tokens.append((_SIGNS.get(written) or _SAME.get(written) or written, start, end))
    return tokens


def _goes_on(before: str, written: str) -> bool:
    """Whether figures are the thousands' rest of those before them."""
    return len(written) == 3 and written.isdecimal() and 0 < len(before) < 3 and before.isdecimal() and before[0] != "0"


def _mend_share(tokens: list[Token], following: str) -> None:
    """The fraction at the end as words, with the whole number before it: 1/2 → half, 2 1/2 → 2.5."""
    share, start, end = tokens.pop()
    word, decimals = _WRITTEN_SHARES[share]
    word = word if following in ("a", "of", "past") else f"0.{decimals}"
    if tokens and tokens[-1][0].isdecimal():
        whole = tokens.pop()
        word, start = f"{whole[0]}.{decimals}", whole[1]
    tokens.append((word, start, end))


def _figure_tokens(written: str, start: int) -> list[Token]:
    """A run of figures as one word where it is one number, date or time; else piece by piece."""
    end = start + len(written)
    if not written.isascii() or len(written) > 2 * _LONGEST_NUMBER:
        return [("?", start, end)]
    if _KEPT.fullmatch(written):
        return [("0" + written if written[0] == "." else written, start, end)]
    if _THOUSANDS.fullmatch(written):
        return [(written.replace(",", ""), start, end)]
    if _DECIMAL_COMMA.fullmatch(written):
        return [(written.replace(",", "."), start, end)]
    return [(piece[0], start + piece.start(), start + piece.end()) for piece in _PIECE.finditer(written)]


def _figures(value: int | Fraction) -> str:
    """A number as figures: 2.5, 1200, 0.3333333333."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.10f}".rstrip("0")


def _numbers(tokens: list[Token]) -> list[Token]:
    """Number words put together: "two hundred and five" → 205, "two and a half" → 2.5, "twenty first" → 21th."""
    together: list[Token] = []
    place = 0
    last = len(tokens) - 1
    while place <= last:
        token = tokens[place]
        word = token[0]
        value, after = None, place
        if word in _BEGINNING or (word[0].isdigit() and place < last and tokens[place + 1][0] in _GOING_ON):
            value, after = _number(tokens, place)
        if value is None:
            rank = _RANKS.get(word) if word != "second" else None
            together.append((f"{rank}th", *token[1:]) if rank else token)
            place += 1
        else:
            together.append((value, token[1], tokens[after - 1][2]))
            place = after
    return together


def _number(tokens: list[Token], place: int) -> tuple[str | None, int]:
    """The number that begins at a word, as figures, and the word after it; (None, place) if none begins there."""
    words = [token[0] for token in tokens[place : place + 12]]
    total: int | Fraction = 0
    group: int | Fraction | None = None
    at = 0
    two = 1 if words[0] in _TWO else 2 if words[0] == "a" and words[1:2] and words[1] in _TWO else 0
    if two:
        two += words[two : two + 1] == ["of"]
        if not _SCALES.keys() & words[two : two + 1]:
            return "2", place + two
        group, at = 2, two
    elif words[0] == "a" and len(words) > 1 and words[1] in _SCALES:
        group, at = 1, 1
    elif words[0] == "half" and _SCALES.keys() & words[1 : 2 + (words[1:2] == ["a"])]:
        group, at = Fraction(1, 2), 1 + (words[1] == "a")
    elif words[0] in _SCALES:
        group = 1
    elif words[0] == "point" and (digits := _digits(words[1:])):
        return f"0.{digits}", place + 1 + len(digits)
    plain = False
    while at < len(words):
        word = words[at]
        value = NAMED_NUMBERS.get(word)
        figures = group is None and not total and re.fullmatch(r"\d+(\.\d+)?", word)
        if figures:
            if (len(word) > 1 and word[0] == "0") or word in _RANKS or len(word) > _LONGEST_NUMBER:
                return (None, place) if not at else (_figures(total), place + at)
            group, plain, at = (Fraction(word) if "." in word else int(word)), True, at + 1
        elif value is not None and (group is None or (not plain and _joins(group, value))):
            group, plain, at = (group or 0) + value, False, at + 1
        elif group is not None and word in _SCALES:
            scale = _SCALES[word]
            if scale in (12, 20, 100):
                group, plain = group * scale, False
            else:
                total, group, plain = total + group * scale, 0, False
            at += 1
        elif (
            group is not None
            and word == "and"
            and not plain
            and at + 1 < len(words)
            and _after_and(group, total, words, at)
        ):
            at += 1
        elif group is not None and not plain and word in _RANKS and _joins(group, _RANKS[word]):
            return f"{_figures(total + group + _RANKS[word])}th", place + at + 1
        else:
            break
    if group is None:
        return None, place
    glued = place + at < len(tokens) and tokens[place + at - 1][2] == tokens[place + at][1]
    if tail := _tail(total + group, words, at, glued):
        return tail[0], place + tail[1]
    if at == 1 and plain:
        return words[0], place + 1
    return _figures(total + group), place + at


def _tail(value: int | Fraction, words: list[str], at: int, glued: bool) -> tuple[str, int] | None:
    """A number with the fraction that follows it: "and a half", "½", "point five"; None if none follows."""
    share = at + 1 + (words[at + 1 : at + 2] == ["a"])
    joined = words[at : at + 1] == ["and"] or words[at : at + 2] == ["a", "a"]  # "two an a half"
    if joined and words[share : share + 1] and words[share] in _SHARES:
        of = _SCALES.get(words[at - 1], 1)  # a million and a half
        return _figures(value + of * _SHARES[words[share]]), share + 1
    if glued and words[at : at + 1] and words[at] in _SHARES:
        return _figures(value + _SHARES[words[at]]), at + 1
    if words[at : at + 1] == ["point"] and (digits := _digits(words[at + 1 :])):
        end = at + 1 + len(digits)
        scale = _SCALES.get("".join(words[end : end + 1]))
        number = f"{_figures(value)}.{digits}"
        return (_figures(Fraction(number) * scale), end + 1) if scale else (number, end)
    if words[at : at + 1] == ["and"] and words[at + 1 : at + 2] in (["three"], ["3"]) and _quarters(words[at + 2 :]):
        return _figures(value + Fraction(3, 4)), at + 3
    return ("0.75", at + 1) if value == 3 and _quarters(words[at:]) else None


def _quarters(words: list[str]) -> bool:
    """Whether "three" before these words is three quarters: "three quarters", "three quarter hours"."""
    return words[:1] == ["quarters"] or (
        words[:1] == ["quarter"] and "".join(words[1:2]) in _AFTER_SHARE - {"past", "a", "of"}
    )


def _digits(words: list[str]) -> str:
    """The figures after the point of "two point five"."""
    digits = ""
    for word in words:
        value = NAMED_NUMBERS.get(word, 10) if not word.isdecimal() else int(word) if len(word) == 1 else 10
        if value > 9:
            break
        digits += str(value)
    return digits


def _joins(group: int | Fraction, value: int) -> bool:
    """Whether a number word goes on the number before it: forty + five, two hundred + ten; not twelve + fifty."""
    if group.denominator != 1:
        return False
    low = int(group) % 100
    return (low == 0 and (group >= 100 or group == 0) and 0 < value < 100) or (
        low >= 20 and low % 10 == 0 and 0 < value < 10
    )


def _after_and(group: int | Fraction, total: int | Fraction, words: list[str], at: int) -> bool:
    """Whether "and" is inside a number: two hundred and five."""
    value = NAMED_NUMBERS.get(words[at + 1])
    big = (group >= 100 and group % 100 == 0) or (bool(total) and group == 0)
    nested = words[at + 2 : at + 3] == ["hundred"] and not total
    return big and value is not None and 0 < value < 100 and not nested


def normalised(word: str) -> str:
    """A lower-case word as grammars know it: "tues" → "weekday1", "hrs" → "hour", its spelling mended."""
    return _SAME.get(word) or _spelled(word)


@lru_cache(4096)
def _spelled(word: str) -> str:
    """The known long word that this one is a slip of, normalised; the word itself if there is none."""
    if word.endswith("ish") and (word[:-3] in NAMED_NUMBERS or word[:-3] in ("noon", "midnight")):
        return word[:-3]
    if len(word) < 6 or len(word) > 12 or word in _KNOWN:
        return word
    near = []
    for known in _SPELLED:
        room = 1 if len(known) < 8 else 2
        if known[0] == word[0] and abs(len(known) - len(word)) <= room and (slips := _distance(word, known)) <= room:
            near.append((slips, known))
    near.sort()
    if not near or (len(near) > 1 and near[0][0] == near[1][0] and near[0][1] + "s" != near[1][1]):
        return word
    return _SAME.get(near[0][1], near[0][1])


def _distance(a: str, b: str) -> int:
    """Edits between two words: a letter more, less or other, or two neighbours swapped."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        last, row = row, [i]
        for j, right in enumerate(b, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (left != right))
            if i > 1 and j > 1 and left == b[j - 2] and right == a[i - 2]:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before = last
    return row[-1]
