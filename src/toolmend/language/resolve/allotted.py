"""The numbers, lists and formulas of a sentence, each to the argument that it belongs to, where the copy went wrong.

"an initial investment of $20000, a rate of 8%, 5 years" → investment, rate, years: by the words around each number
and those of the arguments. What was copied well stays as it is. Pure: knows words and a tool's schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve, vocabulary
from toolmend.language.resolve.edges import is_text
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.said import MISSING, place_of
from toolmend.language.resolve.words import NAMED_NUMBERS, TEN_NAMES, UNIT_NAMES, Words

_NUMBER = re.compile(
    r"(?<![\w.^])(?P<sign>[-−](?=[\d.$€£])|minus )?(?P<money>[$€£])?"
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
    r"|\.\d+)(?P<power>e[-+]?\d+)?"
    r"(?P<share> ?%| percent)?(?: (?P<scale>thousand|million|billion)\b)?"
)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_WORD = re.compile(r"[^\W\d_]+")
_LIST = re.compile(r"[\[(]\s*-?[\d.][^\[\]()]*,[^\[\]()]*[\])]")
_ONE = r"-?\d+(?:,000(?!\d))?(?:\.\d+)?"
_BARE_LIST = re.compile(rf"(?<![\w.]){_ONE}(?:, ?(?:and )?{_ONE}){{2,}}(?:,? and {_ONE})?")
_MONEY = vocabulary.words("money")
_PRICE = re.compile(r"(\d{1,3}) (\d\d)")
_SHARES = frozenset("rate percent percentage interest discount return yield tax alpha level share probability".split())
_RATES = _MONEY | _SHARES | {"wage", "speed", "hourly", "per"}
_EACH = re.compile(
    r"(?i) ?(?:€|£|\$|euros?|dollars?|pounds?|quid)? ?(?:per |an? |each |/ ?)(?:hour|h|day|night|week|month|head)\b"
)
PLAIN = vocabulary.words("plain")
_CHANGED = re.compile(r"(?i)\b(?:later|earlier|longer|shorter|until|till|half|another|extra)\b|\d ?(?:to|-|–|till) ?\d")
_COUNTED = re.compile(
    r"(?i)\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand"
    r"|half|double|twice)\b"
)
_MANY = re.compile(
    r"(?P<count>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d\d?(?= [a-z]{3})) "
    r"(?!(?:minute|hour|day|week|month|year|second|gram|kilo|lit|met|percent|o.?clock|in the)\w*)(?P<rest>.+)"
)
_IN_WORDS = re.compile(
    rf"(?i)\b(?:(?P<ten>{'|'.join(TEN_NAMES)})(?:[- ](?P<one>{'|'.join(UNIT_NAMES[1:10])}))?"
    rf"|(?P<small>{'|'.join(UNIT_NAMES[1:])}))"
    r"(?P<hundred> hundred)?\b(?! (?:hundred|thousand|million|and a (?:half|quarter)|o'clock|past|to)\b)"
)
_OF_A_DAY = re.compile(
    r"(?i)(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?,? )?~"
    r"|~(?:st|nd|rd|th)\b(?! (?!of\b|and\b|at\b|from\b|to\b|in\b|for\b)[a-z])"
    r"|~(?:st|nd|rd|th)?,? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|~[:/.-]\d|\d[:/]~|~ ?[ap]\.?m\b|~ o'clock|at ~(?!\S* ?[a-z%])"
)
_FORMULA = re.compile(
    r"(?:\d+(?:\.\d+)?)?\*?[a-z](?:\^|\*\*)\d+(?:\s*[-+*/]\s*(?:\d+(?:\.\d+)?)?\*?(?:[a-z](?:(?:\^"
    r"|\*\*)\d+)?)?(?<=\w))*"
)
_FORMULAS = frozenset("function expression equation formula polynomial func".split())
_NAMED = re.compile(r"[B-EG-JM-UX-Z](?![a-z])|[x×]\d|[A-Z]{2}\b(?<!KB)(?<!MB)(?<!GB)(?<!TB)(?<!Hz)")
_UNIT = re.compile(r"\d ?(?!million|thousand|%|percent)[^\W\d_]")  # "250 g" is no count
_LEFT, _RIGHT = 6, 3  # words on either side of a number that can tell what it is
_ENOUGH = 1.0
_NEEDED = 1.8  # what an argument that must be given is ahead of another


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as it is given to a tool, where it stands, and the words around it, the nearest first."""

    value: str
    match: re.Match[str]
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def after_it(self) -> str:
        """What stands directly behind it."""
        return self.match.string[self.match.end() :]


