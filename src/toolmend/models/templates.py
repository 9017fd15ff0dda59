"""Chat templates: a conversation as the text a model was trained on, and native calls out of its replies.

A model's own Jinja template, in a sandbox, or that of its family, for files that bring none. Knows no tokenizer;
special tokens stand in the text by name, and messages hold none (`harmless`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadFile, ModelError, UnknownName
from toolmend.base.messages import RAW, Call, Message, ToolSpec
from toolmend.models.deltas import arguments_of
from toolmend.models.openai_messages import WireNames, as_is, messages_of, tools_of

GAP = "\u200b"
"""What keeps the name of a special token in a message from being the token."""

Turn = Mapping[str, Any]
Render = Callable[[Sequence[Turn], Sequence[Turn]], str]
_CLOSING = {"<tool_call>": "</tool_call>", "[TOOL_CALLS]": ""}
"""What stands before a native call in a reply, and what after it."""


@dataclass(frozen=True)
class Template:
    """A way to write conversations. `needs` are its special tokens, `stops` those that end a reply.

    `opening` is the text before native calls in a reply, None where a model has no calls of its own.
    """

    name: str
    render: Render
    needs: tuple[str, ...]
    stops: tuple[str, ...]
    system: bool = True
    opening: str | None = None

    def text(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        names: WireNames,
        marks: Sequence[str],
        gap: str = GAP,
    ) -> str:
        """A conversation, ready for the reply; what a message spells of `marks` has a gap in it."""
        turns = [_parsed(turn) for turn in messages_of(messages, names)]
        shown = tools_of(tools, names, as_is) if self.opening else []
        return self.render(harmless(turns, marks, gap), harmless(shown, marks, gap))

    def calls(self, text: str, names: WireNames) -> tuple[str, tuple[Call, ...]]:
        """The text of a reply without its native calls, and the calls; what cannot be read as calls stays text."""
        before, sign, rest = text.partition(self.opening) if self.opening else (text, "", "")
        if not sign:
            return text, ()
        for mark in filter(None, (sign, _CLOSING[sign])):
            rest = rest.replace(mark, "\n")
        values = list(_values(rest))
        calls = tuple(filter(None, (_call(value, number, names) for number, value in enumerate(values, 1))))
        return (before.strip(), calls) if calls and len(calls) == len(values) else (text, ())


def own(source: str, where: object, stops: tuple[str, ...], words: Mapping[str, str]) -> Template:
    """A model's own Jinja template, run in a sandbox. `words` are bos_token and the like. Raises BadFile.

    Rendering raises ModelError with what the template says where it refuses a conversation.
    """
    from jinja2 import TemplateError
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(text: str) -> None:
        raise ModelError(f"the chat template of {where} refuses this conversation: {text}")

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = lambda value, **how: json.dumps(value, **{"ensure_ascii": False, **how})
    environment.globals |= {"raise_exception": refuse, "strftime_now": _today}
    try:
        compiled = environment.from_string(source)
    except TemplateError as error:
        raise BadFile(where, f"its chat template cannot be read ({error})") from error

    def render(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
        try:
            return compiled.render(messages=turns, tools=list(tools) or None, add_generation_prompt=True, **words)
        except ModelError:
            raise
        except Exception as error:  # whatever a foreign template does
            raise ModelError(f"the chat template of {where} cannot show this conversation: {error}") from error

    opening = next((mark for mark in _CLOSING if mark in source), None)
    return Template("own", render, (), stops, system="system" in source, opening=opening)


def _today(form: str) -> str:
    import datetime

    return datetime.datetime.now().strftime(form)


def harmless(value: Any, marks: Sequence[str], gap: str = GAP) -> Any:
    """Texts, also inside of lists and mappings, in which no special token can be read: a gap stands in each."""
    if isinstance(value, str):
        for name in marks:
            if name in value:
                value = value.replace(name, name[:1] + gap + name[1:])
        return value
    if isinstance(value, Mapping):
        return {key: harmless(item, marks, gap) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [harmless(item, marks, gap) for item in value]
    return value


def _parsed(turn: dict[str, Any]) -> dict[str, Any]:
    """A turn whose calls have their arguments as values, as templates want them."""
    if calls := turn.get("tool_calls"):
        functions = [{**call, "function": dict(call["function"])} for call in calls]
        for call in functions:
            call["function"]["arguments"] = dict(arguments_of(call["function"]["arguments"]))
        return {**turn, "tool_calls": functions}
    return turn


def _values(text: str) -> Iterator[Any]:
    """The JSON values of a text one after another, lists opened; something that is none at the end of it is None."""
    decoder = json.JSONDecoder()
    while text := text.strip(" \n\t;"):
        try:
            value, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            yield None
            return
        yield from value if isinstance(value, list) else [value]
        text = text[end:]


def _call(value: Any, number: int, names: WireNames) -> Call | None:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    given = value.get("arguments", {})
    arguments = given if isinstance(given, dict) else {RAW: given if isinstance(given, str) else json.dumps(given)}
    return Call(names.own(value["name"]), arguments, str(value.get("id") or f"call{number}"))


# Families -------------------------------------------------------------------------------------------------------


def _family(
    name: str, needs: str, stops: str, user: str, assistant: str, system: str = "", start: str = "", usual: str = ""
) -> Template:
    """A family by how it writes each part of a talk; the reply begins as `assistant` does. Without `system`, system
    text opens the first request; `usual` is said where there is none. Results of tools stand as requests."""

    def render(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
        told = "\n\n".join(turn["content"] for turn in turns if turn["role"] == "system") or usual
        text = start + (system.format(told.strip()) if told else "")
        opening = f"{told}\n\n" if told and not system else ""
        for turn in turns:
            said = turn["content"] or ""
            if turn["role"] == "assistant":
                text += assistant.format(said.strip())
            elif turn["role"] != "system":
                text += user.format(f"{opening}{said}".strip())
                opening = ""
        return text + assistant.partition("{}")[0].rstrip(" ")

    return Template(name, render, tuple(needs.split()), tuple(stops.split()))


_HEADED = "<|start_header_id|>{}<|end_header_id|>\n\n{{}}<|eot_id|>"
_VICUNA = (
    "A chat between a curious user and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the user's questions."
)

# As their makers publish them: ai.google.dev/gemma/docs/formatting; the chat_template of Meta-Llama-3-8B-Instruct;
# mistral-common, InstructTokenizerV1; fastchat/conversation.py, vicuna_v1.1; the chat_template of Qwen/Qwen3-8B.
_WRITTEN = (
    _family(
        "gemma", "<bos> <start_of_turn> <end_of_turn>", "<end_of_turn> <eos>", start="<bos>",
        user="<start_of_turn>user\n{}<end_of_turn>\n", assistant="<start_of_turn>model\n{}<end_of_turn>\n",
    ),
    _family(
        "llama3", "<|begin_of_text|> <|start_header_id|> <|end_header_id|> <|eot_id|>",
        "<|eot_id|> <|end_of_text|> <|eom_id|>", start="<|begin_of_text|>", user=_HEADED.format("user"),
        assistant=_HEADED.format("assistant"), system=_HEADED.format("system"),
    ),
    _family("mistral", "<s> </s>", "</s>", start="<s>", user="[INST] {} [/INST]", assistant=" {}</s>"),
    _family(
        "vicuna", "<s> </s>", "</s>", start="<s>", user="USER: {} ", assistant="ASSISTANT: {}</s>", system="{} ",
        usual=_VICUNA,
    ),
    _family(
        "chatml", "<|im_start|> <|im_end|>", "<|im_end|> <|endoftext|>", user="<|im_start|>user\n{}<|im_end|>\n",
        assistant="<|im_start|>assistant\n{}<|im_end|>\n", system="<|im_start|>system\n{}<|im_end|>\n",
    ),
)  # fmt: skip
FAMILIES = {template.name: template for template in _WRITTEN}


def find(name: str) -> Template:
    """The template of a family. Raises UnknownName listing the known ones."""
    if name not in FAMILIES:
        raise UnknownName("chat template", name, FAMILIES, "a folder's own chat_template is used with template=own")
    return FAMILIES[name]


def guess(specials: Mapping[str, int], kind: str, named: str) -> str:
    """The family that special tokens, the kind of model and its name point to; "" if nothing does."""
    for token, family in (
        ("<start_of_turn>", "gemma"),
        ("<|start_header_id|>", "llama3"),
        ("<|im_start|>", "chatml"),
    ):
        if token in specials:
            return family
    return "vicuna" if "vicuna" in named.lower() else "mistral" if kind == "mistral" else ""
