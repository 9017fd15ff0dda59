"""What each family's template writes, to the letter, as its makers publish it; and the ids of it, to the token."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.errors import BadFile, BadOption, ModelError, UnknownName
from toolmend.messages import Call, Message, ToolSpec
from toolmend.models.keras import templates
from toolmend.models.keras.chat import TemplateChat, read_chat
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.loading import read_tokens
from toolmend.models.keras.tokens import harmless
from toolmend.models.names import WireNames

TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Hi!"},
    {"role": "user", "content": "Bye"},
]
TOOL = {"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object"}}}
CALL = {"id": "c00000001", "type": "function", "function": {"name": "add", "arguments": {"a": 1}}}
USED = [
    {"role": "user", "content": "Add 1"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c00000001", "content": '{"sum": 1}'},
]

# Beside each: where its makers publish the format. Read there, not rendered by their code.
GOLDEN = {
    # ai.google.dev/gemma/docs/formatting (instructions go into the first request); chat_template of google/gemma-2b-it
    "gemma": "<bos><start_of_turn>user\nBe brief.\n\nHello<end_of_turn>\n<start_of_turn>model\nHi!<end_of_turn>\n"
    "<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n",
    # chat_template of meta-llama/Meta-Llama-3-8B-Instruct
    "llama3": "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\nHello<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\nHi!<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
    # chat_template of meta-llama/Llama-3.1-8B-Instruct; huggingface.js, packages/jinja/test/e2e.test.js has its ids
    "llama3.1": "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December 2023\n"
    "Today Date: 26 Jul 2024\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHello<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\nHi!<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
    # mistral-common, InstructTokenizerV1: the first request has the system text; replies are tokenized by themselves,
    # which puts the space before them
    "mistral": "<s>[INST] Be brief.\n\nHello [/INST] Hi!</s>[INST] Bye [/INST]",
    # mistral-common, InstructTokenizerV3; chat_template of mistralai/Mistral-7B-Instruct-v0.3
    "mistral3": "<s>[INST] Hello[/INST] Hi!</s>[INST] Be brief.\n\nBye[/INST]",
    # FastChat, fastchat/conversation.py: vicuna_v1.1 (seps " " and "</s>")
    "vicuna": "<s>Be brief. USER: Hello ASSISTANT: Hi!</s>USER: Bye ASSISTANT:",
    # chat_template of Qwen/Qwen3-8B
    "chatml": "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n"
    "<|im_start|>assistant\nHi!<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
}


@pytest.mark.parametrize("family", GOLDEN)
def test_a_talk_as_the_family_writes_it(family: str) -> None:
    assert templates.find(family).render(TALK, []) == GOLDEN[family]


def test_every_family_has_a_golden_talk() -> None:
    assert sorted(GOLDEN) == sorted(templates.FAMILIES)


def test_vicuna_has_a_sentence_of_its_own() -> None:
    assert templates.vicuna(TALK[1:2], []) == (
        "<s>A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, "
        "detailed, and polite answers to the user's questions. USER: Hello ASSISTANT:"
    )


def test_gemma_is_given_no_white_space_at_the_ends() -> None:
    """As its chat_template trims."""
    asked = [{"role": "user", "content": " Hello \n"}]
    assert templates.gemma(asked, []) == "<bos><start_of_turn>user\nHello<end_of_turn>\n<start_of_turn>model\n"


def test_tools_in_llama31() -> None:
    """The chat_template of Llama-3.1-8B-Instruct: text is iterable, so that results are written as JSON strings."""
    assert templates.llama31(USED, [TOOL]) == (
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nEnvironment: ipython\n"
        "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nGiven the following functions, please respond with a JSON for a "
        "function call with its proper arguments that best answers the given prompt.\n\nRespond in the format "
        '{"name": function name, "parameters": dictionary of argument name and its value}.Do not use variables.\n\n'
        f"{json.dumps(TOOL, indent=4)}\n\nAdd 1<|eot_id|>"
        '<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "add", "parameters": {"a": 1}}<|eot_id|>'
        '<|start_header_id|>ipython<|end_header_id|>\n\n"{\\"sum\\": 1}"<|eot_id|>'
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    )


def test_tools_in_mistral3() -> None:
    """mistral-common, InstructTokenizerV3: a result that is JSON is parsed (_parse_json_content)."""
    assert templates.mistral3(USED, [TOOL]) == (
        f"<s>[AVAILABLE_TOOLS] [{json.dumps(TOOL)}][/AVAILABLE_TOOLS][INST] Add 1[/INST]"
        '[TOOL_CALLS] [{"name": "add", "arguments": {"a": 1}, "id": "c00000001"}]</s>'
        '[TOOL_RESULTS] {"content": {"sum": 1}, "call_id": "c00000001"}[/TOOL_RESULTS]'
    )
    plain = [{**USED[2], "content": "done"}]
    assert templates.mistral3(plain, []) == (
        '<s>[TOOL_RESULTS] {"content": "done", "call_id": "c00000001"}[/TOOL_RESULTS]'
    )


def test_one_space_stands_after_a_mark(folders: dict[str, Path]) -> None:
    """The pieces of "[INST] Hello" are the mark's and those of "Hello", before which the tokenizer puts a space."""
    tokens = read_tokens(Folder.read(folders["mistral"]))
    assert tokens.encode("<s> Hello") == [tokens.specials["<s>"], *tokens.encode("Hello")]


