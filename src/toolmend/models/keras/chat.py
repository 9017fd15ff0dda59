"""How a model is talked to: its template and its tokenizer, and which tokens end a reply. Knows no weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolmend.errors import BadFile, BadOption
from toolmend.messages import Message, ToolSpec
from toolmend.models import templates
from toolmend.models.keras.folder import Folder, read_json
from toolmend.models.keras.tokens import KerasTokens
from toolmend.models.openai_messages import WireNames

_WORDS = ("bos_token", "eos_token", "pad_token", "unk_token")


class TemplateChat:
    """The template that is wanted, else a folder's own, else the one its tokens point to. `stops` end a reply.

    Raises UnknownName or BadOption listing the known templates, and BadFile for a tokenizer that lacks the template's
    special tokens.
    """

    def __init__(self, folder: Folder, tokens: KerasTokens, wanted: str, named: str) -> None:
        about = {} if folder.is_keras else _maybe(folder, "tokenizer_config.json")
        given = _maybe(folder, "generation_config.json").get("eos_token_id", folder.config.get("eos_token_id"))
        ends = [number for number in (given if isinstance(given, list) else [given]) if isinstance(number, int)]
        self.tokens, self.template = tokens, _template(folder, about, tokens, ends, wanted, named)
        if lacking := [name for name in self.template.needs if name not in tokens.specials]:
            template = f"which the template {self.template.name!r} needs"
            raise BadFile(folder.path, f"its tokenizer has no {lacking[0]}, {template}")
        named_ends = (tokens.specials[name] for name in self.template.stops if name in tokens.specials)
        self.stops: tuple[int, ...] = tuple(sorted({*ends, *named_ends}))
        self._marks = [*tokens.specials, *self.template.needs, *self.template.stops]

    def prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec], names: WireNames) -> list[int]:
        """Ids of a conversation, ready for the reply. No special token can be written by a message."""
        return self.tokens.encode(self.template.text(messages, tools, names, self._marks))


def _template(
    folder: Folder, about: dict[str, Any], tokens: KerasTokens, ends: Sequence[int], wanted: str, named: str
) -> templates.Template:
    file, source = folder.path / "chat_template.jinja", about.get("chat_template", "")
    if isinstance(source, list):
        source = next((variant.get("template", "") for variant in source if variant.get("name") == "default"), "")
    source = file.read_text(encoding="utf-8") if file.is_file() else str(source or "")
    if wanted == "own" and not source:
        raise BadOption(f"{folder.path} has no chat template of its own; known: {', '.join(templates.FAMILIES)}")
    if source and wanted in ("", "own"):
        words = {key: _word(about[key]) for key in _WORDS if about.get(key)}
        stops = [words.get("eos_token", ""), *(name for name, number in tokens.specials.items() if number in ends)]
        return templates.own(source, folder.path, tuple(filter(None, stops)), words)
    kind = "mistral" if "mistral" in folder.kind.lower() else folder.kind
    family = wanted or templates.guess(tokens.specials, kind, named)
    if not family:
        known = ", ".join(templates.FAMILIES)
        raise BadOption(f"{folder.path}: which chat template? Say template=NAME; known: {known}")
    return templates.find(family)


def _maybe(folder: Folder, name: str) -> dict[str, Any]:
    return read_json(folder.path / name) if (folder.path / name).is_file() else {}


def _word(value: Any) -> str:
    return str(value.get("content", "")) if isinstance(value, dict) else str(value)
