"""How a model is talked to: a conversation to ids and ids to text, by its template and tokenizer. Knows no weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from toolmend.errors import BadFile, BadOption
from toolmend.messages import Call, Message, ToolSpec
from toolmend.models.deltas import arguments_of
from toolmend.models.dialects import as_is
from toolmend.models.keras import templates
from toolmend.models.keras.calls import calls_of
from toolmend.models.keras.folder import Folder, read_json
from toolmend.models.keras.tokens import KerasTokens, drops_space, harmless
from toolmend.models.masks import Vocabulary
from toolmend.models.names import WireNames
from toolmend.models.openai_messages import messages_of, tools_of

_WORDS = ("bos_token", "eos_token", "pad_token", "unk_token")


class TemplateChat:
    """A template of a family, or a model's own, with the model's tokenizer. `stops` end a reply.

    Raises BadFile for a tokenizer that lacks the template's special tokens.
    """

    def __init__(
        self, template: templates.Template, tokens: KerasTokens, where: Path, ends: Sequence[int] = ()
    ) -> None:
        lacking = [name for name in template.needs if name not in tokens.specials]
        if lacking:
            raise BadFile(where, f"its tokenizer has no {lacking[0]}, which the template {template.name!r} needs")
        self.template, self.tokens = template, tokens
        found = {*ends, *(tokens.specials[name] for name in template.stops if name in tokens.specials)}
        self.stops: tuple[int, ...] = tuple(sorted(found))
        self.system, self.tools = template.system, template.opening is not None
        self._marks = [*tokens.specials, *template.needs, *template.stops]

    def prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec], names: WireNames) -> list[int]:
        """Ids of a conversation, ready for the reply. No special token can be written by a message."""
        turns = [parsed(turn) for turn in messages_of(messages, names)]
        shown = tools_of(tools, names, as_is) if self.tools else []
        return self.tokens.encode(
            self.template.render(harmless(turns, self._marks), harmless(shown, self._marks)),
        )

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Its tokens, ready for masks."""
        return Vocabulary(self.tokens.bytes_of, self.stops, drops_space=drops_space(self.tokens))

    def decode(self, ids: list[int]) -> str:
        """The text of a reply; the space that SentencePiece puts before it is no part of it."""
        return self.tokens.decode(ids)

    def calls(self, text: str, names: WireNames) -> tuple[str, tuple[Call, ...]]:
        """The text of a reply without its native calls, and the calls."""
        return calls_of(text, self.template.opening, names) if self.template.opening else (text, ())


@dataclass(frozen=True)
class Card:
    """What a folder says of itself beside its weights: end tokens, words for its own template, and that template."""

    ends: tuple[int, ...]
    words: Mapping[str, str]
    own: str

    @classmethod
    def read(cls, folder: Folder) -> Card:
        """Out of generation_config.json, config.json, tokenizer_config.json and chat_template.jinja."""
        about = {} if folder.is_keras else _maybe(folder.path / "tokenizer_config.json")
        given = _maybe(folder.path / "generation_config.json").get("eos_token_id", folder.config.get("eos_token_id"))
        ends = given if isinstance(given, list) else [given]
        words = {key: _word(about[key]) for key in _WORDS if about.get(key)}
        file, own = folder.path / "chat_template.jinja", about.get("chat_template", "")
        if isinstance(own, list):
            own = next((each.get("template", "") for each in own if each.get("name") == "default"), "")
        text = file.read_text(encoding="utf-8") if file.is_file() else str(own or "")
        return cls(tuple(each for each in ends if isinstance(each, int)), words, text)


def read_chat(folder: Folder, tokens: KerasTokens, wanted: str, named: str) -> TemplateChat:
    """The chat of a folder: by the template that is wanted, else its own, else the one its tokens point to.

    Raises UnknownName or BadOption listing the known templates, and BadFile.
    """
    card = Card.read(folder)
    if wanted == "own" and not card.own:
        raise BadOption(f"{folder.path} has no chat template of its own; known: {', '.join(templates.FAMILIES)}")
    if wanted == "own" or (not wanted and card.own):
        ends = tuple(name for name, number in tokens.specials.items() if number in card.ends)
        stops = tuple(filter(None, (card.words.get("eos_token"), *ends)))
        template = templates.own(card.own, folder.path, stops, card.words)
    else:
        kind = "mistral" if "mistral" in folder.kind.lower() else folder.kind
        family = wanted or templates.guess(tokens.specials, kind, named)
        if not family:
            known = ", ".join(templates.FAMILIES)
            raise BadOption(f"{folder.path}: which chat template? Say template=NAME; known: {known}")
        template = templates.find(family)
    return TemplateChat(template, tokens, folder.path, card.ends)


def parsed(turn: dict[str, Any]) -> dict[str, Any]:
    """A turn whose calls have their arguments as values, as templates want them."""
    if calls := turn.get("tool_calls"):
        functions = [{**call, "function": dict(call["function"])} for call in calls]
        for call in functions:
            call["function"]["arguments"] = dict(arguments_of(call["function"]["arguments"]))
        return {**turn, "tool_calls": functions}
    return turn


def _maybe(path: Path) -> dict[str, Any]:
    return read_json(path) if path.is_file() else {}


def _word(value: Any) -> str:
    return str(value.get("content", "")) if isinstance(value, dict) else str(value)
