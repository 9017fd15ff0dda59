"""Other names for tools and their parameters, so that a model reads signatures instead of knowing names by heart.

Synonyms, words of the description, abbreviations, other styles of writing, and words nobody has met.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Collection, Mapping
from random import Random

from toolmend.training.adapter.toolkits import MadeTool, Parameter
from toolmend.training.words import made_up

_SYNONYMS: Mapping[str, str] = {
    "add": "create new insert put append record", "remove": "delete drop erase discard", "delete": "remove erase drop",
    "cancel": "abort revoke call_off drop", "get": "fetch show read retrieve", "show": "display get view list",
    "set": "adjust configure change put update", "change": "update modify edit alter set", "start": "begin launch run kick_off",
    "stop": "halt end finish abort", "order": "buy request purchase get", "buy": "purchase order get", "book": "reserve arrange take",
    "reserve": "book hold secure", "send": "post dispatch transmit deliver", "find": "search lookup locate seek",
    "search": "find query lookup", "turn": "switch put", "switch": "turn toggle", "open": "unlock unseal", "close": "shut seal",
    "play": "run start_playing put_on", "log": "record note track write_down", "record": "log note enter",
    "plan": "schedule arrange organise", "schedule": "plan arrange set_up", "make": "create prepare build", "check": "inspect verify look_up",
    "lock": "secure bolt", "remind": "alert nudge notify", "write": "compose draft note", "call": "ring phone dial",
    "water": "irrigate sprinkle", "clean": "wash tidy scrub", "ask": "request query", "pay": "settle transfer", "move": "shift relocate carry",
    "date": "day when on_day on", "time": "at start_time hour clock", "day": "date on_date when", "at": "time start when_time",
    "room": "place area space where", "zone": "area part section", "name": "title label who called", "title": "name heading label",
    "minutes": "duration mins length how_long", "duration": "length minutes how_long", "hours": "duration hrs length",
    "amount": "sum total quantity how_much", "count": "number quantity how_many n", "number": "count quantity no", "level": "strength degree setting",
    "temperature": "temp degrees heat", "person": "who name recipient", "who": "person name for_whom", "to": "recipient target receiver",
    "message": "text body content note", "text": "message body content", "note": "remark comment memo", "reason": "why cause grounds",
    "place": "location where spot", "where": "place location spot", "location": "place where site", "item": "thing article product",
    "items": "things articles list_of", "thing": "item object", "kind": "type sort category", "type": "kind sort category", "size": "dimension format",
    "price": "cost amount value", "budget": "max_price limit funds", "list": "items which_list", "speed": "pace rate", "colour": "color shade tone",
    "guests": "people party visitors heads", "people": "persons guests heads headcount", "until": "end till deadline", "start": "begin from_when first",
    "from_place": "origin source", "destination": "goal to_place target", "volume": "loudness level", "mode": "setting program state",
    "weight": "mass load", "distance": "length how_far range", "child": "kid pupil", "pet": "animal companion", "plant": "crop species",
    "dish": "meal recipe food", "song": "track tune title", "photo": "picture image", "car": "vehicle auto", "trip": "journey tour ride",
    "bill": "invoice charge", "task": "job todo chore", "timer": "countdown alarm", "light": "lamp lighting",
}  # fmt: skip
_SMALL = frozenset("the a an of for to in on at or and with by from is it how long many much when what which one if this that be "
                   "whose who as into out up its all any are where whom whether after before per".split())  # fmt: skip
_PREFIXES = ("do", "my", "api", "svc", "fn", "v2", "home", "app", "x", "run", "cmd", "mod")


def words_of(name: str) -> list[str]:
    """The words of a name in lower case: `startTimer` → start, timer."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def renamed_tool(tool: MadeTool, random: Random, taken: Collection[str], *, nonsense: bool) -> str:
    """A name for a tool that is none of `taken`, and not its own."""
    prefix = words_of(tool.field)[:1]
    ways: list[Callable[[], list[str]]] = [
        lambda: _synonyms(words_of(tool.name), random),
        lambda: _synonyms(words_of(tool.name), random),
        lambda: _content(tool.about)[: random.choice((2, 3, 3))],
        lambda: [*prefix, *words_of(tool.name)],
        lambda: [random.choice(_PREFIXES), *words_of(tool.name)],
        lambda: [_short(word, random) for word in words_of(tool.name)],
        lambda: list(reversed(words_of(tool.name))),
    ]
    return _named(tool.name, ways, random, taken, nonsense=nonsense)


def renamed_parameter(parameter: Parameter, random: Random, taken: Collection[str], *, nonsense: bool) -> str:
    """A name for a parameter that is none of `taken`, and not its own."""
    own = words_of(parameter.name)
    ways: list[Callable[[], list[str]]] = [
        lambda: _synonyms(own, random),
        lambda: _synonyms(own, random),
        lambda: _content(parameter.about)[-1:],
        lambda: _content(parameter.about)[-2:],
        lambda: [_short(word, random) for word in own],
        lambda: [*own, random.choice(("value", "arg", "in", "param", "str"))],
        lambda: [random.choice(("the", "p", "in", "my", "a")), *own],
    ]
    return _named(parameter.name, ways, random, taken, nonsense=nonsense)


def _named(
    old: str, ways: list[Callable[[], list[str]]], random: Random, taken: Collection[str], *, nonsense: bool
) -> str:
    for attempt in range(20):
        chosen = [made_up(random)] if nonsense or attempt > 12 else random.choice(ways)()
        name = _styled(chosen, random)
        if name.isidentifier() and not keyword.iskeyword(name) and name not in (old, *taken):
            return name
    return f"{old}_{len(taken)}"


def _synonyms(own: list[str], random: Random) -> list[str]:
    return [
        part
        for word in own
        for part in (random.choice(_SYNONYMS[word].split()) if word in _SYNONYMS else word).split("_")
    ]


def _content(about: str) -> list[str]:
    return [word for word in re.findall(r"[a-z]+", about.lower()) if word not in _SMALL and len(word) > 2]


def _short(word: str, random: Random) -> str:
    if len(word) < 5:
        return word
    return word[: random.choice((3, 4))] if random.random() < 0.5 else word[0] + re.sub(r"[aeiou]", "", word[1:])


def _styled(parts: list[str], random: Random) -> str:
    style = random.random()
    if style < 0.6 or not parts:
        return "_".join(parts)
    pascal = "".join(part.capitalize() for part in parts)
    if style < 0.8:
        return pascal[:1].lower() + pascal[1:]
    return pascal if style < 0.88 else "".join(parts) if style < 0.95 else "_".join(parts).upper()
