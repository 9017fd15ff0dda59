"""How people type when they are in a hurry or in a mood: what is said around a request, reasons nobody asked for,
capitals, stops, short forms, slips of the finger. Changes no value that a call needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from toolmend.training.adapter.tool_requests import ToolAsk
from toolmend.training.phrases import Phrases, expand, first_upper

_JOINTS = (". ", ". ", ". ", ", ", ", ", " - ", "! ", "... ", "; ", ": ")
_WHY = (", ", ", ", ", ", ". ", ". ", " - ", " because ", " since ", ", because ", " as ", "... ", "; ")
_SHORT = (("with", "w/"), ("you", "u"), ("please", "pls"), ("and", "&"), ("tomorrow", "tmrw"), ("because", "cos"))
_COMMON = frozenset(
    "please cancel delete remove move make change have with from that this calendar entry schedule meeting lunch "
    "earlier later instead hour hours minutes after before same until time date start starts takes want need could "
    "should would again actually sorry book plan push shift next following then there".split()
)
_SENTENCE_STARTS = frozenset(
    "add put create schedule book enter set plan make arrange organize save note insert there we can could would "
    "please now also then and next get stick pop throw fit work cancel delete remove drop move change shift push "
    "let let's start begin the it that this my actually not same they she he don't do give only just at on rename call "
    "name wrong take bin forget no undo bring delay postpone pull swap keep repeat two three all both everything have "
    "has reserve block hold need want new extend shorten set better rather still one an a until for to".split()
)


class Person:
    """Draws from the stock of phrases; `lower` types no capitals."""

    def __init__(self, random: Random, phrases: Phrases, *, lower: bool) -> None:
        self.random, self.phrases, self.lower = random, phrases, lower

    def say(self, section: str, **slots: str) -> str:
        """A phrase of a section, its slots filled."""
        return self.mannered(self.phrases.say(self.random, section, slots.__getitem__))

    def mannered(self, text: str) -> str:
        """The text with this person's capitals."""
        return text.lower() if self.lower and " => " not in text else text

    def types(self, text: str, asks: Sequence[ToolAsk]) -> str:
        """A request with what may stand around it; values at its beginning stay as they are."""
        random = self.random
        own = any(text.startswith(told.words) for ask in asks for told in ask.told.values() if told.words)
        if random.random() < 0.1:
            text, own = f"{self._aside('lead')}{random.choice((', ', ' '))}{lower_first(text)}", False
        if text[-1:] not in ".?!" and random.random() < 0.15:
            text += random.choice((", ", " ")) + self._aside("tail" if random.random() < 0.6 else "after")
        if not own and random.random() < 0.6:
            text = first_upper(text)
        if text[-1:] not in ".?!" and random.random() < 0.35:
            text += random.choice("...!")
        if random.random() < 0.05:
            text = f"{self._aside('before')} {text}"
        return self.mannered(text)

    def _aside(self, section: str) -> str:
        return expand(self.random.choice(self.phrases.lines[section][0]), self.random).strip()


def reasoned(said: str, reason: str, random: Random) -> str:
    """With the reason for it, before or after."""
    told = first_upper(reason) if random.random() < 0.7 else reason
    if random.random() < 0.5:
        joint = random.choice(_JOINTS)
        return f"{told}{joint}{said if joint[0] in '.!' else lower_first(said)}"
    if said.endswith("?"):
        return f"{said} {told}"
    end = random.choice(_WHY)
    return f"{said.rstrip('.')}{end}{told if end[0] == '.' else reason}"


def shortened(said: str, random: Random) -> str:
    """With short forms as in messages: w/, u, pls."""
    word, short = random.choice(_SHORT)
    return re.sub(rf"\b{word}\b", short, said)


def mistyped(said: str, random: Random) -> str:
    """Without apostrophes, or with two letters of a small word swapped."""
    if random.random() < 0.5:
        return said.replace("'", "") if "'s " not in said else said
    spots = [match for match in re.finditer(r"\b[a-z]{4,7}\b", said) if match.group() in _COMMON]
    if not spots:
        return said
    spot = random.choice(spots)
    at = random.randint(spot.start() + 1, spot.end() - 2)
    swapped, dropped = f"{said[at + 1]}{said[at]}{said[at + 2 :]}", said[at + 1 :]
    return said[:at] + random.choice((swapped, dropped, said[at] + said[at:]))


def lower_first(text: str) -> str:
    """The text with its first letter small, unless its first word is a name or an I."""
    small = text.split(" ")[0].lower().strip(".,!?:;'") in _SENTENCE_STARTS
    return text[:1].lower() + text[1:] if small else text
