"""Whole talks over a random small toolbox as any strategy leads them, as the exchanges that a net learns from.

`dialogue(number, held_out=False)` is deterministic. Each takes up to five tools (or the calendar's), gives them other
names, draws a talk with corrections (teach/dialogues.py, simulate.py), and lets the real strategy ask an oracle;
what it asks goes through the same `Brief` that the model reads with. Knows no tokens.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from random import Random
from typing import Any

from toolmend.messages import Call, CallResult, Message, Reply, Request, ToolSpec
from toolmend.models.builtin.brief import Turns, headed, written
from toolmend.reading import read_python
from toolmend.strategies import WORDS, Act, Ask, Say, Strategy, TakeBack, Talk, load_strategy
from toolmend.tools import Toolbox
from toolmend.training.meaning import Exchange
from toolmend.training.schemas.given import given
from toolmend.training.schemas.oracle import FAILING, Oracle
from toolmend.training.schemas.prompts import brief
from toolmend.training.schemas.toolboxes import Dressed, Wardrobe, dress
from toolmend.training.schemas.tools import Kit, kits
from toolmend.training.simulate import simulate
from toolmend.training.teach.dialogues import Talks
from toolmend.training.teach.requests import Requests

STRATEGIES = {"oneline": 30, "native": 24, "react": 16, "freyr": 20, "freyr_paper": 10}
ROLES = {"main": 1.0, "intent": 1.0, "params": 1.0, "summary": 0.12, "chat": 0.5}
CALENDAR = 0.2
MOST, TOOLBOXES = 5, 400
_CALENDAR = {
    "action.add_calendar_entry": Wardrobe(
        ("add_calendar_entry", "create_event", "new_appointment", "schedule", "add_entry"),
        ("Add an entry to the calendar.", "Put an appointment into the calendar."),
        {"title": ("title", "name", "subject"), "date": ("date", "day", "on"), "time": ("time", "start", "at"),
         "duration": ("duration", "minutes", "length")},
    ),
    "action.remove_calendar_entry": Wardrobe(
        ("remove_calendar_entry", "delete_event", "cancel_appointment", "unschedule", "remove_entry"),
        ("Remove an entry from the calendar.", "Take an appointment out of the calendar."),
        {"title": ("title", "name", "subject"), "date": ("date", "day", "on"), "time": ("time", "start", "at")},
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """One question to the model and the right answer: what stands before the talk, the talk, the answer."""

    head: str
    turns: Turns
    answer: str
    op: str
    role: str


def dialogue(number: int, held_out: bool = False, strategy: str = "") -> list[Exchange]:
    """One thread of a talk as exchanges; of `strategy`, or of any."""
    random = Random(number * 2 + held_out)
    name = strategy or random.choices(list(STRATEGIES), list(STRATEGIES.values()))[0]
    specs, robes, said = _said(number // 2, held_out)
    dressed = dress(specs, robes, random)
    threads = list(_threads(_asked(said, dressed, load_strategy(name), random)))
    if not threads:  # nothing but a wrong reply was said
        return dialogue(number + 1_000_000_007, held_out, strategy)
    weights = [ROLES[thread[-1][0].role] for thread in threads]
    return _exchanges(random.choices(threads, weights)[0])


# ---- what is said


@lru_cache(maxsize=4)
def _said(number: int, held_out: bool) -> tuple[tuple[ToolSpec, ...], dict[str, Wardrobe], list[Exchange]]:
    """The tools under their own names, what else they may be called, and what is said; two dialogues share it."""
    random = Random(number * 2 + held_out)
    chosen, talks = _toolbox(random.randrange(TOOLBOXES), held_out)
    if random.random() < CALENDAR:
        chosen, specs = chosen[: random.randint(0, 2)], _calendar()
        said = simulate(number, held_out=held_out, turns=(1, 4))
    else:
        specs = ()
        said = talks.dialogue(number, held_out=held_out)
    robes = {kit.spec.full_name: Wardrobe(kit.names, kit.abouts, kit.arguments) for kit in chosen} | _CALENDAR
    return (*specs, *(kit.spec for kit in chosen)), robes, said


@lru_cache(maxsize=2 * TOOLBOXES)
def _toolbox(number: int, held_out: bool) -> tuple[list[Kit], Talks]:
    random = Random(f"{number}/{held_out}")
    chosen = random.sample(kits(held_out), random.randint(1, MOST))
    templates = [template for kit in chosen for template in kit.templates]
    held = [template.name for template in templates] if held_out else ()
    return chosen, Talks(Requests([kit.spec for kit in chosen], (), templates, held), turns=(1, 3))


@cache
def _calendar() -> tuple[ToolSpec, ...]:
    return tuple(Toolbox.load("calendar").specs)


# ---- how a strategy asks


@dataclass
class _History:
    """The talk so far, as a session keeps it."""

    messages: list[Message] = field(default_factory=list)

    def add(self, said: str, words: str, calls: Sequence[Call] = (), results: Sequence[CallResult] = ()) -> None:
        """A turn that is over."""
        self.messages += [
            Message("user", said),
            Message("assistant", words, calls=tuple(calls), results=tuple(results)),
        ]


def _asked(said: Sequence[Exchange], dressed: Dressed, strategy: Strategy, random: Random) -> Iterator[Asked]:
    """Everything that the strategy asks in a talk; after a wrong reply only what became of it goes on."""
    history, old = _History(), tuple(_old_specs(dressed))
    system = given(dressed.specs, random, api=strategy.name == "oneline")
    for exchange in said:
        reading = read_python(exchange.reply, old)
        calls = tuple(map(dressed.call, reading.calls))
        text = dressed.text(exchange.user)
        words = "" if calls else dressed.text(exchange.reply)
        if not exchange.gold:
            results = tuple(CallResult(f"c{place}") for place in range(len(calls)))
            said_so = "\n".join(written(call, dressed.specs) for call in calls) if strategy.name == "oneline" else ""
            history.add(text, said_so or words, calls, results)
            continue
        oracle = Oracle(dressed.specs, calls, words, random, fails=bool(calls) and random.random() < FAILING)
        talk = Talk(dressed.specs, (*history.messages, Message("user", text)), system)
        turn = _turn(strategy, talk, oracle, exchange.op)
        forgotten = strategy.name == "freyr_paper" and exchange.op.startswith(("fix", "change", "groundless", "answer"))
        closing = _unheard(turn) if forgotten else (yield from turn)
        history.add(text, closing, [call for call, _ in oracle.made], [result for _, result in oracle.made])


def _old_specs(dressed: Dressed) -> Iterator[ToolSpec]:
    """Specs under the old names, as far as reading calls needs them."""
    new = {spec.full_name: spec for spec in dressed.specs}
    for old, name in dressed.renamed.items():
        receiver, _, bare = old.rpartition(".")
        back = {mine: each for each, mine in dressed.arguments[old].items()}
        order = [name for name in dressed.arguments[old]]
        schemas = {back[mine]: schema for mine, schema in new[name].properties.items()}
        parameters = {"type": "object", "properties": {each: schemas[each] for each in order}}
        yield ToolSpec(bare, "", {**parameters, "required": [back[each] for each in new[name].required]}, receiver)


def _turn(strategy: Strategy, talk: Talk, oracle: Oracle, op: str) -> Generator[Asked, None, str]:
    """One turn of the strategy with the oracle; what is asked on the way, and at last the words it ends with."""
    flow, words = strategy.turn(talk), ""
    sent: Any = None
    while True:
        try:
            step = flow.send(sent)
        except StopIteration:
            return words
        sent = None
        if isinstance(step, Ask):
            sent, answer = oracle.reply(strategy.name, step)
            words = "" if sent.calls else sent.text
            head, turns = brief().read(Request(step.messages, step.tools))
            yield Asked(head, turns, answer, f"{strategy.name} {_kind(step.role, sent, oracle, op)}", step.role)
        elif isinstance(step, Act):
            sent = oracle.results(step.calls)
        elif isinstance(step, TakeBack):
            sent = ()
        elif isinstance(step, Say):
            words = step.text


def _unheard(turn: Generator[Asked, None, str]) -> str:
    """The words a turn ends with, of which nothing is learned: its history is forgotten, so nobody could answer."""
    while True:
        try:
            next(turn)
        except StopIteration as end:
            return str(end.value)


def _kind(role: str, reply: Reply, oracle: Oracle, op: str) -> str:
    """What the answer is, as the exam counts it."""
    if role == "intent":
        return "intents"
    if not oracle.due or role in WORDS or (not reply.calls and reply.text.endswith(oracle.closing)):
        return "words"
    return "fix" if op.startswith("fix") else "values" if role == "params" else "call"


# ---- as exchanges


def _threads(asked: Iterator[Asked]) -> Iterator[list[tuple[Asked, int]]]:
    """Questions whose talk goes on from one another, together; with the length of each one's talk."""
    threads: list[list[tuple[Asked, int]]] = []
    for each in asked:
        for thread in threads:
            last = thread[-1][0]
            before = [*last.turns, ("assistant", last.answer)]
            if last.head == each.head and each.turns[: len(before)] == before:
                thread.append((each, len(each.turns)))
                break
        else:
            threads.append([(each, len(each.turns))])
    yield from threads


def _exchanges(thread: Sequence[tuple[Asked, int]]) -> list[Exchange]:
    """The thread as what was said and answered; only answers of the oracle are learned from."""
    last = thread[-1][0]
    gold = {length: each for each, length in thread}
    turns = [*headed(last.head, last.turns), ("assistant", last.answer)]
    made = []
    for place in range(0, len(turns) - 1, 2):
        each = gold.get(place + 1)
        made.append(Exchange(turns[place][1], turns[place + 1][1], each is not None, each.op if each else ""))
    return made
