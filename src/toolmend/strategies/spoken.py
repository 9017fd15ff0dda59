"""The model says which tool, and which words belong to which argument; what they mean is computed here.

The notation is docs/notation.md's. One request; the reply becomes full calls, edits of earlier ones, or one question to
the person. What is kept between turns is the talk itself: an open question is found again in the last messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, Constraint, Message, Reply, ToolSpec
from toolmend.language.resolve.background import Background, Computed, Open, Question
from toolmend.language.resolve.calls import compute
from toolmend.language.resolve.flaws import flaws, shared
from toolmend.language.resolve.restated import restated
from toolmend.language.resolve.said import NOTATION, Said, unquoted
from toolmend.reading import Reading
from toolmend.reading.reading import Problem
from toolmend.reading.render import render
from toolmend.reading.spoken import SpokenReading, read_spoken, write_spoken
from toolmend.strategies.shortlist import shortened, tools_option
from toolmend.strategies.spoken_grammar import spoken_lines
from toolmend.strategies.spoken_question import sentence
from toolmend.strategies.spoken_signature import spoken_spec, spoken_system
from toolmend.strategies.strategy import Act, Ask, Flow, Say, Step, TakeBack, Talk

TAKEN_BACK = "Taken back."


@dataclass
class Spoken:
    """Ask once, read the words, compute the calls. The suite's own system text is not used: it names another notation.

    `structured` asks the engine to let nothing through but this notation (spoken_grammar.py); `describe` adds what the
    tools and their parameters are for, which a model needs that was not taught the toolbox; of more than `tools` it is
    shown those that fit best (shortlist.py).
    """

    structured: bool = False
    describe: bool = False
    tools: int = tools_option()

    name = "spoken"
    bare = True
    once = True
    edits = True  # its calls say themselves which earlier ones they replace
    computes = True  # what counts is not what the model wrote

    @property
    def prompt_hash(self) -> str:
        """That of the lines that are always there, and of the version of the notation."""
        return hashlib.sha256(f"{NOTATION}\n{spoken_system((), {})}".encode()).hexdigest()[:12]

    def turn(self, talk: Talk) -> Flow:
        """One request, one reply, its calls or its question."""
        talk = shortened(_plain(talk), self.tools)
        background = talk.background()
        shown = tuple(spoken_spec(spec, background.named) for spec in talk.tools)
        told, now = talk.messages[:-1], talk.messages[-1]
        told = told[:-2] if background.anew else told  # the question and what it was asked for are of no interest now
        background = _remembered(told, talk.tools, shown, background)
        system = spoken_system(talk.tools, background.named, describe=self.describe)
        constraint = spoken_lines(shown) if self.structured and talk.tools else None
        for before, against in self._tries(told, now.content, talk, background):
            messages = (Message("system", system), *_history(before, shown), Message(now.role, now.content))
            reply: Reply = yield Ask(messages, constraint=constraint)
            said = _read(reply.text, talk.tools, shown)
            computed = compute(said.lines, talk.tools, replace(against, text=now.content))
            if self.describe and background.begins and len(said.lines) == 1 and not said.broken:
                other = yield from self._instead(talk, said, messages, replace(against, text=now.content))
                reply, said, computed = other or (reply, said, computed)
            if computed.calls and not computed.question and not said.broken:
                break
        if computed.question and not said.broken:
            text = sentence(computed.question, talk.tools)
            yield Say(text, reply.text, computed.open)
            yield Act((), Reading((), text, said.leniencies, "no_call"))
            return
        if computed.undo:
            yield TakeBack(computed.undo)
        calls = _real(computed.calls)
        if said.lines:
            yield Say(_text(calls, talk.tools, said.rest), reply.text)
        problem: Problem | None = "syntax" if said.broken else None if calls else "no_call"
        yield Act(calls, Reading(calls, said.rest, said.leniencies, problem, said.broken))

    def _instead(
        self, talk: Talk, said: SpokenReading, messages: Sequence[Message], background: Background
    ) -> Generator[Step, Any, tuple[Reply, SpokenReading, Computed] | None]:
        """Where the words speak against the tool that was chosen: what the model says without it, and without the next
        one, as long as something speaks against that; the calls that the least speaks against, of a tool that has no
        fewer words in common with the request (language/resolve/flaws.py)."""
        text, tools, chosen, best = background.text, talk.tools, said.lines, None
        named = _named(talk.tools)
        least = flaws(chosen, named, text)
        common = shared(named[chosen[0].tool], text) if least else 0
        while least and chosen:
            tools = tuple(tool for tool in tools if chosen[0].tool not in (tool.name, tool.full_name))
            if not tools:
                break
            shown = tuple(spoken_spec(spec, background.named) for spec in tools)
            system = Message("system", spoken_system(tools, background.named, describe=self.describe))
            constraint = spoken_lines(shown) if self.structured else None
            reply: Reply = yield Ask((system, *messages[1:]), constraint=constraint)
            other = _read(reply.text, tools, shown)
            computed = compute(other.lines, tools, background)
            left = flaws(other.lines, _named(tools), text)
            chosen = tuple(line for line in other.lines[:1] if line.tool in _named(tools))
            fits = computed.calls and not computed.question and not other.broken and left < least
            if fits and chosen and shared(named[chosen[0].tool], text) >= common:
                least, best, common = left, (reply, other, computed), shared(named[chosen[0].tool], text)
        return best

    def _tries(
        self, told: Sequence[Message], text: str, talk: Talk, background: Background
    ) -> Iterator[tuple[Sequence[Message], Background]]:
        """What is said before the sentence, and what its words are computed against. Beside its own wrong reply a model
        that was not taught the tools repeats it: a correction that says all once more is read by itself first."""
        request = next((message.content for message in reversed(told) if message.role == "user"), "")
        if self.describe and (background.amended or background.open) and restated(text, request, talk.tools):
            yield (), replace(background, amended=(), open=None)
        yield told, background

    def calling(self, specs: Sequence[ToolSpec], named: Mapping[str, Mapping[str, str]]) -> Constraint:
        """What leaves a model nothing but calls, and no question."""
        return spoken_lines([spoken_spec(spec, named) for spec in specs], words=False)

    def system_text(self, talk: Talk) -> str:
        """The tools in the spoken notation."""
        talk = shortened(talk, self.tools)
        return spoken_system(talk.tools, talk.background().named, describe=self.describe)


def _plain(talk: Talk) -> Talk:
    """The talk with what the person put wholly in quotation marks without them."""
    messages = (replace(one, content=unquoted(one.content)) if one.role == "user" else one for one in talk.messages)
    return replace(talk, messages=tuple(messages))


def _named(tools: Sequence[ToolSpec]) -> dict[str, ToolSpec]:
    return {tool.name: tool for tool in tools} | {tool.full_name: tool for tool in tools}


def _read(text: str, tools: Sequence[ToolSpec], shown: Sequence[ToolSpec]) -> SpokenReading:
    """A reply read by the signatures of the notation; a line that has more values than those by the full ones."""
    said, full = read_spoken(text, shown), read_spoken(text, tools)
    if len(said.lines) != len(full.lines):
        return said
    lines = zip(said.lines, full.lines, strict=True)
    return replace(
        said, lines=tuple(other if any(name[0] == "*" for name in one.words) else one for one, other in lines)
    )


def _history(messages: Sequence[Message], shown: Sequence[ToolSpec]) -> list[Message]:
    """What was said: the model's replies as it gave them, calls that were said otherwise with their values."""
    return [
        Message(message.role, _own(message, shown) if message.role == "assistant" else message.content)
        for message in messages
    ]