def allotted(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """The words, with what is missing or wrongly copied in its place: formulas, lists, numbers."""
    given = _formulas(spec, dict(words), sentence)
    given = _coordinated(spec, _lists(spec, given, sentence), sentence)
    given = _unmixed(spec, _numbers(spec, given, sentence), sentence)
    given = _signed(spec, _plain(spec, given), sentence)
    return _copies(spec, _counted(spec, given, sentence))


def first_number(words: str) -> str:
    """The number in words that have one, without what it is counted in; "" where they have none, or two that differ:
    "10 m^3" has one, "5 or 6" two."""
    plain = re.sub(r"(?<=[a-zA-Z])(?:\^|\*\*)?[23]\b", "", words)
    found = {_value(match) for match in _NUMBER.finditer(plain)}
    return found.pop() if len(found) == 1 else ""


def _value(match: re.Match[str]) -> str:
    """A number as it is given to a tool: with its sign and its percent."""
    sign, share = "-" if match["sign"] else "", "%" if match["share"] else ""
    digits = f"{match['digits'].replace(',', '')}{match['power'] or ''}"
    if match["scale"]:
        digits = f"{float(digits) * _SCALES[match['scale']]:.15g}"
    return f"{sign}{digits}{share}"


def words_of(name: str) -> list[str]:
    """The words and numbers of an argument's name, however they are joined: `year2`, `maxCalories`."""
    return [word.lower() for word in re.findall(r"[A-Za-z]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))]


def _is_list_of_numbers(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "array" and is_numeric(schema.get("items", {}))


def _all_numbers(text: str) -> list[str]:
    """Every number in words; of years and others the years alone: "5 years from 2015 to 2021" are 2015 and 2021."""
    numbers = [_value(match) for match in _NUMBER.finditer(re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text))]
    years = [number for number in numbers if re.fullmatch(r"(?:19|20)\d\d", number)]
    return years if len(years) > 1 else numbers


def is_numeric(schema: Mapping[str, Any]) -> bool:
    """Whether a number is due, and no member of a list."""
    schema = typed("", schema)
    return schema.get("type") in ("integer", "number", "float") and "enum" not in schema


def _needy(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> bool:
    """Whether a number that must be given is not, or one that is said once was copied twice."""
    names = [name for name, schema in spec.properties.items() if is_numeric(schema)]
    told = {name: str(words.get(name, "")) for name in names if name in spec.required}
    if any(not first_number(text) and not _COUNTED.search(text) and not _stands(spec, name, text, sentence)
           for name, text in told.items()):  # fmt: skip
        return True
    copied = [number for name in names if (number := first_number(in_digits(str(words.get(name, "")))))]
    said = [number.value for number in numbers_in(sentence)]
    return any(copied.count(number) > max(1, said.count(number)) for number in copied)


def _stands(spec: ToolSpec, name: str, text: str, sentence: str) -> bool:
    """Whether words were said and mean a number, though it is none in figures: "a dozen", "an hour"."""
    return bool(place_of(text, sentence)) and isinstance(resolve(text, typed(name, spec.properties[name])), Resolved)


def _numbers(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    if not _needy(spec, words, sentence):
        return words
    there = _free(spec, words, sentence)
    free = [name for name, schema in spec.properties.items() if is_numeric(schema)]
    scores = [
        (score, place, name)
        for name in free
        for place, number in enumerate(there)
        if (score := _score(spec, name, number, str(words.get(name, "")))) > 0
    ]
    taken: dict[int, str] = {}
    for score, place, name in sorted(scores, key=lambda one: -one[0] - (_NEEDED if one[2] in spec.required else 0)):
        needed = name in spec.required
        if place not in taken and name not in taken.values() and score >= (_ENOUGH if needed else 2 * _ENOUGH):
            taken[place] = name
    left = [name for name in free if name in spec.required and name not in taken.values()]
    spare = [place for place in range(len(there)) if place not in taken]
    if len(left) == len(spare) == 1:
        taken[spare[0]] = left[0]
    kept = {name: text for name, text in words.items() if name not in free or name not in taken.values()}
    used = {there[place].value for place in taken}
    kept = {name: text for name, text in kept.items() if name not in free or first_number(str(text)) not in used}
    return {**kept, **{name: there[place].value for place, name in taken.items()}}


def _unmixed(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """Two numbers that were copied well but each to the other's argument, by the words beside them: "12 bottles of the
    2017" with 2017 bottles of a year 12."""
    there = {number.value: number for number in numbers_in(sentence)}
    digits = {name: in_digits(str(text)) for name, text in words.items() if is_numeric(spec.properties.get(name, {}))}
    told = {name: there[value] for name, text in digits.items()
            if (value := first_number(text)) in there and not _UNIT.search(text)}  # fmt: skip
    for one, other in combinations(told, 2):
        as_copied = _score(spec, one, told[one], "") + _score(spec, other, told[other], "")
        swapped = _score(spec, one, told[other], "") + _score(spec, other, told[one], "")
        if swapped >= as_copied + _ENOUGH:
            return {**words, one: words[other], other: words[one]}
    return words


def numbers_in(sentence: str) -> Iterator[_Number]:
    """The numbers of the sentence that are no part of a day or a time of day."""
    sentence = in_digits(sentence)
    matches = [match for match in _NUMBER.finditer(sentence) if not _is_of_a_day(match)]
    for place, match in enumerate(matches):
        start = matches[place - 1].end() if place else 0
        end = matches[place + 1].start() if place + 1 < len(matches) else len(sentence)
        before = tuple(word.lower() for word in reversed(_WORD.findall(sentence[start : match.start()])))[:_LEFT]
        after = tuple(word.lower() for word in _WORD.findall(sentence[match.end() : end]))[:_RIGHT]
        yield _Number(_value(match), match, before, after)


def _free(spec: ToolSpec, words: Mapping[str, Any], sentence: str) -> list[_Number]:
    """The numbers that are no part of a name or of a text that another argument has: not those of "flat 2B", "9x13"."""
    texts = [str(text) for name, text in words.items() if is_text(spec, name) and not _NUMBER.fullmatch(str(text))]
    taken = [place for text in texts if (place := place_of(in_digits(text), in_digits(sentence)))]
    return [
        number
        for number in numbers_in(sentence)
        if not any(start <= number.match.start() < end for start, end in taken) and not _NAMED.match(number.after_it)
    ]


def in_digits(sentence: str) -> str:
    """The sentence with the numbers in digits that one or two words say: "forty-two", "three hundred"."""

    def digits(said: re.Match[str]) -> str:
        small = NAMED_NUMBERS[(said["small"] or said["ten"]).lower()]
        small += NAMED_NUMBERS[said["one"].lower()] if said["one"] else 0
        return str(small * 100 if said["hundred"] else small)

    return _IN_WORDS.sub(digits, sentence)


def _is_of_a_day(match: re.Match[str]) -> bool:
    """Whether the number is part of a day or a time of day."""
    text = match.string
    return bool(
        _OF_A_DAY.search(f"{text[max(0, match.start() - 20) : match.start()]}~{text[match.end() : match.end() + 16]}")
    )


def _score(spec: ToolSpec, name: str, number: _Number, copied: str) -> float:
    """How well a number fits an argument, by their words, what it is counted in, and what the model copied."""
    schema = spec.properties[name]
    own = words_of(name)
    told = [word for word in map(str.lower, _WORD.findall(str(schema.get("description", "")))) if word not in PLAIN]
    score = 0.0
    for side, near in ((1.0, number.before), (1.2, number.after)):
        for distance, word in enumerate(near):
            weight = 2.0 if alike(word, own) else 0.8 if alike(word, told) else 0.0
            score += side * weight / (1 + 0.35 * distance)
    terms = {*own, *told}
    score += 2.0 if number.match["money"] and terms & _MONEY else 0.0
    score += 2.5 if number.match["share"] and terms & _SHARES else -1.5 if number.match["share"] else 0.0
    score += (2.5 if terms & _RATES else -2.5) if _EACH.match(number.after_it) else 0.0
    score += 2.0 if re.fullmatch(r"(?:19|20)\d\d", number.value) and "year" in own else 0.0
    score -= 1.5 if schema.get("type") == "integer" and "." in number.value and not number.match["share"] else 0.0
    return score + (1.5 if first_number(copied) == number.value else 0.0)


def alike(word: str, words: Sequence[str]) -> bool:
    """Whether it is one of the words, whatever its ending."""
    stem = word.rstrip("s")
    return len(stem) > 0 and any(
        other.rstrip("s") == stem or (len(stem) > 4 and other[:5] == stem[:5]) for other in words
    )


def _lists(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """Lists of numbers, in the order of the arguments that take one."""
    names = [name for name, schema in spec.properties.items() if _is_list_of_numbers(schema)]
    there = [match[0].strip("[]()") for match in _LIST.finditer(sentence)]
    there = there or [match[0] for match in _BARE_LIST.finditer(sentence)]
    if not names or len(there) != len([name for name in names if name in spec.required or name in words]):
        return words
    told = [name for name in names if name in spec.required or name in words]
    parts = {
        name: re.split(r",(?!000(?!\d))\s*(?:and\s+)?|\s+and\s+", text) for name, text in zip(told, there, strict=True)
    }
    values = {name: [number for part in text if (number := first_number(part))] for name, text in parts.items()}
    return {**words, **values}


def _coordinated(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """A list of which one member was copied, with those that the sentence joins to it: "fruits and vegetables"."""
    for name, text in words.items():
        schema = spec.properties.get(name, {})
        if (
            schema.get("type") != "array"
            or not isinstance(text, str)
            or schema.get("items", {}).get("type") != "string"
        ):
            continue
        bare = text.strip(" '\"")
        item = rf"(?:['\"][^'\"]+['\"]|{re.escape(bare)}|[\w-]+)"
        for match in re.finditer(rf"(?i){item}(?:, (?:and )?{item})*,? (?:and|&) {item}", sentence):
            if re.search(rf"(?i)(?<!\w){re.escape(bare)}(?!\w)", match[0]) and "," not in text and " and " not in text:
                words[name] = match[0].replace("'", "").replace('"', "")
    return words


def _formulas(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """The one formula of the sentence, as Python writes it, to the argument that takes one."""
    there = [match[0].strip() for match in _FORMULA.finditer(sentence)]
    names = [
        name
        for name, schema in spec.properties.items()
        if schema.get("type") == "string" and _FORMULAS & set(re.findall(r"[a-z]+", name.lower()))
    ]
    names = [name for name in names if name in spec.required] or names
    if len(there) != 1 or len(names) != 1:
        return words
    kept = {name: text for name, text in words.items() if name in spec.required or str(text) not in there[0]}
    return {**kept, names[0]: there[0].replace("^", "**")}


def _signed(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """Numbers with the sign that they were said with, where they are said with it alone."""
    there = {_value(match) for match in _NUMBER.finditer(sentence)}
    for name, text in words.items():
        if is_numeric(spec.properties.get(name, {})) and f"-{text}" in there and text not in there:
            words[name] = f"-{text}"
    return words


def _counted(spec: ToolSpec, words: dict[str, Any], sentence: str) -> dict[str, Any]:
    """Numbers that need not be given and were left out, where the sentence has the argument's own name beside one:
    "three rows", "round 3"."""
    there = _free(spec, words, sentence)
    used = {first_number(in_digits(str(text))) for text in words.values()}
    for name, schema in spec.properties.items():
        if not is_numeric(schema) or words.get(name, MISSING) != MISSING:
            continue
        beside = [
            one for one in there if any(alike(word, words_of(name)) for word in (*one.before[:1], *one.after[:1]))
        ]
        if len(beside) == 1 and beside[0].value not in used:
            words[name] = beside[0].value
    return words


def _copies(spec: ToolSpec, words: dict[str, Any]) -> dict[str, Any]:
    """A count before a text, "two gear housings", where the one argument that counts, one if nothing is said, has
    none."""
    counts = [name for name, schema in spec.properties.items() if schema.get("default") == 1 and is_numeric(schema)]
    many = {name: match for name, text in words.items()
            if is_text(spec, name) and (match := _MANY.fullmatch(str(text)))}  # fmt: skip
    if len(counts) != 1 or counts[0] in words or len(many) != 1:
        return words
    ((name, match),) = many.items()
    return {**words, name: match["rest"], counts[0]: match["count"]}


def _plain(spec: ToolSpec, words: dict[str, Any]) -> dict[str, Any]:
    """Words that nobody can read a number in, as the one number that they have: "the year 2010", "25 MPG"."""
    for name, text in list(words.items()):
        schema = spec.properties.get(name, {})
        if isinstance(text, str) and _is_list_of_numbers(schema) and not isinstance(resolve(text, schema), Resolved):
            words[name] = _all_numbers(text) or text
        if not isinstance(text, str) or not is_numeric(schema):
            continue
        if (price := _PRICE.fullmatch(Words(text).text)) and _MONEY & {*words_of(name)}:  # "seven fifty"
            words[name] = f"{price[1]}.{price[2]}"
        elif isinstance(resolve(text, typed(name, schema)), Resolved):
            continue
        elif (number := first_number(text)) and not _CHANGED.search(text):
            words[name] = number
        elif len(_all_numbers(text)) > 1 and name not in spec.required:
            words = {other: said for other, said in words.items() if other != name}
    return words
