"""Texts as models write them and worse, by a seed: calls in every notation, then damaged; pieces; random characters."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import Reading, read, read_python, render
from toolmend.reading.intents import read_intents
from toolmend.reading.values import read_values
from toolmend.strategies.react import read_step

NUMBER = {"type": "integer", "minimum": 1, "maximum": 20}
SPEC = ToolSpec(
    "add_monster",
    "Add a monster.",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "hp": NUMBER,
            "side": {"enum": ["north", "south"], "type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "lair": {"type": "object", "properties": {"size": {"type": "number"}}},
            "day": {"type": "string", "format": "date"},
        },
        "required": ["name"],
    },
    "cave",
)
SPECS = (SPEC, ToolSpec("remove_monster", "Remove one.", {"properties": {"name": {"type": "string"}}}, "cave"))

PIECES = [
    *("cave.add_monster(", "add_monster", "remove_monster", "cave.", "name", "hp", "side", "tags", "lair", "talk"),
    *("- ", "* ", "1. ", ": ", "=", ", ", "; ", "\n", "\n\n", "\n  ", " x2", "(3 times)", " and ", "because "),
    *(
        "```",
        "```json\n",
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "<function=add_monster>",
        "</function>",
    ),
    *(
        '{"name": "add_monster", "arguments": {',
        '"arguments": ',
        "Thought: ",
        "Action: ",
        "Action Input: ",
        "Final Answer:",
    ),
    *("Observation: ", "“", "’", "\\", "\x00", "\ud800", "9**9**9", "17:00", "2024-11-11", "60*3", "None", "SKIP"),
    *"()[]{}\"'`#;,:=*.-_ \t\r",
]

Reader = Callable[[str], Any]
READERS: dict[str, Reader] = {
    **{form: lambda text, form=form: read(text, SPECS, form) for form in ("auto", "python", "json", "bullets", "tags")},
    "python, strict": lambda text: read_python(text, SPECS, lenient=False),
    "intents": lambda text: read_intents(text, SPECS),
    "values": lambda text: read_values(text, SPEC),
    "react": lambda text: read_step(text, SPECS),
}


def texts(count: int, seed: int) -> Iterator[str]:
    """So many texts: half of them damaged replies, a quarter pieces, a quarter characters."""
    dice = random.Random(seed)
    for number in range(count):
        kind = number % 4
        yield _damaged(dice) if kind < 2 else _pieces(dice) if kind == 2 else _characters(dice)


def check(text: str, names: Sequence[str] = tuple(READERS)) -> None:
    """Give a text to every reader. A Reading without a call must say why."""
    for name in names:
        found = READERS[name](text)
        assert not isinstance(found, Reading) or found.calls or found.problem, (name, text)


def _reply(dice: random.Random) -> str:
    """A reply as it should be."""
    values: dict[str, Any] = {
        "name": dice.choice(["bat", "Fred's: rat", 'a "cat"', "größe", "x\ny", ""]),
        "hp": dice.choice([5, -1, "7", 2.5, None, 10**30]),
        "tags": dice.choice([[], ["a", "b"], "a, b"]),
        "lair": dice.choice([{}, {"size": 1.5}, [1]]),
        "day": dice.choice(["2024-05-03", "tomorrow"]),
    }
    some = {name: values[name] for name in values if dice.random() < 0.6}
    call = Call("cave.add_monster", some)
    lines = "\n".join(f"- {name}: {value}" for name, value in some.items())
    return dice.choice(
        [
            render(call, SPEC),
            json.dumps({"name": call.tool, "arguments": some}),
            f"<tool_call>{json.dumps({'name': call.tool, 'arguments': some})}</tool_call>",
            f"tool: {call.tool}\n{lines}",
            lines,
            lines.replace("- ", ""),
            f"Thought: so\nAction: cave.add_monster\nAction Input: {some}",
            ", ".join(dice.choices(["add_monster", "Remove Monster", "talk", "fly"], k=dice.randint(1, 5))),
            "\n".join(f"{place}. add_monster: why not" for place in range(1, dice.randint(2, 5))),
            '["add_monster", "remove_monster"]',
        ]
    )


def _damaged(dice: random.Random) -> str:
    """A reply with a few characters or pieces cut, doubled, swapped or put in."""
    text = _reply(dice)
    for _ in range(dice.randint(0, 6)):
        place, end = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
        text = dice.choice(
            [
                text[:place] + text[min(end, place + 3) :],
                text[:place] + dice.choice(PIECES) + text[place:],
                text[:end] + text[place:end] + text[end:],
                text[:place] + dice.choice(string.punctuation) + text[place + 1 :],
                text[:end],
                text[place:],
            ]
        )
    return text[:2_000]


def _pieces(dice: random.Random) -> str:
    return "".join(dice.choices(PIECES, k=dice.randint(0, 60)))


def _characters(dice: random.Random) -> str:
    reach = dice.choice([0x80, 0x100, 0x3000, 0x110000])
    return "".join(chr(dice.randrange(reach)) for _ in range(dice.randint(0, 200)))
