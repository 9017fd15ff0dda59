"""Chat templates: a conversation as the text a family of models was trained on, and calls out of its replies.

Each family is a function over messages in OpenAI's form. Its format is the one its makers publish (cited there).
Knows no tokenizer; special tokens stand in the text by name, and messages hold none (tokens.harmless).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.errors import BadFile, ModelError, UnknownName

Turn = Mapping[str, Any]
Render = Callable[[Sequence[Turn], Sequence[Turn]], str]


@dataclass(frozen=True)
class Template:
    """A family's way to write conversations. `needs` are its special tokens, `stops` those that end a reply.

    `opening` is the text before native calls in a reply, None for a family without calls of its own.
    """

    name: str
    render: Render
    needs: tuple[str, ...]
    stops: tuple[str, ...]
    system: bool = True
    opening: str | None = None


def find(name: str) -> Template:
    """The template of a family. Raises UnknownName listing the known ones."""
    if name not in FAMILIES:
        raise UnknownName("chat template", name, FAMILIES, "a folder's own chat_template is used with template=own")
    return FAMILIES[name]


def guess(specials: Mapping[str, int], kind: str, named: str) -> str:
    """The family that special tokens, the kind of model and its name point to; "" if nothing does."""
    for token, family in (
        ("<start_of_turn>", "gemma"),
        ("<|eom_id|>", "llama3.1"),
        ("<|start_header_id|>", "llama3"),
        ("<|im_start|>", "chatml"),
    ):
        if token in specials:
            return family
    if "vicuna" in named.lower():
        return "vicuna"
    if kind == "mistral":
        return "mistral3" if "[INST]" in specials else "mistral"
    return ""


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

    opening = next((each for each in ("<tool_call>", "[TOOL_CALLS]") if each in source), None)
    return Template("own", render, (), stops, system="system" in source, opening=opening)


def _today(form: str) -> str:
    import datetime

    return datetime.datetime.now().strftime(form)


def _split(turns: Sequence[Turn]) -> tuple[str, list[Turn]]:
    """The system text, and the rest."""
    system = "\n\n".join(turn["content"] for turn in turns if turn["role"] == "system")
    return system, [turn for turn in turns if turn["role"] != "system"]


def _written(turn: Turn, key: str = "arguments") -> list[str]:
    """The calls of a turn as JSON objects."""
    calls = [each["function"] for each in turn.get("tool_calls", ())]
    return [json.dumps({"name": call["name"], key: call["arguments"]}, ensure_ascii=False) for call in calls]


def gemma(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
    """Gemma, CodeGemma and Gemma 2 ("Gemma formatting and system instructions", ai.google.dev/gemma/docs/formatting,
    and the chat_template of gemma-it): no system role, so that its text opens the first request; no tools."""
    system, rest = _split(turns)
    said = [f"{system}\n\n"] if system else [""]
    text = "<bos>"
    for turn in rest:
        role = "model" if turn["role"] == "assistant" else "user"
        before = said.pop() if said and role == "user" else ""
        text += f"<start_of_turn>{role}\n{(before + (turn['content'] or '')).strip()}<end_of_turn>\n"
    return f"{text}<start_of_turn>model\n"


_LLAMA_TOOLS = (
    "Given the following functions, please respond with a JSON for a function call with its proper arguments that best "
    "answers the given prompt.\n\nRespond in the format "
    '{"name": function name, "parameters": dictionary of argument name and its value}.Do not use variables.\n\n'
)


def _headed(role: str, text: str) -> str:
    return f"<|start_header_id|>{role}<|end_header_id|>\n\n{text}<|eot_id|>"


def llama3(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
    """Llama 3 (the chat_template of Meta-Llama-3-8B-Instruct): headers; no tools."""
    text = "".join(_headed(turn["role"], (turn["content"] or "").strip()) for turn in turns)
    return f"<|begin_of_text|>{text}<|start_header_id|>assistant<|end_header_id|>\n\n"


_DATES = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n"
"""The day that the published template names unless it is told another: a prompt must not change from day to day."""


def llama31(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
    """Llama 3.1 and 3.2 (the chat_template of Llama-3.1-8B-Instruct): dates before the system text; tools as JSON
    before the first request, results from `ipython`, quoted as JSON although they are text."""
    system, rest = _split(turns)
    shown = _LLAMA_TOOLS + "".join(f"{json.dumps(tool, indent=4, ensure_ascii=False)}\n\n" for tool in tools)
    before = [shown] if tools else []
    opening = ("Environment: ipython\n" if tools else "") + _DATES
    text = "<|begin_of_text|>" + _headed("system", opening + system.strip())
    for turn in rest:
        content = "\n".join(_written(turn, "parameters")) or (turn["content"] or "").strip()
        if turn["role"] == "tool":
            text += _headed("ipython", json.dumps(turn["content"], ensure_ascii=False))
        else:
            text += _headed(turn["role"], (before.pop() if before and turn["role"] == "user" else "") + content)
    return f"{text}<|start_header_id|>assistant<|end_header_id|>\n\n"


def mistral(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
    """Mistral 7B Instruct v0.1 and v0.2 (mistral-common, InstructTokenizerV1): system text opens the first request."""
    system, rest = _split(turns)
    said = [f"{system}\n\n"] if system else [""]
    text = "<s>"
    for turn in rest:
        if turn["role"] == "assistant":
            text += f" {(turn['content'] or '').strip()}</s>"
        else:
            text += f"[INST] {said.pop() if said else ''}{turn['content'] or ''} [/INST]"
    return text


def mistral3(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
    """Mistral 7B Instruct v0.3 (mistral-common, InstructTokenizerV3): tools stand before the last request, as does
    system text; a result that is JSON is shown as JSON. The space after a mark is the tokenizer's own."""
    system, rest = _split(turns)
    last = max((place for place, turn in enumerate(rest) if turn["role"] == "user"), default=-1)
    text = "<s>"
    for place, turn in enumerate(rest):
        if turn["role"] == "tool":
            result = {"content": _json_or_text(turn["content"]), "call_id": turn["tool_call_id"]}
            text += f"[TOOL_RESULTS] {json.dumps(result, ensure_ascii=False)}[/TOOL_RESULTS]"
        elif turn.get("tool_calls"):
            made = [json.loads(each) for each in _written(turn)]
            ids = [call["id"] for call in turn["tool_calls"]]
            calls = [{**call, "id": each} for call, each in zip(made, ids, strict=True)]
            text += f"[TOOL_CALLS] {json.dumps(calls, ensure_ascii=False)}</s>"
        elif turn["role"] == "assistant":
            text += f" {(turn['content'] or '').strip()}</s>"
        else:
            shown = json.dumps(list(tools), ensure_ascii=False)
            text += f"[AVAILABLE_TOOLS] {shown}[/AVAILABLE_TOOLS]" if tools and place == last else ""
            text += f"[INST] {system}\n\n{turn['content']}[/INST]" if system and place == last else ""
            text += f"[INST] {turn['content']}[/INST]" if not system or place != last else ""
    return text


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


