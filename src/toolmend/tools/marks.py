"""The marks that text from outside and memories stand between, and whether a text passes for one of them: as a model
reads it, in whatever letters look alike, with whatever nobody sees in between. It knows not what stands between them.
"""

from __future__ import annotations

import re
import unicodedata

OUTSIDE, MEMORIES = "outside", "memories"
_MARK = re.compile(rf"<\s*/?\s*(?:{OUTSIDE}|{MEMORIES})(?![^\W_])")

# Characters that are drawn as nothing (Default_Ignorable_Code_Point of Unicode 16), and the blank of Braille.
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\u2800]"
)
# What looks like the letters of the marks and is not made the same by NFKD (Unicode's confusables, the common ones).
_ALIKE = {
    **dict.fromkeys("‹〈⟨˂ᐸ❮❰≺《«⧼⟪ᚲ𐊃ꞈ", "<"),
    **dict.fromkeys("⁄∕╱⧸⟋ノ丿𝈺", "/"),
    **dict.fromkeys("οоօσ০ഠᴏӧ੦०๐໐ჿⲟ0º", "o"),
    **dict.fromkeys("υսᴜцʋꭎꞟ", "u"),
    **dict.fromkeys("τтᴛƭ", "t"),
    **dict.fromkeys("ѕꜱƽʂ5", "s"),
    **dict.fromkeys("іιıɩӏⲓꙇ1lǀ|ɪ", "i"),
    **dict.fromkeys("ԁժɗđ", "d"),
    **dict.fromkeys("еεҽєᴇ℮ⲉ3", "e"),
    **dict.fromkeys("мᴍⲙ", "m"),
    **dict.fromkeys("гᴦʀⲅꭇ", "r"),
}


def without_marks(text: str) -> str:
    """The text, unable to begin or end what stands between marks: their first sign is written as `&lt;`."""
    last, pieces = 0, list[str]()
    for place in _places(text):
        pieces += [text[last:place], "&lt;"]
        last = place + 1
    return "".join([*pieces, text[last:]])


def has_marks(text: str) -> bool:
    """Whether a text carries what could pass for one of the marks."""
    return bool(_places(text))


def _places(text: str) -> list[int]:
    """Where in the text something like a mark begins."""
    if text.isascii() and "<" not in text:
        return []
    read, places = list[str](), list[int]()
    for place, character in enumerate(text):
        for one in _as_read(character):
            read.append(one)
            places.append(place)
    return [places[match.start()] for match in _MARK.finditer("".join(read))]


def _as_read(character: str) -> str:
    if character.isascii() and (character.isprintable() or character.isspace()) and character not in "0153|l":
        return character.lower()
    unseen = unicodedata.category(character) in ("Cc", "Cf", "Cs") and not character.isspace()
    if unseen or _IGNORED.match(character):
        return ""
    parts = unicodedata.normalize("NFKD", _ALIKE.get(character, character)).casefold()
    return "".join(_ALIKE.get(part, part) for part in parts if unicodedata.category(part) not in ("Mn", "Me"))
