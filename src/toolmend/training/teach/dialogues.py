"""Whole talks for training, by number: requests, wrong replies and corrections, changes, questions, thanks.

`Talks(requests).dialogue(seed)` is deterministic. Every gold reply is what should be said; the replies that are
complained about are history only. Knows no tokens.
"""

from __future__ import annotations

from random import Random

from toolmend.corrections import false_correction, names
from toolmend.messages import Call
from toolmend.training.meaning import Exchange
from toolmend.training.teach.arguments import kind_of, leaves
from toolmend.training.teach.changes import change
from toolmend.training.teach.plain import plain_request, plainly
from toolmend.training.teach.requests import Requests, Said
from toolmend.training.teach.spoken import Form, say
from toolmend.training.teach.wrong import Slips

WELCOME, FINE, CANNOT = "You're welcome.", "OK.", "I can't do that here."
_THANKS = (
    "Thanks!",
    "Thank you.",
    "Thanks a lot",
    "Great, thanks",
    "Perfect, thank you!",
    "Cheers",
    "Thank you very much",
    "Many thanks",
)
_HELD_THANKS = ("Much obliged", "Thanks a million")
_REMARKS = (
    "OK.",
    "That's it for now.",
    "Never mind.",
    "Good.",
    "Great.",
    "Fine, that's all",
    "Forget it.",
    "All right",
    "Bye",
    "Hello!",
    "Good morning",
    "See you later",
    "I'll be right back",
    "One moment please",
)
_HELD_REMARKS = ("That will be all.", "Have a nice day", "Let me think")
_OUTSIDE = (
    "What's the weather like?",
    "Tell me a joke",
    "Who won the game last night?",
    "Can you sing?",
    "Book me a flight",
    "How old are you?",
    "Play some music",
    "Translate this into French",
    "What time is it?",
    "Call my mother",
    "Order a pizza",
    "Write a poem",
)
_HELD_OUTSIDE = ("What is the capital of Peru?", "Turn on the lights", "Can you drive a car?")
SLIPS, GROUNDLESS, CHANGES, ASKED, ASIDE = 0.32, 0.06, 0.22, 0.05, 0.07


class Talks:
    """The source of dialogues for one toolbox; `held_out=True` gives the test's: templates, words, corrections and
    changes that training never uses."""

    def __init__(self, requests: Requests, turns: tuple[int, int] = (1, 4)) -> None:
        self.requests, self._turns = requests, turns
        specs = tuple(requests.specs.values())
        self._slips = {side: Slips(specs, requests.values(side), held_out=side) for side in (False, True)}

    def dialogue(self, seed: int, *, held_out: bool = False) -> list[Exchange]:
        """One talk of some requests with all that comes of them."""
        talk = _Talk(self.requests, self._slips[held_out], Random(seed * 2 + held_out), held_out)
        for _ in range(talk.random.randint(*self._turns)):
            talk.step()
        return talk.made

    def texts(self, count: int) -> list[str]:
        """All that is said in the first dialogues, to learn a vocabulary from."""
        talks = (self.dialogue(900_000_000 + number) for number in range(count))
        return [text for talk in talks for exchange in talk for text in (exchange.user, exchange.reply)]


class _Talk:
    """One talk as it unfolds."""

    def __init__(self, requests: Requests, slips: Slips, random: Random, held_out: bool) -> None:
        self.requests, self.slips, self.random, self.held_out = requests, slips, random, held_out
        self.made: list[Exchange] = []
        self.calls: list[Call] = []

    def step(self) -> None:
        """One request with its corrections and changes, or something said beside."""
        chance = self.random.random()
        if chance < ASIDE:
            self._aside()
        elif chance < ASIDE + ASKED:
            self._asked()
        else:
            said = self.requests.one(self.random, held_out=self.held_out)
            self._answered(said.text, said, self.requests.specs[said.tool].name if said.tool else "no call")
            self._changed(said)

    def _answered(self, text: str, said: Said, op: str) -> None:
        """A request and its right reply, perhaps after wrong ones."""
        if not said.calls:
            self._say(text, said.reply, "no call")
            return
        right = self.requests.written(said.calls)
        if len(said.calls) == 1 and self.random.random() < SLIPS:
            spec = self.requests.specs[said.calls[0].tool]
            for _ in range(self.random.choices((1, 2), (85, 15))[0]):
                wrong = self.slips.slip(said.calls[0], self.calls, self.random)
                self.made.append(Exchange(text, wrong.reply, False, op))
                level, text = self.slips.complaint(wrong, spec, self.random)
                op = f"fix {level} {wrong.mistake}"
        self._say(text, right, op)
        self.calls += said.calls
        if self.random.random() < GROUNDLESS:
            self._say(false_correction(self.random.randrange(10**6), said.calls[0]).text, right, "groundless")

    def _changed(self, said: Said) -> None:
        """What follows a request as in an example, or by rule."""
        if not said.calls or self.random.random() >= CHANGES:
            return
        after = self.requests.after(said, self.random, held_out=self.held_out) if self.random.random() < 0.6 else None
        if after:
            self._answered(after.text, after, "change")
        elif len(said.calls) == 1:
            spec = self.requests.specs[said.calls[0].tool]
            values = self.requests.values(self.held_out)
            if found := change(said.calls[0], spec, values, self.random):
                text, call = found
                self._answered(text, Said(text, (call,), "", None, call.tool), "change")

    def _asked(self) -> None:
        """A request without something that the tool needs, the question, the answer."""
        spec = self.random.choice([each for each in self.requests.specs.values() if each.required] or [None])
        if spec is None:
            self._aside()
            return
        values = self.requests.values(self.held_out)
        name = self.random.choice(spec.required)
        _, call = plain_request(spec, values, self.random)
        said = {
            (path, kind): say(value, kind, Form(), self.random)
            for path, value in leaves(call.arguments)
            if (kind := kind_of(spec, path, value)).name not in ("flag", "null")
        }
        kept = [f"{kind.label} {text}" for (path, kind), text in said.items() if path[0] != name]
        answer = " ".join(text for (path, _), text in said.items() if path[0] == name)
        if not answer:
            return
        self._say(plainly(spec, kept, self.random), f"Which {names.label(name)}?", "ask")
        self._say(answer, self.requests.written((call,)), "answer")
        self.calls.append(call)

    def _aside(self) -> None:
        """Thanks, a remark, or something no tool here can do."""
        lines, reply = self.random.choice(
            (
                (_HELD_THANKS if self.held_out else _THANKS, WELCOME),
                (_HELD_REMARKS if self.held_out else _REMARKS, FINE),
                (_HELD_OUTSIDE if self.held_out else _OUTSIDE, CANNOT),
            )
        )
        self._say(self.random.choice(lines), reply, "no call")

    def _say(self, text: str, reply: str, op: str) -> None:
        self.made.append(Exchange(text, reply, True, op))