def _own(message: Message, shown: Sequence[ToolSpec]) -> str:
    if message.own:
        return message.own
    lines = [Said(call.tool, call.arguments) for call in message.calls] or read_spoken(message.content, shown).lines
    return write_spoken(lines, shown) or message.content


def _remembered(
    messages: Sequence[Message], tools: Sequence[ToolSpec], shown: Sequence[ToolSpec], background: Background
) -> Background:
    """The background with the question that is open, and, where nobody keeps the calls, those of the messages."""
    kept = background.calls or background.amended or any(message.calls for message in messages)
    calls, waiting, said = list(background.calls), None, ""
    if not background.calls and not background.amended:
        calls = [call for message in messages for call in _done(message)]
    for message in messages:
        if message.role == "user":
            said = message.content
        if message.role != "assistant":
            continue
        computed = _again(message, tools, shown, replace(background, calls=tuple(calls), text=said, open=waiting))
        waiting = computed.open
        if not kept:
            calls = _after(calls, computed)
    before = "\n".join(message.content for message in messages if message.role == "user")
    return replace(background, calls=tuple(calls), open=waiting, before=before)


def _done(message: Message) -> list[Call]:
    """The calls of a message that took effect, as far as that is known."""
    failed = {result.call_id for result in message.results if not result.ok}
    return [call for call in message.calls if call.id not in failed]


def _again(message: Message, tools: Sequence[ToolSpec], shown: Sequence[ToolSpec], background: Background) -> Computed:
    """What a message of the assistant came to; of known calls one that did not run waits to be put right."""
    if message.calls:
        return Computed(open=_failed(message, tools, shown))
    return compute(_read(message.own or message.content, tools, shown).lines, tools, background)


def _failed(message: Message, tools: Sequence[ToolSpec], shown: Sequence[ToolSpec]) -> Open | None:
    """The only call of a message if its tool failed or nobody let it run: what is said next may put it right."""
    if len(message.calls) != 1 or message.calls[0].amends or not any(result.fault for result in message.results):
        return None
    call, lines = message.calls[0], _read(message.own, tools, shown).lines
    own = len(lines) == 1 and lines[0].tool in (call.tool, call.tool.rpartition(".")[2])
    return Open(lines[0] if own else Said(call.tool, call.arguments), Question(call.tool, ""))


def _after(calls: Sequence[Call], computed: Computed) -> list[Call]:
    """The calls after a reply that nobody kept: under ids that nobody else gives."""
    gone = {*computed.undo, *(call.amends for call in computed.calls)}
    left = [call for call in calls if call.id not in gone]
    first = max((int(call.id[1:]) for call in calls), default=0) + 1
    return [*left, *(replace(call, id=f"*{first + place}", amends=None) for place, call in enumerate(computed.calls))]


def _real(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The calls without the ids that were made up here."""
    return tuple(replace(call, amends=None) if (call.amends or "").startswith("*") else call for call in calls)


def _text(calls: Sequence[Call], tools: Sequence[ToolSpec], rest: str) -> str:
    """The calls in full, as everybody else writes them, and the words beside them."""
    specs = {spec.full_name: spec for spec in tools}
    lines = []
    for call in calls:
        try:
            lines.append(render(call, specs.get(call.tool)))
        except BadOption:  # a name that Python cannot write: it is in the reading
            continue
    return "\n".join(part for part in (*lines, rest) if part) or TAKEN_BACK
