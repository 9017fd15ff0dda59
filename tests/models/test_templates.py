"""What each family's template writes, to the letter, as its makers publish it; a model's own; calls out of replies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.errors import BadFile, ModelError, UnknownName
from toolmend.base.messages import Call
from toolmend.models import templates
from toolmend.models.openai_messages import WireNames
from toolmend.models.templates import harmless

TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Hi!"},
    {"role": "user", "content": "Bye"},
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
    # mistral-common, InstructTokenizerV1: the first request has the system text; replies are tokenized by themselves,
    # which puts the space before them
    "mistral": "<s>[INST] Be brief.\n\nHello [/INST] Hi!</s>[INST] Bye [/INST]",
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
    assert templates.find("vicuna").render(TALK[1:2], []) == (
        "<s>A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, "
        "detailed, and polite answers to the user's questions. USER: Hello ASSISTANT:"
    )


def test_gemma_is_given_no_white_space_at_the_ends() -> None:
    """As its chat_template trims."""
    asked = [{"role": "user", "content": " Hello \n"}]
    assert (
        templates.find("gemma").render(asked, [])
        == "<bos><start_of_turn>user\nHello<end_of_turn>\n<start_of_turn>model\n"
    )


def test_an_unknown_family_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"'falcon'; known: chatml, gemma, llama3, mistral, "):
        templates.find("falcon")


@given(st.text(), st.lists(st.sampled_from(["<s>", "<|x|>", "[INST]"]), unique=True))
def test_harmless_text_has_no_mark_in_it(text: str, marks: list[str]) -> None:
    made = harmless({"a": [text + "".join(marks)]}, marks)
    assert not any(mark in made["a"][0] for mark in marks)


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


@pytest.mark.parametrize(
    ("opening", "text", "rest"),
    [
        ("<tool_call>", 'So.\n<tool_call>\n{"name": "action__add", "arguments": {"a": 1}}\n</tool_call>', "So."),
        ("<tool_call>", '<tool_call>{"name": "action__add", "arguments": {"a": 1}}', ""),
        ("[TOOL_CALLS]", '[TOOL_CALLS] [{"name": "action__add", "arguments": {"a": 1}}]', ""),
    ],
)
def test_calls_out_of_a_reply(opening: str, text: str, rest: str) -> None:
    assert own(opening).calls(text, WireNames(["action.add"])) == (rest, (Call("action.add", {"a": 1}, "call1"),))


@pytest.mark.parametrize("text", ["hello", "<tool_call>{oops</tool_call>", "<tool_call>[1]</tool_call>", "{}"])
def test_what_is_no_call_stays_text(text: str) -> None:
    assert own("<tool_call>").calls(text, WireNames([])) == (text, ())
