"""Changes inside a text: one word for another, a letter more or less, two names swapped, words put in or taken out.

Every function gives the new text, or None where the words do not say exactly one. Knows no call and no argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

from toolmend.resolve.words import Words

_ALIKE = 0.72
"""How alike two names must be for one to pass for a slip of the other."""
_LETTER = r"['\"]?(?P<l>ph|th|ck|sch|sh|ch|[a-z])['\"]?"
_LETTER_2 = r"['\"]?(?P<m>ph|th|ck|sch|sh|ch|[a-z])['\"]?"
_SOUNDS = {
    "c": "ks",
    "k": "cq",
    "w": "v",
    "v": "wf",
    "f": "v",
    "z": "s",
    "s": "zc",
    "i": "y",
    "y": "i",
    "j": "yg",
    "q": "k",
    "g": "j",
    "a": "e",
    "o": "u",
    "u": "o",
}
_MANY = r"(?:'?s)?"
_HINTS: tuple[tuple[str, Callable[[str, str, str], str]], ...] = (
    (
        rf"with (?:an? )?{_LETTER},? (?:and )?(?:not|instead of|rather than) (?:with )?(?:an? )?{_LETTER_2}",
        lambda word, new, old: word.replace(old, new),
    ),
    (
        rf"(?:with )?(?:an? )?{_LETTER} (?:instead of|not) (?:an? )?{_LETTER_2}",
        lambda word, new, old: word.replace(old, new),
    ),
    (
        rf"(?:without|with no|no|drop|minus) (?:the |an? |any )?(?:letter )?{_LETTER}(?: at the end| in it)?",
        lambda word, letter, _: _last_removed(word, letter),
    ),
    (
        rf"(?:with |it has |has )?(?:only |just )?(?:one|a single) {_LETTER}{_MANY}(?: only)?",
        lambda word, letter, _: word.replace(letter * 2, letter),
    ),
    (
        rf"(?:with |it has |has )?(?:two|double|a double) {_LETTER}{_MANY}",
        lambda word, letter, _: re.sub(rf"(?<!{letter}){letter}(?!{letter})", letter * 2, word, count=1),
    ),
    (
        rf"(?:ends (?:in|with) |ending in |with )(?:an? )?{_LETTER}(?: at the end| on the end)",
        lambda word, letter, _: word if word.endswith(letter) else word + letter,
    ),
    (
        rf"(?:with |ends (?:in|with) |ending in )(?:an? )?{_LETTER}",
        lambda word, letter, _: _with_letter(word, letter),
    ),
)
_CAPITAL = re.compile(
    r"(?:(?P<name>[^\W\d_][\w'-]*),? )?(?:with |it's |it has )?(?:an? )?(?:(?P<large>capital|big|upper-?case|large)"
    r"|small|little|lower-?case) (?P<letter>[a-z])(?: (?:in|for|at the (?:start|beginning) of) (?P<name2>[\w'-]+))?",
    re.I,
)
_ONE_HINT = "|".join(re.sub(r"\(\?P<\w>", "(?:", pattern) for pattern, _ in _HINTS)
_HINT = re.compile(rf"(?:{_ONE_HINT})(?:,? (?:and |but )?(?:{_ONE_HINT}))*")
_PREPOSITIONS = ("with", "for", "to", "from", "at", "in", "by", "of", "on", "about")
_OPENING = rf"(?i)^(?:(?:{'|'.join(_PREPOSITIONS)}) )?(?:the |an? |my |our )?(?=\S)"
_SAYS = re.compile(
    r"(?i)[.;:?!,]|\b(?:i|you|he|she|they|we|it|it's|that's|that|is|are|was|were|isn't|wasn't|don't|didn't"
    r"|not|never|no|but|wrong|right|fine|ok|okay|correct|swapped|mixed|has|have|had"
    r"|gets|get|got|should|would|could|said|meant|instead|please|or|only|just|another|also|again|always"
    r"|everything|something|nothing|them|too|really|very|as|if|then|than|because|one|ones|else)\b"
)
_DOES = re.compile(
    r"(?i)(?:use|make|change|set|put|move|take|give|send|add|remove|drop|keep|let|fix|correct|check|replace|swap|try|do"
    r"|did|does|start|starts|end|ends|go|goes|want|need|say|says|read|write|spell|leave|turn|switch|get|push|pull"
    r"|bring|raise|lower|delete|cancel|undo|stop|wait|sorry|thanks|thank|why|what|when|where|who|how|which|until"
    r"|till)\b"
)
_SMALL = frozenset({"the", "a", "an", "my", "our", "and", "&", *_PREPOSITIONS})


def substituted(text: str, old: str, new: str) -> str | None:
    """The text with `new` where `old` stands in it, once."""
    digits = Words(old).text
    for one, other in [
        *_bare(text, old, new),
        *([(digits, _digits(new))] if digits != old and digits.isdecimal() else []),
    ]:
        places = [*re.finditer(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE)] if one else []
        if len(places) == 1:
            start, end = places[0].span()
            return text[:start] + fitted(other, text[start:end]) + text[end:]
    return None


def _digits(words: str) -> str:
    """A number as it is written beside another."""
    return number if (number := Words(words).text).isdecimal() else words


def _bare(text: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    """The two, also without what both begin or end with: articles, prepositions, 's."""
    if re.sub(_OPENING, "", old).lower() == text.lower():
        yield text, re.sub(_OPENING, "", new)
    if lead := re.match(rf"(?i)(?:{'|'.join(_PREPOSITIONS)}) (?=\S)", new):
        stands = re.search(rf"(?i)\b{lead[0]}{re.escape(old)}(?!\w)", text)
        if stands or old.lower() == text.lower():
            yield old, new[lead.end() :]
    yield old, new
    if old.endswith("'s") and (owned := re.fullmatch(r"(.+)'s \w+", new)):
        yield old[:-2], owned[1]
    if old.endswith("'s") and new.endswith("'s"):
        yield old[:-2], new[:-2]
    for opening in ("the ", "a ", "an ", "my ", *(f"{word} " for word in _PREPOSITIONS)):
        if old.lower().startswith(opening):
            yield old[len(opening) :], re.sub(rf"(?i)^(?:{opening}|the |an? |my )", "", new)
    if re.match(r"(?i)(?:the|an?|my) ", new):
        yield old, new.partition(" ")[2]


