"""What speaks against a reply's choice of tools, by its words alone: what is missing, made up, said twice or left over.

"room 214 is for Hilde and Maren" as add_piece(title="Hilde and Maren", composer="Hilde and Maren") has two flaws: the
same words twice, and a number that nobody has. Pure: knows words and tools' schemas.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.allotted import PLAIN, alike, first_number, in_digits, is_numeric, numbers_in, words_of
from toolmend.language.resolve.edges import is_text
from toolmend.language.resolve.parameters import typed
from toolmend.language.resolve.remains import LITTLE
from toolmend.language.resolve.said import MISSING, Said
from toolmend.language.resolve.words import WEEKDAY

_WORD = re.compile(r"[^\W_]{3,}")
_HOUR = re.compile(r"(?i)\b(?:half|quarter|five|ten|twenty) (?:past|to) \w+|\bout of (?:ten|10)\b")
_SOME_DAY = "2026-03-05T10:00"  # whether words say a day at all
_DAY = re.compile(rf"(?i)\b{WEEKDAY}\b")


def flaws(lines: Sequence[Said], named: Mapping[str, ToolSpec], sentence: str) -> int:
    """How much speaks against the lines; 0 where all of them fit, or where one is no call of a tool. What is missing
    speaks against a tool only if the sentence does not name it; "a new one" counts nothing."""
    if not lines or any(line.tool not in named for line in lines):
        return 0
    held = in_digits(" ".join(str(text) for line in lines for text in line.words.values())).casefold()
    told = {number.value for number in numbers_in(_HOUR.sub("~", sentence))} - (set() if "1" in sentence else {"1"})
    loose = [value for value in told if not re.search(rf"(?<!\d){re.escape(value)}(?!\d)", held)]
    days = [day for day in _DAY.findall(sentence) if day.casefold() not in held]
    return len(loose) + len(days) + sum(_of_line(line, named[line.tool], sentence) for line in lines)


def shared(spec: ToolSpec, sentence: str) -> int:
    """How many words of some sense a sentence shares with a tool's name, its description and its parameters' names."""
    known = [*words_of(spec.name), *_WORD.findall(spec.description.casefold())]
    known += [word for name in spec.properties for word in words_of(name)]
    told = {word for word in _WORD.findall(sentence.casefold()) if word not in LITTLE}
    return sum(alike(word, known) for word in told)


def _of_line(line: Said, spec: ToolSpec, sentence: str) -> int:
    told = {word[:4] for word in _WORD.findall(sentence.casefold())}
    kinds = {name: typed(name, schema).get("format") for name, schema in spec.properties.items()}
    texts = {name: text for name, text in line.words.items() if isinstance(text, str) and text != MISSING}
    texts = {name: text for name, text in texts.items() if name in spec.properties}
    named = any(alike(word, _WORD.findall(sentence.casefold())) for word in words_of(spec.name) if word not in PLAIN)
    found = 0 if named else sum(line.words.get(name, MISSING) == MISSING for name in spec.required)
    for name, text in texts.items():
        own = _WORD.findall(text.casefold())
        listed = typed(name, spec.properties.get(name, {})).get("type") == "array"
        if is_text(spec, name) or listed:
            counted = re.match(r"\d", in_digits(text)) is not None and first_number(in_digits(text)) != ""
            found += bool(own) and not any(word[:4] in told for word in own)
            found += (counted and not re.search(r"\d", text)) or bool(re.fullmatch(r"\d+ [a-z]+", text))
        elif kinds[name] in ("date", "time") and name in spec.required:
            read = resolve(text, typed(name, spec.properties[name]), now=_SOME_DAY)
            found += not isinstance(read, Resolved) and not read.candidates
        elif is_numeric(spec.properties.get(name, {})) and name in spec.required:
            found += not re.search(r"\d", in_digits(text)) and not re.search(r"(?i)\b(?:an?|half|quarter)\b", text)
    once = [text.casefold() for name, text in texts.items() if is_text(spec, name) and name in spec.required]
    twice = sum(once.count(text) > 1 and sentence.casefold().count(text) < 2 for text in set(once))
    return int(found) + twice
