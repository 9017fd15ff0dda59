"""What a person could say, by a tool's signature and description alone: wordings that are proposed, or learned beside
the person's own; and what each parameter takes, with texts to fill it.

    move(crates: int, shelf) "Move crates to a shelf."     Move {crates} crates to {shelf}
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.base.schemas import plain
from toolmend.language.resolve.parameters import typed
from toolmend.training.phrases import first_upper
from toolmend.training.teach.tool_names import TEXTS, plain_name, words_of
from toolmend.training.teach.tool_requests import FIELD
from toolmend.training.teach.toolkits import SAID_UNITS, MadeParameter, ValueKind, toolkits

_FORMATS = ("date", "time", "date-time")
_OWN_WORD = ("to", "from", "for", "at", "by", "with", "in", "on", "until", "since", "before", "after", "about")
_JOINTS = {"date": "on", "time": "at", **dict.fromkeys(("minutes", "hours", "seconds", "days", "weeks"), "for")}
_ARTICLE = r"(?:(?:one or more|an?|the|some|its|your|one|more)\s+(?:\w+\s+)?)?"
_CHANGING = frozenset("set change update adjust raise lower turn move heat cool put".split())
_NAMED = re.compile(r"\w+(?: \w+)? (?:an?|the|one) (?:\w+ ){0,2}\w+(?: to the \w+)?")
_ASIDE = re.compile(
    r"(?P<said>\S+(?:\s+[^\s,]+){2,}?)(?P<aside>"
    r"(?:,\s+(?:and|at|by|for|if|in|or|unless|until|up|when|with|\w+ed by)|\s+(?:that|which|who))\s.*)"
)
_TELLING = re.compile(r"(?:what|which|who|whether|how|when|where|everything|all|every|the|an?)\b", re.IGNORECASE)
_STOCKED = 24
_SPANS = ("half an hour", "90 minutes", "two hours")


def parameters_of(spec: ToolSpec, seen: Mapping[str, Sequence[Any]]) -> dict[str, MadeParameter]:
    """Every value that can be said for a tool, by its slot; `seen` are values of the examples, by slot."""
    parameters: dict[str, MadeParameter] = {}
    for name, schema in spec.properties.items():
        slots = [slot for slot in seen if slot.split(FIELD)[0] == name]
        for slot, one, due in _slots(name, schema, spec.parameters, slots, due=name in spec.required):
            own = slot.split(FIELD)[-1]
            about = str(one.get("description") or plain_name(own))
            parameters[slot] = MadeParameter(slot, _kind(own, one, seen.get(slot, ())), about, due)
    return parameters


def _slots(
    slot: str, schema: Any, root: Mapping[str, Any], seen: Sequence[str], *, due: bool
) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """The slots of one argument, each with its schema and whether it is due: itself, or its fields; of a list of
    objects as many as the examples have, at least one."""
    one = typed(slot.split(FIELD)[-1], plain(schema, root))
    inner = plain(one.get("items"), root) if one.get("type") == "array" else one
    if not inner.get("properties"):
        yield slot, one, due
        return
    places = [""]
    if inner is not one:
        numbers = [int(number) for wording in seen for number in wording.split(FIELD)[1:2] if number.isdigit()]
        places = [f"{FIELD}{place}" for place in range(max(numbers, default=0) + 1)]
    for place in places:
        for key, field in inner["properties"].items():
            needed = due and key in inner.get("required", ()) and place in ("", f"{FIELD}0")
            yield from _slots(f"{slot}{place}{FIELD}{key}", field, root, (), due=needed)


def _kind(name: str, schema: Mapping[str, Any], seen: Sequence[Any]) -> ValueKind:
    """What a slot takes, with texts and bounds from the examples."""
    if schema.get("type") == "array":
        flat = [item for value in seen for item in (value if isinstance(value, list) else [value])]
        return ValueKind("list", item=_kind(name, schema.get("items") or {"type": "string"}, flat))
    choices = [choice for choice in schema.get("enum") or () if choice is not None]
    if choices and all(isinstance(choice, str) for choice in choices):
        return ValueKind("enum", tuple(choices))
    if schema.get("type") == "boolean":
        return ValueKind("yes|no")
    if schema.get("format") in _FORMATS:
        return ValueKind(str(schema["format"]))
    if schema.get("type") in ("integer", "number"):
        if schema.get("x-unit") in SAID_UNITS:
            return ValueKind(str(schema["x-unit"]))
        numbers = [value for value in (*seen, *choices) if isinstance(value, int | float)]
        low = schema.get("minimum", min([1, *numbers]))
        high = schema.get("maximum", max([low + 20, *(2 * number for number in numbers)]))
        whole = schema["type"] == "integer"
        return ValueKind("int" if whole else "number", low=float(low), high=float(high))
    spans = schema.get("format") == "duration"
    return ValueKind("text", tuple(seen) or _SPANS if spans else texts_for(name, seen))


def texts_for(name: str, values: Sequence[Any]) -> tuple[str, ...]:
    """Texts that fill a slot: those of the examples, others like them, and what made-up tools have for such a name."""
    random, seen = Random(name), [str(value) for value in values]
    own = [*seen, *(_like(text, random) for text in seen for _ in range(3) if re.search(r"\d", text))]
    stock = _stock()
    like = [text for word in words_of(name) for text in stock.get(word, ())] or stock[""]
    other = random.sample(like, min(_STOCKED, len(like)))
    return (*own * (1 + _STOCKED // max(1, len(own))), *other)


def _like(text: str, random: Random) -> str:
    """A code of the same form: B7 as C4."""
    return "".join(
        random.choice("123456789") if letter.isdigit()
        else random.choice("ABCDEFGHKLMNPRST") if letter.isupper() and len(re.findall(r"[a-z]", text)) < 2 else letter
        for letter in text
    )  # fmt: skip


@cache
def _stock() -> dict[str, list[str]]:
    """The texts of made-up tools, by the words of their parameters' names; "" for all."""
    stock: dict[str, list[str]] = defaultdict(list)
    for name, texts in TEXTS.items():
        stock[name] += texts.split("; ")
    for kit in toolkits().values():
        for tool in kit:
            for name, parameter in tool.parameters.items():
                kind = parameter.kind.item or parameter.kind
                for word in ("", *words_of(name)) if kind.name == "text" else ():
                    stock[word] += kind.members
    return stock


