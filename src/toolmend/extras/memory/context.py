"""Memory in a talk: what is known enters through `Session(context=…)`, what happens comes back through its events.

    with Stream("memory.db", "anna") as stream:
        chat = Session("ollama/qwen3", "calendar")
        Remembering(stream).joins(chat)

Nothing that was recalled is heard again: it stands in no message and no event, and the assistant's words are not kept.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.events import Asked, Called, Corrected, Event, Undone
from toolmend.base.messages import Call, Message
from toolmend.extras.memory.memory import marked
from toolmend.extras.memory.preferences import Preferences
from toolmend.extras.memory.recall import USUAL, Weights, recall
from toolmend.extras.memory.stream import Stream
from toolmend.extras.memory.tables import Which
from toolmend.extras.memory.usual import filled
from toolmend.session import Session, Shown
from toolmend.session.mend.grounds import Heard

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'“])")
"""Where one sentence ends and the next begins."""


class Remembering:
    """One talk that remembers. `k` memories at most are shown in a turn.

    Of another talk make another one. `proposed` are the preferences that this talk's corrections led to.
    """

    def __init__(
        self,
        stream: Stream,
        *,
        k: int = 5,
        weights: Weights = USUAL,
        who: str = "user",
        talk: str = "",
    ) -> None:
        self.stream, self.k, self.weights = stream, k, weights
        self.who, self.talk = who, talk or uuid.uuid4().hex[:12]
        self.preferences = Preferences(stream)
        self.proposed: list[str] = []
        self._changes = Changes()
        self._calls: dict[str, int] = {}
        self._said: set[int] = set()
        self._told_now: list[int] = []
        self._texts = [""]  # what was said for each turn, with what that amends
        self._of: dict[str, str] = {}  # the same for each call

    def joins(self, session: Session) -> None:
        """Take part in a talk beside whoever does already: hear it, tell its model what is known, and fill in what a
        person confirmed as usual, so that it holds whatever the model heeds."""
        others, review = session.sink, session.review

        def hear(event: Event) -> None:
            if others:
                others(event)
            self.hear(event)

        def reviewed(call: Call) -> Call:
            call = review(call) if review else call
            box = session.tools
            spec = next((spec for spec in box.specs if spec.full_name == call.tool), None)
            wishes = [(wish.id, wish.data) for wish in self.preferences.known(("confirmed",)) if "tool" in wish.data]
            return filled(call, wishes, spec, Heard(self._for(call), box.clock, box.hours))

        session.context, session.sink, session.review = self, hear, reviewed

    def __call__(self, said: str, messages: Sequence[Message]) -> Shown:
        """What is shown in a turn: confirmed wishes, and memories of other talks."""
        found = recall(self.stream, said, self.k + len(self._said), weights=self.weights)
        memories = [recalled.memory for recalled in found if recalled.memory.talk != self.talk][: self.k]
        memories = [memory for memory in memories if memory.kind != "preference"]
        wishes = self.preferences.known(("confirmed",))
        text = "\n\n".join(filter(None, [self.preferences.text(), marked(memories)]))
        return Shown(text, tuple(memory.id for memory in (*wishes, *memories)))

    def hear(self, event: Event) -> None:
        """Remember what an event tells: what the user says, calls that took effect, what a correction changed."""
        if isinstance(event, Asked):
            before = [] if event.amends is None else self._texts[event.amends : event.amends + 1]
            self._texts[event.turn :] = ["\n".join([*before, event.text])]  # turns that were undone are gone
            self._keep(event.text)
        elif isinstance(event, Called) and event.result.ok:
            self._called(event)
        elif isinstance(event, Undone):
            self._undone(event)
        for text, data in self._changes.take(event):
            self.stream.remember(text, who=self.who, kind="correction", talk=self.talk, data=data)
            self.proposed += [memory.id for memory in self.preferences.propose()]

    def _for(self, call: Call) -> str:
        """What was said for a call, and for the one that it amends."""
        return f"{self._of.get(call.amends or '', '')}\n{self._texts[-1]}"

    def _keep(self, text: str) -> None:
        self._told_now = []
        told = " ".join(sentence for sentence in SENTENCE.split(text) if not sentence.rstrip("\"'”’)").endswith("?"))
        try:  # a question tells nothing, and would be what is found when it is asked again
            kept = self.stream.remember(told, who=self.who, talk=self.talk)
            self._said.add(kept.number)
            self._told_now = [kept.number]
        except BadOption:  # nothing to keep: no word in it, or a text of thousands, or pasted marks
            return

    def _called(self, event: Called) -> None:
        call = event.call
        self._of[call.id] = self._for(call)
        if call.tool == "memory.forget" and self._told_now:  # nor is kept what was to be forgotten
            self.stream.forget(Which(tuple(self._told_now)))
        if call.tool.startswith("memory."):  # these keep what there is to keep
            return
        said = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
        try:
            kept = self.stream.remember(
                f"called {call.tool}({said})", who="assistant", kind="call", talk=self.talk, data={"call": call.id}
            )
        except BadOption:  # arguments of thousands of characters
            return
        self._calls[call.id] = kept.number
        self._said.add(kept.number)

    def _undone(self, event: Undone) -> None:
        for call in event.call_ids:
            if call in self._calls:
                states = ("undone", ("live",)) if not event.redone else ("live", ("undone",))
                self.stream.set_state(self._calls[call], *states)  # type: ignore[arg-type]


class Changes:
    """Takes the events of one talk in order; `take` gives the arguments that the last one changed, each as a memory:
    its words and its data. What is undone again teaches nothing more, but was said."""

    def __init__(self) -> None:
        self._said, self._calls, self._amended = "", dict[str, Call](), set[str]()

    def take(self, event: Event) -> tuple[tuple[str, dict[str, Any]], ...]:
        """The arguments that a call just made has otherwise than the call it amends."""
        if isinstance(event, Asked):
            self._said = event.text
        elif isinstance(event, Corrected):
            self._said = event.correction.text
        elif isinstance(event, Undone) and not event.redone:
            self._amended |= set(event.call_ids)
        elif isinstance(event, Called) and event.result.ok:
            self._calls[event.call.id] = event.call
            return tuple(self._changed(event.call))
        return ()

    def _changed(self, call: Call) -> Iterator[tuple[str, dict[str, Any]]]:
        old = self._calls.get(call.amends or "")
        if old is None or old.id not in self._amended or old.tool != call.tool:
            return
        for name, now in call.arguments.items():
            was = old.arguments.get(name)
            if was != now:
                beside = {other: value for other, value in call.arguments.items() if other != name}
                data = {"tool": call.tool, "argument": name, "was": was, "now": now, "beside": beside, "call": call.id}
                yield f"corrected {name} of {call.tool} from {was!r} to {now!r}: “{self._said}”", data
