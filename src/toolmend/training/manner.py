"""How people write when they are in a hurry or in a mood: reasons nobody asked for, fillers, short forms, slips of the
finger. Changes no value that a call needs. Knows no request."""

from __future__ import annotations

import re
from random import Random

_OPENERS = (
    "ok so", "oh", "ugh,", "hm,", "hmm", "so", "well,", "right,", "hey", "oh no,", "argh,", "ah,", "yo", "listen,",
    "sorry,", "good morning,", "good evening,", "hi there,", "hello again,", "quick one:", "btw",
    "by the way,", "anyway,", "wait,", "oops,", "fine,", "yes,", "no,", "look,", "ok", "okay then,", "my dear,",
    "good news!", "bad news.", "change of plan:", "small change:", "and", "also", "then", "now", "but",
)  # fmt: skip
_CLOSERS = (
    "please", "pls", "thanks", "thank you", "thx", "lol", "if you please", "if possible", "will you", "would you",
    "okay?", "ok?", "right?", "cheers", "haha", "sorry", "sorry about that", "last change, I promise", "that's all",
    "don't ask", "long story", "finally", "thanks a lot", "you know how it is", "for real this time", "if that works",
    "for me", "dear", "I think", "as agreed", "as always", "at last", "that's it",
)  # fmt: skip
_JOINTS = (". ", ". ", ". ", ", ", ", ", " - ", "! ", "... ", "; ", ": ")
_WHY = (", ", ", ", ", ", ". ", ". ", " - ", " because ", " since ", ", because ", " as ", "... ", "; ")
_SHORT = (
    (r"\bwith\b", "w/"),
    (r"\byou\b", "u"),
    (r"\bplease\b", "pls"),
    (r"\band\b", "&"),
    (r"\btomorrow\b", "tmrw"),
    (r"\bappointment\b", "appt"),
    (r"\bbecause\b", "cos"),
)


def opened(said: str, random: Random) -> str:
    """With a word or two before it."""
    return f"{random.choice(_OPENERS)} {lower_first(said)}"


def closed(said: str, random: Random) -> str:
    """With a word or two after it."""
    end = random.choice(_CLOSERS)
    bare = said.rstrip(".")
    return said if bare.endswith("?") else f"{bare}{random.choice((' ', ', ', ', ', '. '))}{end}"


def reasoned(said: str, reason: str, random: Random) -> str:
    """With the reason for it, before or after."""
    if random.random() < 0.5:
        joint = random.choice(_JOINTS)
        return f"{_upper(reason, random)}{joint}{said if joint[0] in '.!' else lower_first(said)}"
    end = random.choice(_WHY)
    if said.endswith("?"):
        return f"{said} {_upper(reason, random)}"
    return f"{said.rstrip('.')}{end}{_upper(reason, random) if end[0] == '.' else reason}"


def shortened(said: str, random: Random) -> str:
    """With short forms as in messages: w/, u, pls."""
    pattern, short = random.choice(_SHORT)
    return re.sub(pattern, short, said)


def mistyped(said: str, random: Random) -> str:
    """Without apostrophes, or with two letters of a small word swapped."""
    if random.random() < 0.5:
        return said.replace("'", "") if "'s " not in said else said
    spots = [match for match in re.finditer(r"\b[a-z]{4,7}\b", said) if match.group() in _COMMON]
    if not spots:
        return said
    spot = random.choice(spots)
    at = random.randint(spot.start() + 1, spot.end() - 2)
    return random.choice(
        (
            said[:at] + said[at + 1] + said[at] + said[at + 2 :],
            said[:at] + said[at + 1 :],
            said[:at] + said[at] + said[at:],
        )
    )


_COMMON = frozenset(
    "please cancel delete remove move make change have with from that this calendar entry schedule meeting lunch "
    "earlier later instead hour hours minutes after before same until time date start starts takes want need could "
    "should would again actually sorry book plan push shift next following then there".split()
)


def lower_first(text: str) -> str:
    """The text with its first letter small, unless its first word is a name or an I."""
    first = text.split(" ")[0]
    small = first.lower().strip(".,!?:;'") in _SENTENCE_STARTS
    return text[:1].lower() + text[1:] if small else text


_SENTENCE_STARTS = frozenset(
    "add put create schedule book enter set plan make arrange organize save note insert there we can could would "
    "please now also then and next get stick pop throw fit work cancel delete remove drop move change shift push "
    "let let's start begin the it that this my actually not same they she he don't do give only just at on rename call "
    "name wrong take bin forget no undo bring delay postpone pull swap keep repeat two three all both everything have "
    "has reserve block hold need want new extend shorten set better rather still one an a until for to".split()
)


def _upper(text: str, random: Random) -> str:
    return text[:1].upper() + text[1:] if random.random() < 0.7 else text