def wordings_of(spec: ToolSpec, parameters: Mapping[str, MadeParameter], without: str = "") -> list[str]:
    """Five ways to ask for a tool, as templates; `without` the parameter of that slot."""
    said = {slot: parameter for slot, parameter in parameters.items() if slot != without}
    counts = _counts(said)
    must = {slot: one for slot, one in said.items() if one.required and slot not in counts.values()}
    may = {slot: parameter for slot, parameter in said.items() if not parameter.required and FIELD not in slot}
    phrase = _sentence(spec, said, must, counts)
    more = "".join(f"[, {_labelled(slot, parameter)}]" for slot, parameter in may.items())
    name = " ".join(words_of(spec.name))
    filled = {slot: _filled(slot, one, counts) for slot, one in must.items()}
    bare = {slot for slot in filled if slot in counts or must[slot].kind.name == "yes|no"}
    labelled = ", ".join(told if slot in bare else f"{_label(slot)} {told}" for slot, told in filled.items())
    terse = " ".join(filled.values())
    lower = phrase[:1].lower() + phrase[1:]
    if _TELLING.match(phrase):
        asked = [f"(Tell|Show) me {lower}{more}", f"(I'd like to|I want to|Let me) (know|see) {lower}"]
    else:
        asked = [f"(Please|Can you|Could you) {lower}", f"(I'd like to|I want to|I need to|We have to) {lower}{more}"]
    return [
        f"{first_upper(phrase)}{more}",
        *asked,
        f"{first_upper(name)}{': ' if labelled else ', please'}{labelled}{more}",
        f"{name} {terse}".strip() if must else f"{first_upper(name)} now",
    ]


def _counts(said: Mapping[str, MadeParameter]) -> dict[str, str]:
    """Of a list of things that have a text and a whole number each: the number's slot by the text's."""
    texts, numbers = dict[str, str](), dict[str, str]()
    for slot, parameter in said.items():
        owner, field, _ = slot.rpartition(FIELD)
        if field and FIELD in owner and parameter.kind.name == "int":
            numbers.setdefault(owner, slot)
        elif field and FIELD in owner and parameter.kind.name == "text" and parameter.required:
            texts.setdefault(owner, slot)
    return {text: numbers[owner] for owner, text in texts.items() if owner in numbers}