VICUNA = (
    "A chat between a curious user and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the user's questions."
)


def vicuna(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
    """Vicuna 1.1 to 1.5 (FastChat, fastchat/conversation.py, vicuna_v1.1): one sentence of system text unless given."""
    system, rest = _split(turns)
    text = f"<s>{system or VICUNA} "
    for turn in rest:
        reply = turn["role"] == "assistant"
        text += f"ASSISTANT: {turn['content'] or ''}</s>" if reply else f"USER: {turn['content'] or ''} "
    return f"{text}ASSISTANT:"


_CHATML_TOOLS = """# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-json-object>}}
</tool_call>"""


def chatml(turns: Sequence[Turn], tools: Sequence[Turn]) -> str:
    """ChatML with tools as Qwen 3 has them (its chat_template, after Hermes). Those of Qwen 2 and 2.5 are the same with
    a sentence of system text where there is none: it stands in the template that such a folder brings."""
    system, rest = _split(turns)
    if tools:
        shown = _CHATML_TOOLS.format("\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools))
        system = f"{system}\n\n{shown}" if system else shown
    text = f"<|im_start|>system\n{system}<|im_end|>\n" if system else ""
    for place, turn in enumerate(rest):
        if turn["role"] == "tool":
            first = place == 0 or rest[place - 1]["role"] != "tool"
            last = place + 1 == len(rest) or rest[place + 1]["role"] != "tool"
            text += "<|im_start|>user" if first else ""
            text += f"\n<tool_response>\n{turn['content']}\n</tool_response>" + ("<|im_end|>\n" if last else "")
            continue
        calls = [f"<tool_call>\n{call}\n</tool_call>" for call in _written(turn)]
        content = "\n".join(filter(None, [turn["content"], *calls]))
        text += f"<|im_start|>{turn['role']}\n{content}<|im_end|>\n"
    return f"{text}<|im_start|>assistant\n"


_HEADERS = ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>")
FAMILIES: dict[str, Template] = {
    each.name: each
    for each in (
        Template("gemma", gemma, ("<bos>", "<start_of_turn>", "<end_of_turn>"), ("<end_of_turn>", "<eos>")),
        Template("llama3", llama3, _HEADERS, ("<|eot_id|>", "<|end_of_text|>")),
        Template("llama3.1", llama31, _HEADERS, ("<|eot_id|>", "<|end_of_text|>", "<|eom_id|>"), opening='{"name"'),
        Template("mistral", mistral, ("<s>", "</s>"), ("</s>",)),
        Template("mistral3", mistral3, ("<s>", "</s>", "[INST]", "[/INST]"), ("</s>",), opening="[TOOL_CALLS]"),
        Template("vicuna", vicuna, ("<s>", "</s>"), ("</s>",)),
        Template(
            "chatml", chatml, ("<|im_start|>", "<|im_end|>"), ("<|im_end|>", "<|endoftext|>"), opening="<tool_call>"
        ),
    )
}
