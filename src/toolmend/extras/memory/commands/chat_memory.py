"""What `toolmend chat --memory` says and asks about what it remembers. The rules are those of the room memory."""

from __future__ import annotations

from collections.abc import Callable

from toolmend.apps.cli.kit import screen
from toolmend.evals.store.place import default_place
from toolmend.extras.memory import Remembering, Stream, Which
from toolmend.extras.memory.memory import number_of
from toolmend.extras.memory.usual import usual
from toolmend.session import Session


class Remembered:
    """A talk that remembers in a namespace. What is proposed is asked about once; a yes that follows confirms it."""

    def __init__(self, session: Session, stream: Stream, tell: Callable[[str], None]) -> None:
        """Join the session; `tell` shows a line."""
        self.session, self.stream, self._tell = session, stream, tell
        self._known, self._asked = Remembering(stream), ""
        self._known.joins(session)

    def take(self, text: str) -> bool:
        """Whether a line is a yes to what was asked, or says what is usual: then nothing more is to be done."""
        waiting, self._asked = self._asked, ""
        if waiting and text.lower().strip(" .!") in ("y", "yes"):
            wish = self._known.preferences.confirm(waiting)
            self._tell(f"from now on: {wish.text} ({wish.id}; /memory shows, /memory forget {wish.id} takes it back)")
            return True
        if told := usual(text, self.session.tools.specs):
            self._ask(self._known.preferences.prefer(told.tool, told.argument, told.value, when=told.when).id)
        return told is not None

    def ask(self) -> None:
        """Put the last of what corrections proposed to the person."""
        if self._known.proposed:
            self._ask(self._known.proposed.pop())
            self._known.proposed.clear()

    def command(self, rest: str) -> None:
        """`/memory`: what holds; `/memory forget ID`: no more, for good. Raises UnknownName, BadOption."""
        word, _, name = rest.partition(" ")
        if word == "forget":
            self.stream.get(name)
            gone = self.stream.forget(Which((number_of(name),)))
            self._tell(f"forgotten: {', '.join(f'm{number}' for number in gone)}")
            return
        known = self._known.preferences.known(("confirmed", "proposed"))
        for wish in known:
            self._tell(f"{wish.id} ({wish.state}): {wish.text}")
        more = f"toolmend memory list --namespace {self.stream.namespace}"
        self._tell(f"{'all of it' if known else 'no wish is known; all of it'}: {more}")

    def _ask(self, name: str) -> None:
        self._asked = name
        later = f"toolmend memory preferences --namespace {self.stream.namespace} --confirm {name}"
        self._tell(f"{self.stream.get(name).text}? y, or later: {later}")


def remembered(session: Session, store: str | None, namespace: str) -> Remembered:
    """A talk that remembers in a namespace, beside whoever hears its events already; its stream is to be closed."""
    return Remembered(session, Stream(store or default_place(), namespace), screen.note)