def _filled(slot: str, parameter: MadeParameter, counts: Mapping[str, str]) -> str:
    """A slot, behind that of how many there are; of a switch its two states."""
    if parameter.kind.name == "yes|no":
        on, off = ("on", "off") if slot == "on" else (_label(slot), f"not {_label(slot)}")
        return f"({on}{{{slot}=yes}}|{off}{{{slot}=no}})"
    return f"{{{counts[slot]}}} {{{slot}}}" if slot in counts else f"{{{slot}}}"


def _sentence(
    spec: ToolSpec, said: Mapping[str, MadeParameter], must: Mapping[str, MadeParameter], counts: Mapping[str, str]
) -> str:
    """The description's first sentence with slots where it speaks of parameters, the others behind it."""
    text, rest, qualities = _request(spec, said), [], []
    for slot, parameter in must.items():
        label, kind = _label(slot), parameter.kind.name
        stem = re.escape(label.removesuffix("s"))
        own = slot in _OWN_WORD and kind != "yes|no"
        joined = rf"\b{slot}\s+(?:(?:an?|the)\s+)?\w+" if own else rf"\b{_ARTICLE}{stem}(?:s|es)?\b"
        joined = rf"\b{slot} or (?:\w+)\b" if kind == "yes|no" else joined
        found = re.search(rf"{joined}(?![^{{]*\}})", text, re.IGNORECASE)
        told = _filled(slot, parameter, counts)
        if re.search(rf"(?i)\bthe (?:[\w ]+ and )?{stem}s?(?: and [\w ]+)? of\b", text) and not own:
            qualities.append(slot)  # the price of a product
        elif found and found.start():
            if own:
                told = f"{slot} {told}"
            elif kind in ("int", "number"):
                told = f"{told} {label}" if label.endswith("s") else f"{label} {told}"
            text = f"{text[: found.start()]}{told}{text[found.end() :]}"
        else:
            rest.append(told if slot in counts else _labelled(slot, parameter))
    changes = text.partition(" ")[0].lower() in _CHANGING
    only = changes and len(qualities) == 1
    rest[:0] = [f"to {{{slot}}}" if only else _labelled(slot, must[slot]) for slot in qualities]
    if rest and rest[0] == "name {name}" and _NAMED.fullmatch(text):
        rest[0] = "called {name}"
    led = not rest or rest[0].partition(" ")[0] in (*_OWN_WORD, "called")
    text = re.sub(r", in (?=\{)", " to " if changes else ", ", text)  # the temperature of a room, in degrees
    return f"{text}{'' if led else ':'}{' ' if rest else ''}{', '.join(rest)}"


def _request(spec: ToolSpec, said: Mapping[str, MadeParameter]) -> str:
    """What the description asks for: its first sentence, without an aside that speaks of no parameter."""
    about = re.split(r"[.;:(\n]", spec.description.strip(), maxsplit=1)[0].strip() or " ".join(words_of(spec.name))
    text = re.sub(r"[\[\]{}|]", " ", about)
    aside = _ASIDE.fullmatch(text)
    spoken_of = aside and any(_label(slot).removesuffix("s") in aside["aside"].lower() for slot in said)
    return aside["said"] if aside and not spoken_of and aside["said"].split()[-1] not in _OWN_WORD else text


def _labelled(slot: str, parameter: MadeParameter) -> str:
    """A value with the word that leads to it."""
    label, kind = _label(slot), parameter.kind.name
    if kind == "yes|no":
        return _filled(slot, parameter, {}) if slot == "on" else f"({label}{{{slot}=yes}}|without {label}{{{slot}=no}})"
    joint = slot if slot in _OWN_WORD else _JOINTS.get(kind, "" if kind in SAID_UNITS else label)
    return f"{joint} {{{slot}}}".strip()


def _label(slot: str) -> str:
    """What a person calls the value of a slot."""
    return plain_name(slot.split(FIELD)[-1])
