"""How one simulated person types: what is said around a request, capitals, stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from toolmend.training.adapter.tool_requests import ToolAsk
from toolmend.training.phrases import Phrases, expand, first_upper


@dataclass(frozen=True, slots=True)
class Person:
    """Draws from the stock of phrases; `lower` types no capitals."""

    random: Random
    phrases: Phrases
    lower: bool

    def say(self, section: str, **slots: str) -> str:
        """A phrase of a section, its slots filled."""
        return self.mannered(self.phrases.say(self.random, section, slots.__getitem__))

    def mannered(self, text: str) -> str:
        """The text with this person's capitals."""
        return text.lower() if self.lower and " => " not in text else text

    def types(self, text: str, asks: Sequence[ToolAsk]) -> str:
        """A request with what may stand around it; values at its beginning stay as they are."""
        random = self.random
        own = any(text.startswith(told.words) for ask in asks for told in ask.told.values())
        if random.random() < 0.1:
            text, own = f"{self._aside('lead')}{random.choice((', ', ' '))}{text}", False
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