def fitted(new: str, old: str) -> str:
    """A word written as the one it replaces: with a capital where that has one."""
    return new[:1].upper() + new[1:] if old[:1].isupper() and new[:1].islower() else new


def likened(text: str, words: str) -> str | None:
    """The text with these words in place of those that are a slip of them; None where none, or several, are."""
    count, tokens = len(words.split()), text.split()
    if not count or re.search(rf"(?i)(?<!\w){re.escape(words)}(?!\w)", text):
        return None
    scores = [(_slip(tokens[place : place + count], words.split()), place) for place in range(len(tokens) - count + 1)]
    near = sorted((score, place) for score, place in scores if score >= _ALIKE)
    if not near or (len(near) > 1 and near[-1][0] - near[-2][0] < 0.1):
        return None
    place = near[-1][1]
    old = " ".join(tokens[place : place + count])
    new = words[:-2] if words.endswith("'s") and not old.endswith("'s") else words
    new += "'s" if old.endswith("'s") and not new.endswith("'s") else ""
    return " ".join([*tokens[:place], fitted(new, old), *tokens[place + count :]])


def _slip(old: list[str], new: list[str]) -> float:
    """How alike the words are that are not the same: 0 where one of them is another word."""
    return min(
        (_alike(*pair) for pair in zip(old, new, strict=True) if pair[0].lower() != pair[1].lower()), default=0.0
    )


def _sound(word: str) -> str:
    """A name about as it is spoken."""
    for written, spoken in (("ph", "f"), ("th", "t"), ("ck", "k"), ("c", "k"), ("y", "i"), ("z", "s"), ("h", "")):
        word = word.replace(written, spoken)
    return re.sub(r"(.)\1", r"\1", word)


def _alike(one: str, other: str) -> float:
    a, b = (re.sub(r"'s$", "", each.lower().strip(",.;:!?")) for each in (one, other))
    if min(len(a), len(b)) < 3:
        return 0.0
    if len(a) == len(b) == 3 and sum(one != other for one, other in zip(a, b, strict=True)) == 1:
        return _ALIKE
    if a[1:] in (b, b[1:]) or b[1:] == a or a[0] == b[0]:
        return SequenceMatcher(None, a, b).ratio()
    a, b = _sound(a), _sound(b)
    return SequenceMatcher(None, a, b).ratio() if a[:1] == b[:1] else 0.0


def respelled(text: str, said: str) -> str | None:
    """The text with one word spelled as it is said: "Marta, without the h", "with two n's", "spelled J-O-N"."""
    said = said.strip(" .!?")
    if letters := re.search(r"\b([A-Za-z](?:[- .][A-Za-z]){2,})$", said):
        return likened(text, re.sub(r"[- .]", "", letters[1]).capitalize())
    if capital := _CAPITAL.fullmatch(said):
        return _recased(text, capital)
    if (named := re.fullmatch(r"([\w'-]+) (?:is|should be|has to be) (?:spelled|spelt|written) ([\w'-]+)", said)) and (
        replaced := substituted(text, named[1], named[2])
    ):
        return replaced
    if spelled := re.fullmatch(
        r"(?:it'?s |that'?s |(?:it is |is )?)?(?:spelled|spelt|written) ([\w'’]+)|([\w'’]+) is how (?:it's"
        r"|you) (?:spelled|spelt|spell it|write it)",
        said,
        re.I,
    ):
        return likened(text, spelled[1] or spelled[2])
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


