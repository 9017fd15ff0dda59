"""Wrong replies made out of right calls, and what is then said about them.

What a reply has wrong is for grading to name, and the sentence for corrections: here is only how models go wrong.
Knows no dialogue.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from toolmend.corrections import name_first, wordings
from toolmend.grading import Expected, ExpectedCall, grade
from toolmend.messages import Call, ToolSpec
from toolmend.mistakes import Mistake
from toolmend.reading import render
from toolmend.training import saying
from toolmend.training.phrases import Phrases
from toolmend.training.teach.arguments import Kind, Path, kind_of, leaves, with_values
from toolmend.training.teach.fresh import Values
from toolmend.training.words import sections

_CALENDAR = ("calendar", "event", "meeting", "appointment", "schedule")
_REPLIES = {
    name: [line for line in lines if not any(word in line.lower() for word in _CALENDAR)]
    for name, lines in sections("replies.txt").items()
}
_LEVELS, _LEVEL_WEIGHTS = (0, 1, 2, 3), (14, 20, 36, 30)
_EXTRA = (
    ("note", '"urgent"'),
    ("limit", "10"),
    ("user", '"me"'),
    ("confirm", "True"),
    ("id", "1"),
    ("verbose", "True"),
)
_HELD_OUT_OF = 6


@dataclass(frozen=True)
class Wrong:
    """A wrong reply, its worst mistake and all of them."""

    reply: str
    mistake: Mistake


class Slips:
    """Makes wrong replies for one toolbox; `held_out` uses the wordings of corrections that training never does."""

    def __init__(self, specs: Sequence[ToolSpec], values: Values, *, held_out: bool = False) -> None:
        self._specs, self._values, self._held_out = {spec.full_name: spec for spec in specs}, values, held_out
        self._all = tuple(specs)
        self._complaints = Phrases("complaints.txt", 0.6 if held_out else 0.0)

    def slip(self, call: Call, earlier: Sequence[Call], random: Random) -> Wrong:
        """A wrong reply where that call was due; `earlier` calls are what it may be confused with."""
        expected = Expected((ExpectedCall(call.tool, call.arguments),))
        while True:
            [make] = random.choices(list(_KINDS), list(_KINDS.values()))
            reply = make(self, call, earlier, random)
            if reply:
                mistake = name_first(grade(reply, expected, self._all).mistakes)
                if mistake is not None:
                    return Wrong(reply, mistake)

    def complaint(self, wrong: Wrong, spec: ToolSpec, random: Random) -> tuple[int, str]:
        """A level, and what somebody says at it about the reply."""
        [level] = random.choices(_LEVELS, _LEVEL_WEIGHTS)
        for lower in range(level, -1, -1):
            if lower < 2 and random.random() < 0.4:
                return lower, self._complaints.say(random, f"any {lower}", str)
            if found := self._mine(wordings(wrong.mistake, lower, spec=spec)):
                return lower, random.choice(found)
        return 0, self._complaints.say(random, "any 0", str)

    def _mine(self, found: Sequence[str]) -> Sequence[str]:
        """The wordings of this side: one in six is never used in training. (By its first words, for values differ.)"""
        kept = [each for each in found if _hidden(each) == self._held_out]
        return kept or ([] if not self._held_out else found)

    # ---- how models go wrong

    def _kinds(self, call: Call) -> list[tuple[Path, Any, Kind]]:
        spec = self._specs[call.tool]
        return [(path, value, kind_of(spec, path, value)) for path, value in leaves(call.arguments)]

    def _text(self, call: Call) -> str:
        return render(call, self._specs.get(call.tool))

    def _wrong_value(self, call: Call, earlier: Sequence[Call], random: Random) -> str:
        found = [leaf for leaf in self._kinds(call) if leaf[2].name != "null"]
        if not found:
            return ""
        path, value, kind = random.choice(found)
        others = [v for each in (*earlier, call) for _, v, k in self._kinds(each) if k.key == kind.key and v != value]
        wrong: Any
        chance = random.random()
        if kind.name == "text" and chance < 0.35:
            wrong = _misspelled(str(value), random)
        elif others and chance < 0.6:
            wrong = random.choice(others)
        elif kind.name == "integer" and chance < 0.8:
            wrong = max(0, value + random.choice((-1, 1, 2, 10)))
        else:
            wrong = self._values.draw(kind, random, (value,)) if kind.name != "flag" else not value
        return self._text(Call(call.tool, with_values(call.arguments, {path: wrong})))

    def _wrong_format(self, call: Call, _: Sequence[Call], random: Random) -> str:
        found = [leaf for leaf in self._kinds(call) if leaf[2].name in ("date", "time")]
        if not found:
            return ""
        path, value, kind = random.choice(found)
        if kind.name == "time":
            hour, minute = int(value[:2]), value[3:5]
            wrong = random.choice(
                (f"{hour % 12 or 12}:{minute} {'PM' if hour > 11 else 'AM'}", f"{value}:00", f"{hour}h{minute}")
            )
        else:
            year, month, day = value.split("-")
            wrong = random.choice(
                (
                    f"{month}/{day}/{year}",
                    f"{day}.{month}.{year}",
                    f"{saying.MONTHS[int(month) - 1]} {int(day)}, {year}",
                    f"{year}/{month}/{day}",
                )
            )
        return self._text(Call(call.tool, with_values(call.arguments, {path: wrong})))

    def _wrong_type(self, call: Call, _: Sequence[Call], random: Random) -> str:
        found = [leaf for leaf in self._kinds(call) if leaf[2].name in ("integer", "number", "length", "flag")]
        if not found:
            return ""
        path, value, _kind = random.choice(found)
        wrong = random.choice((f"{value} pieces", [value], "some")) if not isinstance(value, bool) else "yes, please"
        return self._text(Call(call.tool, with_values(call.arguments, {path: wrong})))

    def _missing(self, call: Call, _: Sequence[Call], random: Random) -> str:
        if not call.arguments:
            return ""
        name = random.choice(list(call.arguments))
        return self._text(Call(call.tool, {key: value for key, value in call.arguments.items() if key != name}))

    def _surplus(self, call: Call, _: Sequence[Call], random: Random) -> str:
        spec = self._specs[call.tool]
        unsaid = [name for name in spec.properties if name not in call.arguments]
        if unsaid and random.random() < 0.6:
            name = random.choice(unsaid)
            kind = kind_of(spec, (name,), "")
            value = self._values.draw(kind, random) if kind.name != "null" else "yes"
            return self._text(Call(call.tool, {**call.arguments, name: value if value is not None else "yes"}))
        name, text = random.choice(_EXTRA)
        joint = ", " if call.arguments else ""
        return "" if name in spec.properties else f"{self._text(call)[:-1]}{joint}{name}={text})"

    def _no_such_tool(self, call: Call, _: Sequence[Call], random: Random) -> str:
        receiver, dot, name = call.tool.rpartition(".")
        words = name.split("_")
        made = random.choice(
            (
                "_".join([random.choice(("do", "make", "update", "handle", "run", "new")), *words[1:]]),
                words[0],
                f"{name}_{random.choice(('now', 'entry', 'item', 'info', 'by_id'))}",
                "".join([words[0], *(word.capitalize() for word in words[1:])]),
            )
        )
        written = random.choice((f"{receiver}{dot}{made}", f"{receiver}{dot}{made}", made, f"api.{name}", name))
        return f"{written}({self._text(call).partition('(')[2]}"

    def _other_tool(self, call: Call, _: Sequence[Call], random: Random) -> str:
        others = [name for name in self._specs if name != call.tool]
        return f"{random.choice(others)}({self._text(call).partition('(')[2]}" if others else ""

    def _chatter(self, call: Call, _: Sequence[Call], random: Random) -> str:
        text, before, after = self._text(call), random.choice(_REPLIES["before"]), random.choice(_REPLIES["after"])
        fenced = f"```python\n{text}\n```"
        return random.choice(
            (f"{before}\n{text}", f"{text}\n{after}", f"{before}\n{fenced}", f"{before}\n{text}\n{after}")
        )

    def _no_call(self, _call: Call, _: Sequence[Call], random: Random) -> str:
        return random.choice(_REPLIES["nothing"] or ["I'm not sure what you mean."])

    def _again(self, call: Call, earlier: Sequence[Call], random: Random) -> str:
        text = self._text(call)
        other = self._text(random.choice(earlier)) if earlier else text
        return random.choice((f"{text}\n{text}", f"{other}\n{text}", f"{text}\n{other}"))

    def _syntax(self, call: Call, _: Sequence[Call], random: Random) -> str:
        text = self._text(call)
        return random.choice((text[:-1], text + ")", text.replace('"', "", 1), text.replace("(", "((", 1)))


def _misspelled(value: str, random: Random) -> str:
    word = random.choice(value.split() or [value])
    cut = random.randint(1, max(1, len(word) - 1))
    shapes = [
        value.replace(word, word[:cut]),
        value.replace(word, word + word[-cut:]),
        value.split(" ")[0],
        value[::-1].title(),
    ]
    return random.choice([shape for shape in shapes if shape and shape != value] or [f"{value} x"])


def _hidden(wording: str) -> bool:
    """Whether a wording of a correction is kept for the exam."""
    return hashlib.sha256(" ".join(wording.split()[:3]).encode()).digest()[0] % _HELD_OUT_OF == 0


Maker = Callable[[Slips, Call, Sequence[Call], Random], str]
_KINDS: dict[Maker, int] = {
    Slips._wrong_value: 40,
    Slips._wrong_format: 8,
    Slips._wrong_type: 4,
    Slips._missing: 10,
    Slips._surplus: 6,
    Slips._no_such_tool: 8,
    Slips._other_tool: 6,
    Slips._chatter: 8,
    Slips._no_call: 4,
    Slips._again: 5,
    Slips._syntax: 4,
}
