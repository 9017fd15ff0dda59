"""The two kinds of line in a data folder, as frozen values: a chat, and answers to one request from worse to better.

They are written by `to_json`, and read back by `load`; where a line is broken its file and number are told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from toolmend.base.errors import BadFile
from toolmend.base.messages import ToolSpec
from toolmend.reading.chat_rows import chat_row

Tools: TypeAlias = tuple[dict[str, Any], ...]
"""Tools as chat completions take them."""
Source: TypeAlias = Annotated[dict[str, Any], Field(alias="from")]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message, calls as text. `learn` False: an assistant's that is history only, wrong or marked by nobody."""

    role: Literal["system", "user", "assistant"]
    content: str
    learn: bool = True


Messages: TypeAlias = Annotated[tuple[ChatMessage, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Chat:
    """A talk. Learned are its assistant's messages but those with `learn` False; `source` says where it is from."""

    id: str
    tools: Tools
    messages: Messages
    source: Source = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HindsightAttempt:
    """One answer of several to the same prompt. `wrong` says in English what is wrong with it, "" for nothing."""

    content: str
    quality: Literal["bad", "good"]
    wrong: str = ""


def _ends_well(attempts: tuple[HindsightAttempt, ...]) -> tuple[HindsightAttempt, ...]:
    if len(attempts) < 2 or attempts[-1].quality != "good":
        raise ValueError("at least two are needed, the last of quality 'good'")
    return attempts


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Answers to one prompt from the worst to the best: Chain of Hindsight (Liu et al. 2023), §2. The last is good."""

    id: str
    tools: Tools
    messages: Messages
    attempts: Annotated[tuple[HindsightAttempt, ...], AfterValidator(_ends_well)]
    source: Source = field(default_factory=dict)


Line: TypeAlias = Chat | Hindsight
KINDS: Mapping[str, type[Line]] = {"chat": Chat, "hindsight": Hindsight}
"""The name of a file and what its lines are."""
_FORMS = {kind: TypeAdapter[Any](kind) for kind in KINDS.values()}


@dataclass(frozen=True, slots=True)
class Data:
    """The lines of a data folder."""

    chat: tuple[Chat, ...] = ()
    hindsight: tuple[Hindsight, ...] = ()


def tool_json(spec: ToolSpec) -> dict[str, Any]:
    """A tool as chat completions take it."""
    about = {"name": spec.full_name, "description": spec.description, "parameters": dict(spec.parameters)}
    return {"type": "function", "function": about}


def to_json(line: Line) -> dict[str, Any]:
    """The line as plain JSON-able data, its fields in a fixed order."""
    data: dict[str, Any] = _FORMS[type(line)].dump_python(line, by_alias=True, exclude_defaults=True, mode="json")
    return data


def from_json(data: Any, kind: type[Line]) -> Line:
    """The line that `to_json` wrote. Raises ValueError that says where in the line."""
    try:
        line: Line = _FORMS[kind].validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]).lstrip(".")
        raise ValueError(f"{place}: {first['msg']}") from error
    return line


def load(folder: str | Path) -> Data:
    """Lines of a data folder, or of one file of chats; a file that is not there is empty. Chats may be in the form of
    ShareGPT, OpenAI or Hugging Face. Raises BadFile as FILE:LINE for a broken line."""
    if Path(folder).is_file():
        return Data(tuple(_lines(Path(folder), Chat)))
    home = Path(folder) / "train"
    if not home.is_dir():
        raise BadFile(home, "there is no such part of a data folder; `toolmend data build --out DIR` makes one")
    lines: dict[str, list[Any]] = {}
    for name, kind in KINDS.items():
        lines[name] = _lines(home / f"{name}.jsonl", kind)
    return Data(tuple(lines["chat"]), tuple(lines["hindsight"]))


def _lines(path: Path, kind: type[Line]) -> list[Any]:
    try:
        raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n") if path.exists() else []
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
    lines = []
    for number, text in enumerate(raw, 1):
        try:
            lines += [_line(json.loads(text.decode()), kind, f"{path.stem}-{number}")] if text.strip() else []
        except (ValueError, RecursionError) as error:
            raise BadFile(path, str(error) or type(error).__name__, number) from error
    return lines


def _line(data: Any, kind: type[Line], name: str) -> Line:
    """A line in its own form, or a chat in somebody else's, which has no id or names its messages otherwise."""
    if kind is Chat and isinstance(data, Mapping) and not {"id", "tools", "messages"} <= data.keys():
        row = chat_row(data)
        if row is not None:
            messages = tuple(ChatMessage(role, text, learn) for role, text, learn in row.messages)
            return Chat(str(data.get("id") or name), row.tools, messages, {"talk": name})
    return from_json(data, kind)