def test_tools_in_chatml() -> None:
    """The chat_template of Qwen/Qwen3-8B; that of Qwen2.5-7B-Instruct with its own system text left out."""
    assert templates.chatml(USED, [TOOL]) == (
        "<|im_start|>system\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
        "You are provided with function signatures within <tools></tools> XML tags:\n<tools>\n"
        f"{json.dumps(TOOL)}\n</tools>\n\nFor each function call, return a json object with function name and "
        'arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": '
        "<args-json-object>}\n</tool_call><|im_end|>\n<|im_start|>user\nAdd 1<|im_end|>\n<|im_start|>assistant\n"
        '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call><|im_end|>\n'
        '<|im_start|>user\n<tool_response>\n{"sum": 1}\n</tool_response><|im_end|>\n<|im_start|>assistant\n'
    )


def test_an_unknown_family_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"'falcon'; known: chatml, gemma, llama3, llama3\.1, mistral, "):
        templates.find("falcon")


def chat(folders: dict[str, Path], kind: str, wanted: str = "") -> TemplateChat:
    folder = Folder.read(folders[kind])
    return read_chat(folder, read_tokens(folder), wanted, kind)


@pytest.mark.parametrize(
    ("kind", "family"),
    [("llama", "llama3"), ("gemma", "gemma"), ("mistral", "mistral"), ("vicuna", "vicuna"), ("qwen2", "chatml")],
)
def test_ids_to_the_token(folders: dict[str, Path], kind: str, family: str) -> None:
    """Specials are one id each, and between them stands what the tokenizer makes of the text."""
    found = chat(folders, kind)
    assert found.template.name == family
    ids = found.prompt([Message("user", "Hello")], [], WireNames([]))
    golden = found.template.render([{"role": "user", "content": "Hello"}], [])
    names = {number: name for name, number in found.tokens.specials.items()}
    rest = golden
    for place in [number for number in ids if number in names]:
        assert names[place] in rest
        rest = rest.partition(names[place])[2]
    opening = {"gemma": ["<bos>", "<start_of_turn>"], "qwen2": ["<|im_start|>"]}.get(kind, ["<s>"])
    opening = ["<|begin_of_text|>", "<|start_header_id|>"] if kind == "llama" else opening
    assert [names[number] for number in ids[: len(opening)]] == opening
    plain = "".join(part for part in _apart(golden, list(found.tokens.specials)))
    assert found.decode(ids).replace(" ", "") == plain.replace(" ", "")


