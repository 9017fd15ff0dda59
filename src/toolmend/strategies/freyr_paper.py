"""Freyr as published: the parsing and the retries of the paper's code (gallorob/freyr at 214d353, Apache-2.0), rule by
rule, without its `eval` and without its crashes. What raised there is a flag `as_published`, and the end of the turn.

The prompts say the same as the published ones in other words, and for any toolbox; `freyr` mends what is lost here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolmend.base.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading
from toolmend.strategies.history import told
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.resuming import IntentsRecord, Record, Round
from toolmend.strategies.retries import faults
from toolmend.strategies.strategy import Act, Ask, Flag, Flow, Say, Step, Talk

TALK = "conversation"
ESCAPE = "OpError"
MOST = 10
RETRIES = 3
RAISED = "as_published"

_PROMPTS = ("freyr_paper_intent", "freyr_paper_params", "freyr_paper_summary", "freyr_paper_chat")
_NOTHING = ("None", "N/A", "null")
_DEFAULTS: dict[str, Any] = {"string": "", "integer": 0, "number": 0.0}


class _Raised(Exception):
    """What the published code raised at this point."""


@dataclass
class FreyrPaper:
    """The published rules; where they stand in its code (1.x: sections of the project's notes on it) in brackets.

    - [1.2] History: what was said after the last turn that made calls; earlier talk is forgotten. All of it is sent in
      the role of the user, lines begin with "Designer:" or "Colleague:".
    - [1.1] Intents: the text before the first blank line, split at commas. No name is checked, nothing is asked again.
      The operation for plain talk is shown as "conversation (msg)" and looked for as "conversation".
    - [1.2] No intent at all, and more than 10, raise. The first being talk, the chat module answers; later ones are
      skipped.
    - [1.1] Values: the text before the first blank line; each line is split at the first ":" (one without raises);
      every "-" is taken out of the name, every ":" and quote out of the value; None, N/A and null are the type's empty
      value; what is only digits becomes a number (a leading 0 raises); a number's parameter with anything else raises,
      and so does a parameter that there is not.
    - [1.2] One try and three more, only where the world refuses or an argument is missing. The error, the values and
      the word OpError are sent as the user; a reply with that word drops the operation and the next one follows.
      After the last try all later intents are skipped. Nothing done before is taken back.
    - [1.2] Whatever else is wrong (a type, a tool that fails) counts as done.
    - [1.1] Summary: the results, joined by "; ", and the world after them; neither the request nor the history.
    """

    name = "freyr_paper"
    bare = False
    as_published = True  # no word is taken for a value: the published world refused it
    roles = ("intent", "params", "summary", "chat")

    @property
    def prompt_hash(self) -> str:
        """That of all four prompt files."""
        return digest(*_PROMPTS)

    def turn(self, talk: Talk) -> Flow:
        """Intents, each one's values, the summary; or talk."""
        turn = _Turn(talk)
        try:
            yield from turn.flow()
        except _Raised as raised:
            yield Flag(RAISED, str(raised))
            yield Say("")

    def system_text(self, talk: Talk) -> str:
        """The prompt of the intents."""
        return _Turn(talk).prompt("freyr_paper_intent")

    def resume(self, rounds: Sequence[Round], tools: Sequence[ToolSpec], *, whole: bool) -> Record:
        """The calls as intents, each with its values in lines."""
        return _ListsRecord(rounds, tools, whole=whole)


class _ListsRecord(IntentsRecord):
    def written(self, call: Call) -> str:
        texts = (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for value in call.arguments.values()
        )
        return "\n".join(f"- {name}: {text}" for name, text in zip(call.arguments, texts, strict=True))


@dataclass
class _Turn:
    talk: Talk
    results: list[str] = field(default_factory=list)

    def flow(self) -> Flow:
        """The whole turn."""
        reply: Reply = yield Ask(self._messages("freyr_paper_intent"), role="intent")
        names = [name.strip() for name in _head(reply.text).split(",") if name.strip()]
        if len(names) > MOST:
            raise _Raised(f"{len(names)} intents, more than {MOST}")
        if not names:
            raise _Raised("no intent in the reply")
        if names[0] == TALK:
            yield Ask(self._messages("freyr_paper_chat"), role="chat")
            return
        for name in names:
            if name != TALK and not (yield from self._perform(name)):
                break
        system = Message("system", self.prompt("freyr_paper_summary"))
        yield Ask((system, Message("user", "; ".join(self.results))), role="summary")

    def _perform(self, name: str) -> Generator[Step, Any, bool]:
        """One operation; False when its tries are over."""
        spec = next((tool for tool in self.talk.tools if name in (tool.full_name, tool.name)), None)
        if spec is None:
            raise _Raised(f"there is no operation {name!r}")
        messages = list(self._messages("freyr_paper_params", spec))
        refused: dict[str, CallResult] = {}  # the same values are refused in the same way: no need to run them again
        for _ in range(1 + RETRIES):
            reply: Reply = yield Ask(tuple(messages), role="params")
            if ESCAPE in reply.text:
                self.results.append(f"{name} could not be carried out.")
                return True
            call = Call(spec.full_name, values(reply.text, spec))
            if repr(call) not in refused:
                (refused[repr(call)],) = yield Act((call,), Reading((call,)))
            result = refused[repr(call)]
            if not _counts(result):
                self.results.append(told(result))
                return True
            again = (
                f"The operation failed: {faults((result,))[0].told}\nIts values were: {dict(call.arguments)}\n"
                f"Write the list again with other values, or write {ESCAPE} if it cannot be carried out."
            )
            messages.append(Message("user", again))
        self.results.append(f"End of retries for {name}: {faults((result,))[0].told}")
        return False

    def prompt(self, name: str, spec: ToolSpec | None = None) -> str:
        """The system text of a module, with the world as it is now."""
        about = {tool.full_name: " ".join(tool.description.split()) for tool in self.talk.tools}
        properties = spec.properties if spec else {}
        return render(
            name,
            system=self.talk.system,
            world=self.talk.view(),
            example=", ".join((2 * [*about])[:2]),
            operations={**about, f"{TALK} (msg)": "the designer only talks to you"},
            operation=spec.full_name if spec else "",
            parameters={key: str(schema.get("description", "")) for key, schema in properties.items()},
        )

    def _messages(self, name: str, spec: ToolSpec | None = None) -> tuple[Message, ...]:
        said = self.talk.messages
        since = max((place + 1 for place, message in enumerate(said) if message.calls), default=0)
        lines = (
            f"{'Designer' if message.role == 'user' else 'Colleague'}: {message.content}" for message in said[since:]
        )
        return (Message("system", self.prompt(name, spec)), *(Message("user", line) for line in lines))


def values(text: str, spec: ToolSpec) -> dict[str, Any]:
    """The values in a bulleted list, by the published rules. Raises what stands for the published code's exceptions."""
    found: dict[str, Any] = {}
    for line in filter(str.strip, _head(text).split("\n")):
        written, sign, rest = line.partition(":")
        if not sign:
            raise _Raised(f"a line of values without ':': {line.strip()[:80]!r}")
        name = written.replace("-", "").strip()
        if name not in spec.properties:
            raise _Raised(f"{spec.full_name} has no parameter {name[:80]!r}")
        value = rest.replace(":", "").replace('"', "").replace("'", "").strip()
        found[name] = _typed(value, str(spec.properties[name].get("type", "string")), name)
    return found


def _typed(value: str, kind: str, name: str) -> Any:
    if not value or value in _NOTHING:
        return _DEFAULTS.get(kind, "")
    number = re.fullmatch(r"-?(\d{1,300})(\.\d{0,300})?", value, re.ASCII)
    if kind not in ("integer", "number"):
        return value
    if number is None or (len(number[1]) > 1 and number[1].startswith("0") and not number[2]):
        raise _Raised(f"{name} is no number: {value[:80]!r}")
    return float(value) if number[2] else int(value)


def _counts(result: CallResult) -> bool:
    """Whether an error is one that is tried again: a refusal of the world, or a missing argument."""
    return result.fault == "refused" or (result.fault == "arguments" and "is missing" in str(result.error))


def _head(text: str) -> str:
    """The text before the first blank line."""
    return re.split(r"\n[ \t]*\n", text.strip(), maxsplit=1)[0]
