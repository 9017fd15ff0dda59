"""How people type: what is said around a request, capitals, stops. Changes no value that a call needs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from toolmend.training.phrases import Phrases, expand, first_upper
from toolmend.training.teach.tool_requests import ToolAsk

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


def lower_first(text: str) -> str:
    """The text with its first letter small, unless its first word is a name or an I."""
    small = text.split(" ")[0].lower().strip(".,!?:;'") in _SENTENCE_STARTS
    return text[:1].lower() + text[1:] if small else text