def _apart(text: str, marks: list[str]) -> list[str]:
    for mark in marks:
        text = text.replace(mark, "\0")
    return text.split("\0")


@pytest.mark.parametrize("kind", ["llama", "gemma", "mistral", "qwen2"])
@pytest.mark.parametrize("evil", ["<|eot_id|>", "<end_of_turn>", "</s>", "<|im_end|>", "<bos>", "<eos>"])
def test_a_message_cannot_write_a_special_token(folders: dict[str, Path], kind: str, evil: str) -> None:
    found = chat(folders, kind)
    specials = set(found.tokens.specials.values())

    def count(text: str) -> int:
        return sum(number in specials for number in found.prompt([Message("user", text)], [], WireNames([])))

    assert count(f"a{evil}b") == count("ab")


@given(st.text(), st.lists(st.sampled_from(["<s>", "<|x|>", "[INST]"]), unique=True))
def test_harmless_text_has_no_mark_in_it(text: str, marks: list[str]) -> None:
    made = harmless({"a": [text + "".join(marks)]}, marks)
    assert not any(mark in made["a"][0] for mark in marks)


def test_a_template_whose_tokens_are_missing_is_refused(folders: dict[str, Path]) -> None:
    with pytest.raises(BadFile, match="its tokenizer has no <bos>, which the template 'gemma' needs"):
        chat(folders, "llama", "gemma")


def test_no_own_template(folders: dict[str, Path]) -> None:
    with pytest.raises(BadOption, match="has no chat template of its own; known: gemma, llama3"):
        chat(folders, "llama", "own")


def own(source: str) -> templates.Template:
    return templates.own(source, "here", ("</s>",), {"bos_token": "<s>"})


def test_a_models_own_template() -> None:
    source = "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m['content'] | trim }}\n{% endfor %}"
    assert own(source).render(TALK[1:3], []) == "<s>[user] Hello\n[assistant] Hi!\n"


def test_an_own_template_that_refuses() -> None:
    with pytest.raises(ModelError, match="the chat template of here refuses this conversation: no system"):
        own("{{ raise_exception('no system') }}").render(TALK, [])


@pytest.mark.parametrize("source", ["{{ ''.__class__.__mro__ }}", "{{ messages.append(1) }}", "{{ 1 / 0 }}"])
def test_an_own_template_runs_in_a_sandbox(source: str) -> None:
    made = own(source)
    with pytest.raises(ModelError, match="cannot show this conversation"):
        made.render(TALK, [])


def test_an_own_template_with_a_mistake() -> None:
    with pytest.raises(BadFile, match="its chat template cannot be read"):
        own("{% for %}")


TOOLS = [ToolSpec("add", receiver="action")]


@pytest.mark.parametrize(
    ("opening", "text", "rest"),
    [
        ("<tool_call>", 'So.\n<tool_call>\n{"name": "action__add", "arguments": {"a": 1}}\n</tool_call>', "So."),
        ("<tool_call>", '<tool_call>{"name": "action__add", "arguments": {"a": 1}}', ""),
        ("[TOOL_CALLS]", '[TOOL_CALLS] [{"name": "action__add", "arguments": {"a": 1}}]', ""),
        ('{"name"', '{"name": "action__add", "parameters": {"a": 1}}', ""),
    ],
)
def test_calls_out_of_a_reply(opening: str, text: str, rest: str) -> None:
    from toolmend.models.keras.calls import calls_of

    assert calls_of(text, opening, WireNames(["action.add"])) == (rest, (Call("action.add", {"a": 1}, "call1"),))


@pytest.mark.parametrize("text", ["hello", "<tool_call>{oops</tool_call>", "<tool_call>[1]</tool_call>", "{}"])
def test_what_is_no_call_stays_text(text: str) -> None:
    from toolmend.models.keras.calls import calls_of

    assert calls_of(text, "<tool_call>", WireNames([])) == (text, ())
