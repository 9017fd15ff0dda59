"""Talks of people as files, a talk a line of JSON, after a head that says whose they are (docs/training.md):

    {"talks": 1, "set": "sgd", "licence": "CC BY-SA 4.0", "count": 1}
    {"tools": ["find_table(city, when?: date)  # Find a table. city: where"],
     "otherwise": [["searchTables(place, day?: date)"]],
     "turns": [{"say": "somewhere in Ghent", "reply": "find_table(city=\\"Ghent\\")"}], "from": "train 1_00000"}

`otherwise` are the same tools under other names, arguments in the same order. A `"learn": false` stands by a wrong
reply, which what is said next mends. Files as data/written has them (*.txt) are read, too; both may be packed (.xz).
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile
from toolmend.base.messages import ToolSpec
from toolmend.evals.benchmarks.sgd_services import HALF
from toolmend.language.resolve.said import AGAIN, CHANGE, UNDO
from toolmend.reading.spoken import read_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.adapter.written_talks import HandTalk, read_written
from toolmend.training.people.tool_line import ToolLine

VERSION = 1
_VERBS = (CHANGE, AGAIN, UNDO)


@dataclass(frozen=True, slots=True)
class PeopleTalk(HandTalk):
    """A talk with its tools under other names, too, and where it is from."""

    otherwise: tuple[tuple[str, ...], ...] = ()
    source: str = ""


def write_talks(path: Path, about: Mapping[str, str], talks: Sequence[PeopleTalk]) -> None:
    """Write a file that is there wholly or not at all; `about` names set and licence. Raises BadFile."""
    head = {"talks": VERSION, **about, "count": len(talks)}
    lines = [json.dumps(row, ensure_ascii=False) for row in (head, *map(_row, talks))]
    content = "".join(f"{line}\n" for line in lines).encode()
    with written(path) as part:
        part.write_bytes(lzma.compress(content) if path.suffix == ".xz" else content)


def _row(talk: PeopleTalk) -> dict[str, Any]:
    turns = [
        {"say": turn.said, "reply": turn.reply} | ({} if turn.learned else {"learn": False}) for turn in talk.turns
    ]
    told = {"otherwise": talk.otherwise} if talk.otherwise else {}
    return {"tools": talk.tools, **told, "turns": turns, "from": talk.source}


def read_talks(path: Path) -> tuple[PeopleTalk, ...]:
    """The talks of a file. Raises BadFile with the line that is none, or where some are missing."""
    try:
        content = path.read_bytes()
        text = (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8")
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
    except lzma.LZMAError as error:
        raise BadFile(path, f"cannot be unpacked: {HALF}") from error
    except UnicodeDecodeError as error:
        raise BadFile(path, "is no text in UTF-8, so it holds no talks") from error
    if path.suffixes[-1:] == [".txt"] or path.suffixes[-2:] == [".txt", ".xz"]:
        return _written(path, text)
    rows = [(number, _loaded(path, number, line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    head = rows.pop(0)[1] if rows and "talks" in rows[0][1] else {}
    if head.get("talks", VERSION) != VERSION:
        raise BadFile(path, f"has talks of version {head['talks']}; this toolmend reads {VERSION}", 1)
    if not rows:
        raise BadFile(path, "has no talk in it")
    if len(rows) != head.get("count", len(rows)):
        raise BadFile(path, f"has {len(rows):,} of its {head['count']:,} talks: {HALF}")
    return tuple(_talk(path, number, row) for number, row in rows)


def _written(path: Path, text: str) -> tuple[PeopleTalk, ...]:
    try:
        talks = [PeopleTalk(talk.tools, talk.turns) for talk in read_written(text)]
    except IndexError as error:
        raise BadFile(path, "has a reply before anything was said: no talks as data/written has them") from error
    if not all(talk.tools for talk in talks):
        raise BadFile(path, "has a talk without tools (@ before each); it would teach nothing")
    return tuple(talks)


def _loaded(path: Path, number: int, line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise BadFile(path, f"is no line of JSON: {HALF}, or another format", number) from error
    if not isinstance(row, dict) or not {"talks", "turns"} & row.keys():
        raise BadFile(path, "is no talk: `toolmend data import` makes talks of public sets (docs/training.md)", number)
    return row


def _talk(path: Path, number: int, row: Mapping[str, Any]) -> PeopleTalk:
    try:
        turns = tuple(_turns(row["turns"]))
        tools, *otherwise = (tuple(map(str, lines)) for lines in (row.get("tools", ()), *row.get("otherwise", ())))
        signatures = [[ToolLine.read(line) for line in lines] for lines in (tools, *otherwise)]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadFile(path, f"is no talk ({error}); its form is in docs/training.md", number) from error
    if not tools or not turns:
        raise BadFile(path, f"is a talk without {'turns' if tools else 'tools'}; it would teach nothing", number)
    forms = {tuple(len(one.arguments) for one in named) for named in signatures}
    if len(forms) > 1:
        raise BadFile(path, "has tools otherwise with more or fewer arguments than its tools", number)
    known = {one.name for one in signatures[0]}
    specs = [ToolSpec(name) for name in known]
    called = {line.tool for turn in turns for line in read_spoken(turn.reply, specs).lines}
    if strange := sorted(called - known - set(_VERBS)):
        raise BadFile(path, f"calls {strange[0]}, which is none of its tools", number)
    return PeopleTalk(tools, turns, tuple(otherwise), str(row.get("from", "")))


def _turns(rows: Any) -> Iterator[Turn]:
    for row in rows:
        if not isinstance(row["say"], str) or not isinstance(row["reply"], str):
            raise TypeError("say and reply are texts")
        yield Turn(row["say"], row["reply"], bool(row.get("learn", True)), "people")
