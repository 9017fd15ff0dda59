"""One line of Python: the API as signatures in the system text, the reply read as a single call.

The published experiment's way (Keras chatbot arena blog, 2024-12-05, section 2). Works with any model that reads text.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolmend.base.messages import Message, Reply
from toolmend.reading import read_python
from toolmend.strategies.grammar import line
from toolmend.strategies.history import spoken
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.signature import signature
from toolmend.strategies.strategy import Act, Ask, Flow, Talk


@dataclass
class Oneline:
    """Ask once, read one line, make the call. Nothing is retried: a person's correction is the retry.

    `structured` asks the engine to let nothing through but one call of these tools (grammar.py). What a person has just
    called wrong is not said again by a model that can help it; `repeat` lets it.
    """

    structured: bool = False
    repeat: bool = False

    name = "oneline"
    bare = True
    once = True
    lines = True

    @property
    def prompt_hash(self) -> str:
        """The prompt file's."""
        return digest("oneline")

    def turn(self, talk: Talk) -> Flow:
        """One request, one reply, its calls."""
        constraint = line(talk.tools) if self.structured and talk.tools else None
        messages = (Message("system", self.system_text(talk)), *spoken(talk.messages))
        reply: Reply = yield Ask(messages, constraint=constraint, avoid=() if self.repeat else talk.wrong)
        reading = read_python(reply.text, talk.tools)
        yield Act(reading.calls, reading)

    def system_text(self, talk: Talk) -> str:
        """The given system text, or that of prompts/oneline.md with the tools' signatures and the world."""
        if talk.system is not None:
            return talk.system
        return render("oneline", api=[signature(spec) for spec in talk.tools], world=talk.view())
