"""How a name is spelled, as people say it: "Marta, without the h", "with two n's", "L, double E", "D for dog".

Where the name itself is said, it is what counts, and the letters only tell which word is meant. Knows no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from toolmend.language.corrections.texts import fitted, likened, substituted
from toolmend.language.resolve import vocabulary

_LOOSELY = 0.55
"""How alike a word must be to a name that is said with its spelling."""
_SOUND = "ph|th|ck|sch|sh|ch|[a-z]"
_LETTER = rf"['\"]?(?P<l>{_SOUND})['\"]?"
_LETTER_2 = rf"['\"]?(?P<m>{_SOUND})['\"]?"
_MANY = r"(?:'?s)?"
_HAS = r"(?:with |it has |has |it's |it needs |needs |it takes )?"
_OUT = (
    r"(?:without|with no|there's no|it has no|has no|no|drop|minus|lose|skip|remove|delete|take out|take off|leave off"
    r"|leave out|doesn't have)"
)
_AT = r"(?: (?:at|on|in) (?:the )?(?:end|start|beginning|front|middle|it))?"
_HINTS: tuple[tuple[str, Callable[[str, str, str], str]], ...] = (
    (
        rf"(?:change|swap|replace|switch|turn|make) (?:the |that )?{_LETTER_2} (?:to|for|with|into|by"
        rf"|an?)(?: an?)? {_LETTER}",
        lambda word, new, old: word.replace(old, new),
    ),
    (
        rf"(?:the )?{_LETTER_2} (?:should be|is|must be|has to be|ought to be) (?:an? )?{_LETTER}",
        lambda word, new, old: word.replace(old, new),
    ),
    (
        rf"(?:it's )?(?:with )?(?:an? )?{_LETTER},? (?:and )?(?:not|instead of|rather than) (?:with )?(?:an? "
        rf"|the )?{_LETTER_2}",
        lambda word, new, old: word.replace(old, new),
    ),
    (
        rf"{_OUT} (?:the |an? |any |that )?(?:letter )?{_LETTER}{_AT}",
        lambda word, letter, _: word.replace(letter, "") if word.count(letter) == 1 else word,
    ),
    (
        rf"{_HAS}(?:only |just )?(?:one|a single) {_LETTER}{_MANY}(?: only)?",
        lambda word, letter, _: word.replace(letter * 2, letter),
    ),
    (
        rf"{_HAS}(?:two|double|a double) {_LETTER}{_MANY}{_AT}",
        lambda word, letter, _: re.sub(rf"(?<!{letter}){letter}(?!{letter})", letter * 2, word, count=1),
    ),
    (
        rf"(?:ends (?:in|with) |ending in |{_HAS}|add )(?:an? )?{_LETTER}(?: (?:at|on) the end)",
        lambda word, letter, _: word if word.endswith(letter) else word + letter,
    ),
)
_ONE_HINT = "|".join(re.sub(r"\(\?P<\w>", "(?:", pattern) for pattern, _ in _HINTS)
_HINT = re.compile(rf"(?:{_ONE_HINT})(?:,? (?:and |but )?(?:{_ONE_HINT}))*")
_CALLED_BY = re.compile(r"\b([A-Za-z]) (?:for|as in|like(?: in)?) [A-Za-z]+\b")
_DOUBLED = re.compile(r"(?i)(?<=\b[a-z] )double[ -]([a-z])\b")
_RUN = re.compile(r"(?<![\w'])(?!a )[A-Za-z](?:[ .,-]+[A-Za-z](?!['\w])){1,}(?![\w'])")
_CUE = re.compile(
    rf"(?i)(?<![\w'])(?:(?:double|one|two|three|single) (?:letter )?['\"]?(?:{_SOUND})['\"]?{_MANY}(?!['\w])|"
    rf"(?:an?|the|no|capital|with|without|in|and) (?:letter )?['\"]?(?:{_SOUND})['\"]?(?!['\w])|plural|singular"
    rf"|spelled|spelt|silent \w|accent|hyphen\w*|umlaut)"
)
_ABOUT = vocabulary.words("about letters")


def respelled(text: str, said: str) -> str | None:
    """The text with one word spelled as it is said: "Marta, without the h", "with two n's", "spelled J-O-N"."""
    said = said.strip(" .!?")
    if (name := named(said)) and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I):
        return likened(text, name, _LOOSELY)
    return _by_hint(text, said)


def named(said: str) -> str:
    """The name in words about its spelling, as it is to be written; "" where none, or more, is said."""
    if re.match(r"(?i)(?:who|what|where|how|is|does)\b", said):
        return ""
    coded = _CALLED_BY.search(said) is not None
    said = _DOUBLED.sub(r"\1 \1", _CALLED_BY.sub(r"\1", said))
    run = _RUN.search(said)
    letters = re.sub(r"[^A-Za-z]", "", run[0]) if run else ""
    if not (coded or _CUE.search(said) or len(letters) > 1):
        return ""
    left = re.sub(rf"(?i)(?<![\w'])(?:{_SOUND}){_MANY}(?!['\w])", " ", said.replace(run[0], " | ") if run else said)
    left = re.sub(r"(?i)['’](?:s|has)? (?=got|an?\b|spel|with|name)", " ", left)
    words = [word for word in re.findall(r"[^\W_][\w'’-]*|[|,.;]", left)]
    names = [word for word in words if word not in "|,.;" and word.lower() not in _ABOUT]
    if not names and len(letters) > 2:
        return letters.capitalize()
    place = words.index(names[0]) if names else 0
    if not names or words[place : place + len(names)] != names or len(names) > 3 or not all(map(str.isalpha, names)):
        return ""
    last, told = names[-1].lower(), letters.lower()
    return " ".join(names) if last.startswith(told) or last.endswith(told) else ""


def _by_hint(text: str, said: str) -> str | None:
    """By what is said of the letters, of the one word that it can be."""
    said = re.sub(r"(?i)^there(?:'s| is) (no|an?) (\w) in ([\w']+)$", lambda m: f"{m[3]} with {m[1]} {m[2]}", said)
    match = re.fullmatch(
        r"(?:(?P<name>[^\W\d_][\w'’-]*(?: [A-Z][\w'’-]*)?)(?: is| spelled| spelt| written| has| spells (?:it"
        r"|(?:his|her|the) name)| is (?:spelled|spelt|written))?,? (?:but )?)?(?P<hint>.+)",
        said,
    )
    if _HINT.fullmatch(said.lower()):
        name, hint = None, said.lower()
    elif match and _HINT.fullmatch(match["hint"].lower()):
        name, hint = match["name"], match["hint"].lower()
    else:
        return None
    if name and name.lower() not in ("it", "it's", "that's", "she", "he", "name", "the"):
        if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.I):
            return likened(text, name)
        words = [name]
    else:
        words = [*dict.fromkeys(re.findall(r"[^\W\d_][\w'’-]*", text))]
    changed = {word: new for word in words if (new := _hinted(word, hint)) and new != word}
    proper = {word: new for word, new in changed.items() if word[:1].isupper() and not text.startswith(word)} or changed
    if len(proper) != 1:
        return None
    return substituted(text, *next(iter(proper.items())))


def _hinted(word: str, hint: str) -> str:
    for pattern, change in _HINTS:
        if match := re.fullmatch(pattern, hint):
            groups = match.groupdict()
            new = change(word.lower(), groups["l"], groups.get("m") or "")
            return fitted(new, word)
    return word
