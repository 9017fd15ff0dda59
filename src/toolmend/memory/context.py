"""Memory in a talk: what is known enters through `Session(context=…)`, what happens comes back through its events.

    with Stream("memory.db", "anna") as stream:
        chat = Session("ollama/qwen3", "calendar")
        Remembering(stream).joins(chat)

Nothing that was recalled is heard again: it stands in no message and no event, and the assistant's words are not kept.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from toolmend.errors import BadOption
from toolmend.events import Asked, Called, Event, Undone
from toolmend.memory.answers import SENTENCE
from toolmend.memory.learning import Reader
from toolmend.memory.marks import marked
from toolmend.memory.preferences import Preferences
from toolmend.memory.recall import USUAL, Weights, recall
from toolmend.memory.relevance import Relevance
from toolmend.memory.stream import Stream
from toolmend.memory.usual import filled
from toolmend.memory.which import Which
from toolmend.memory.window import Window
from toolmend.mend.grounds import Heard
from toolmend.messages import Call, Message
from toolmend.session import Session, Shown


class Remembering:
    """One talk that remembers. `k` memories at most are shown in a turn, `window` shortens the talk itself.

    Of another talk make another one. `proposed` are the preferences that this talk's corrections led to.
    """

    def __init__(
        self,
        stream: Stream,
        *,
        k: int = 5,
        weights: Weights = USUAL,
        relevance: Relevance | None = None,
        window: Window | None = None,
        who: str = "user",
        talk: str = "",
    ) -> None:
        self.stream, self.k, self.weights, self.relevance = stream, k, weights, relevance
        self.window, self.who, self.talk = window, who, talk or uuid.uuid4().hex[:12]
        self.preferences = Preferences(stream)
        self.proposed: list[str] = []
        self._reader = Reader()
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
        """What is shown in a turn: confirmed wishes, memories of other talks, a summary of what no longer fits."""
        found = recall(self.stream, said, self.k + len(self._said), weights=self.weights, relevance=self.relevance)
        memories = [each.memory for each in found if each.memory.talk != self.talk][: self.k]
        memories = [each for each in memories if each.kind != "preference"]
        wishes = self.preferences.known(("confirmed",))
        summary, kept = self.window(messages) if self.window else ("", None)
        text = "\n\n".join(filter(None, [self.preferences.text(), marked(memories), summary]))
        return Shown(text, tuple(each.id for each in (*wishes, *memories)), kept)

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
        for change in self._reader.take(event):
            data = {**change.data, "call": change.call}
            self.stream.remember(change.text, who=self.who, kind="correction", talk=self.talk, data=data)
            self.proposed += [each.id for each in self.preferences.propose()]

    def _for(self, call: Call) -> str:
        """What was said for a call, and for the one that it amends."""
        return f"{self._of.get(call.amends or '', '')}\n{self._texts[-1]}"

    def _keep(self, text: str) -> None:
        self._told_now = []
        told = " ".join(each for each in SENTENCE.split(text) if not each.rstrip("\"'”’)").endswith("?"))
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