def _recased(text: str, said: re.Match[str]) -> str | None:
    """The text with one word's first letter made large or small."""
    name, large, letter = said["name"] or said["name2"], bool(said["large"]), said["letter"].lower()
    words = [word for word in re.findall(r"[^\W\d_][\w'’-]*", text) if word[0].lower() == letter]
    words = [word for word in words if not name or word.lower() == name.lower()]
    words = [word for word in dict.fromkeys(words) if word[0].isupper() is not large]
    if len(words) != 1:
        return None
    new = (letter.upper() if large else letter) + words[0][1:]
    return re.sub(rf"(?<!\w){re.escape(words[0])}(?!\w)", new, text, count=1)


def _hinted(word: str, hint: str) -> str:
    for pattern, change in _HINTS:
        if match := re.fullmatch(pattern, hint):
            groups = match.groupdict()
            new = change(word.lower(), groups["l"], groups.get("m") or "")
            return fitted(new, word)
    return word


def _with_letter(word: str, letter: str) -> str:
    """With the letter for the one that sounds like it, or at the end; as it was where neither is likely."""
    alike = [other for other in _SOUNDS.get(letter, "") if word.count(other) == 1]
    if letter in word:
        return word
    if alike:
        return word.replace(alike[0], letter)
    return word + letter if letter in "ehtsnydk" and not (letter == "h" and word[-1] in "nlrm") else word


def _last_removed(word: str, letter: str) -> str:
    """Without the letter, where the word has it once."""
    return word.replace(letter, "") if word.count(letter) == 1 else word


def names_swapped(text: str) -> str | None:
    """The text with its two names exchanged: "Flight from Oslo to Bergen"."""
    tokens = text.split()
    places = [
        place for place, token in enumerate(tokens) if token[:1].isupper() and (place or not _common_opening(tokens))
    ]
    if len(places) != 2:
        return None
    one, other = places
    a, b = (tokens[place].removesuffix("'s") for place in places)
    if a == b:
        return None
    tokens[one], tokens[other] = tokens[one].replace(a, b, 1), tokens[other].replace(b, a, 1)
    return " ".join(tokens)


def _common_opening(tokens: list[str]) -> bool:
    """Whether the first word has its capital only because it comes first: what follows it is a small word."""
    return (len(tokens) > 1 and tokens[1].lower() in _SMALL - {"and", "&", "to"}) or (
        len(tokens) > 3 and tokens[1][:1].isupper()
    )


def without(text: str, words: str) -> str | None:
    """The text without these words."""
    words = re.sub(r"(?i)^(?:the )?(?:words? |bit |part )?", "", words).strip(" '\"“”")
    places = [*re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)] if words else []
    if len(places) != 1:
        return None
    start, end = places[0].span()
    left = re.sub(r"\s+", " ", f"{text[:start]} {text[end:]}").strip(" ,;:-–")
    left = re.sub(r"(?i)\s+(?:with|for|to|at|in|and|&|of)$", "", left)
    return fitted(left, text) or None


def phrase_for(text: str, words: str) -> str | None:
    """The text with the part that begins with the same small word replaced: "with Ben" in "Lunch with Ada"."""
    lead = words.split()[0].lower() if words.split() else ""
    if lead not in _PREPOSITIONS or len(words.split()) < 2:
        return None
    others = "|".join(_PREPOSITIONS)
    places = [*re.finditer(rf"(?i)\b{lead}\b .+?(?=$| (?:{others})\b)", text)]
    if len(places) != 1 or (places[0].start() == 0):
        return None
    return text[: places[0].start()] + words[0].lower() + words[1:] + text[places[0].end() :]


def headed(text: str, words: str) -> str | None:
    """The text with these two words where it has the second after another: "cello lesson" in "Piano lesson"."""
    said = words.split()
    if len(said) != 2 or said[0].lower() in _SMALL:
        return None
    tokens = text.split()
    places = [place for place, token in enumerate(tokens) if token.lower() == said[1].lower()]
    if len(places) != 1 or not places[0] or tokens[places[0] - 1].lower() in {*_SMALL, said[0].lower()}:
        return None
    tokens[places[0] - 1] = fitted(said[0], tokens[places[0] - 1])
    return " ".join(tokens)


def namelike(words: str) -> bool:
    """Whether words can be a name or a title: nothing is said in them."""
    words = re.sub(r"\b(Dr|Mr|Ms|Mrs|St|Prof)\.", r"\1", words)
    capitals = len(words.split()) > 1 and all(word[:1].isupper() for word in words.split())
    if re.match(r"(?!a )[a-z] ", words):
        return False
    if not capitals and _DOES.match(words):
        return False
    return not _SAYS.search(words) or (capitals and not re.search(r"[.;:?!,]", words))


def divided(text: str) -> tuple[str, str, str]:
    """The text before its first small word, that word, and the text after it; "" where there is none inside."""
    match = re.fullmatch(rf"(?i)(\S.*?) ({'|'.join(_PREPOSITIONS)}) (\S.*)", text)
    return (match[1], match[2], match[3]) if match else (text, "", "")


def shares(text: str, words: str) -> bool:
    """Whether both have a word in common that says something."""
    own, said = ({word for word in re.findall(r"\w+", each.lower())} - _SMALL for each in (text, words))
    return bool(own & said)
