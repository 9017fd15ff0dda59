"""Models without a model: canned replies, and the recording and replaying of another one. Public; every test uses them.

Scripted(["action.add(…)", "…"])      in order, over and over; a function of the request works too
Recorded(model)                        passes on and remembers; .save(path)
Replayed.load(path)                    answers requests it has seen, anything else is a ModelError
scripted/echo  scripted/idle  scripted/oracle  scripted/PATH.jsonl    by name
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from anyio import to_thread

from toolmend.base.errors import BadFile, ModelError, UnknownName
from toolmend.base.messages import Reply, Request, Usage
from toolmend.models.model import Abilities, Model, OnDelta
from toolmend.models.unmet import broken
from toolmend.models.wrapped import from_row, request_key, to_row

Answer = str | Reply
Script = Sequence[Answer] | Callable[[Request], Answer]


class Scripted:
    """Canned replies: a sequence given one after the other and over again, or a function of the request."""

    abilities = Abilities(native_tools=True, streaming=True)

    def __init__(self, script: Script, name: str = "scripted/canned") -> None:
        if not callable(script) and not script:
            raise ValueError("a script needs at least one reply")
        self.name, self._script, self.requests = name, script, list[Request]()

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The next reply. Every request is kept in `requests`."""
        self.requests.append(request)
        answer = (
            self._script(request)
            if callable(self._script)
            else self._script[(len(self.requests) - 1) % len(self._script)]
        )
        if isinstance(answer, Reply):
            reply = answer
        elif request.constraint:  # a schema can take long
            reply = await to_thread.run_sync(self._made, request, answer)
        else:
            reply = self._made(request, answer)
        if on_delta and reply.text:
            on_delta(reply.text)
        return reply

    def _made(self, request: Request, text: str) -> Reply:
        unmet = tuple(broken(request.constraint, text)) if request.constraint else ()
        return Reply(text, usage=_count(request, text), model=self.name, unmet=unmet)


class Recorded:
    """Another model, with every request's hash and reply remembered."""

    def __init__(self, model: Model) -> None:
        self.name, self.abilities, self._model = model.name, model.abilities, model
        self.replies: dict[str, Reply] = {}

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The other model's reply."""
        reply = await self._model.reply(request, on_delta=on_delta)
        self.replies[request_key(request)] = reply
        return reply

    def save(self, path: Path) -> None:
        """One JSON line per reply: {"request": hash, "text": …, "input_tokens": …, "output_tokens": …}.

        Native calls, reasoning, how it finished and whether it was truncated follow where they are not the usual.
        """
        rows = [{"request": key, **to_row(reply)} for key, reply in self.replies.items()]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")


class Replayed:
    """Answers from a recording, by the hash of the whole request."""

    abilities = Abilities(native_tools=True)

    def __init__(self, rows: Mapping[str, Reply], name: str) -> None:
        self.name, self._rows = name, dict(rows)

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The recorded reply. Raises ModelError for a request that was not recorded."""
        reply = self._rows.get(request_key(request))
        if reply is None:
            raise ModelError(f"{self.name}: this request was not recorded (messages, tools or options differ)")
        if on_delta:
            on_delta(reply.text)
        return reply

    @classmethod
    def load(cls, path: Path) -> Replayed:
        """Read a recording. Raises BadFile with the line that is broken."""
        rows: dict[str, Reply] = {}
        try:
            text = path.read_text(encoding="utf-8", errors="surrogatepass").rstrip("\n")
        except (OSError, ValueError) as error:
            raise BadFile(path, f"no readable recording ({error})") from error
        for number, line in enumerate(text.split("\n") if text else [], 1):
            try:
                row = json.loads(line)
                rows[str(row["request"])] = from_row(row, f"scripted/{path}")
            except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
                raise BadFile(path, f"not a recorded reply ({error})", number) from error
        return cls(rows, f"scripted/{path}")


class Untold:
    """scripted/oracle before a run tells it a suite's right replies: it has none of its own."""

    name = "scripted/oracle"
    abilities = Abilities(native_tools=True)

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """Nothing. Raises ModelError: only `toolmend run` knows what is right."""
        raise ModelError(f"{self.name} only answers in runs of a suite, which tell it what is right")


def load(name: str) -> Scripted | Replayed | Untold:
    """scripted/echo repeats the last request, scripted/idle says nothing, scripted/oracle says what a suite says is
    right, scripted/PATH.jsonl replays a recording."""
    if name.endswith(".jsonl"):
        return Replayed.load(Path(name))
    if name == "oracle":
        return Untold()
    if name not in _NAMED:
        raise UnknownName("scripted model", name, [*_NAMED, "oracle", "PATH.jsonl"])
    return Scripted(_NAMED[name], f"scripted/{name}")


def _count(request: Request, text: str) -> Usage:
    words = sum(len(message.content.split()) for message in request.messages)
    return Usage(words, len(text.split()))


_NAMED: dict[str, Callable[[Request], Answer]] = {
    "echo": lambda request: request.messages[-1].content,
    "idle": lambda request: "",
}
