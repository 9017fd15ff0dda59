"""Names of models and of those who make them, put out of sight in what models wrote.

    Mask(["ollama/qwen2.5:7b"]).text("I am Qwen 2.5, made by Alibaba Cloud.")  ->  "I am [model], made by [maker]."

A name is found whatever its case and between whatever signs. A word that is a name and an ordinary word, too, stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

MODEL, MAKER = "[model]", "[maker]"

# Families of models and their makers: what a model says when it introduces itself.
_FAMILIES = (
    "chatgpt gpt claude gemini gemma llama mistral mixtral ministral codestral qwen qwq deepseek command-r command-a "
    "tulu vicuna nemotron smollm olmo internlm baichuan chatglm glm kimi ernie hunyuan grok jamba dbrx exaone stablelm "
    "starcoder"
).split()
# Ordinary words, too: names only with a number behind them, or where somebody introduces itself.
_ORDINARY = "phi bloom falcon solar hermes alpaca zephyr granite command aya yi".split()
_STRATEGIES = "freyr freyr_paper oneline".split()  # those that are no ordinary word
_SIZES = "tiny mini small base medium large instruct chat model".split()
_MAKERS = (
    "OpenAI", "Open AI", "Anthropic", "Google", "DeepMind", "Meta AI", "Mistral AI", "Alibaba Cloud", "Alibaba",
    "Tongyi", "Microsoft", "Cohere", "DeepSeek-AI", "Moonshot AI", "Zhipu AI", "Zhipu", "Baidu", "Tencent", "xAI",
    "AI21", "Databricks", "IBM", "Nvidia", "Hugging Face", "Ollama", "Allen Institute for AI",
)  # fmt: skip


class NameMask:
    """Knows the names of some models and strategies, as a run has them, and every family and maker listed here."""

    def __init__(self, names: Iterable[str]) -> None:
        forms = sorted({form for name in names for form in _forms(name)}, key=len, reverse=True)
        numbered = [rf"{word}{_NUMBER}" for word in _ORDINARY]
        named = [f"{_loose(form)}{_NUMBER}?" for form in (*forms, *_FAMILIES)]
        self._models = _words([*named, *numbered, *map(_loose, sorted(_STRATEGIES, key=len, reverse=True))])
        self._makers = _words([_loose(maker) for maker in sorted(_MAKERS, key=len, reverse=True)])

    def text(self, text: str) -> str:
        """The text with `[model]` and `[maker]` for names."""
        return self._makers.sub(MAKER, self._models.sub(MODEL, _INTRODUCED.sub(rf"\1{MODEL}", text)))

    def value(self, value: Any) -> Any:
        """A JSON value with every text in it masked, names of fields too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(name)): self.value(item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        return value


def _forms(name: str) -> Iterator[str]:
    """`ollama/qwen2.5:7b?think=false`: as it is, without options, without the family, without the size, and `qwen`.

    A last part that is one ordinary word (`builtin/small`) is no name by itself.
    """
    bare = name.partition("?")[0]
    last = bare.rpartition("/")[2]
    yield from (form for form in (name, bare) if "/" in form)
    for form in dict.fromkeys((last, last.partition(":")[0])):
        if any(sign.isdigit() for sign in form) and len(form) > 2 and not form.isdigit():
            yield form
    words = re.split(r"[-_. ]", last.partition(":")[0].lower())
    if len(words) > 1 and words[0] not in (*_ORDINARY, *_SIZES) and all(word in _SIZES for word in words[1:]):
        yield from (last.partition(":")[0], words[0])  # `orca-mini`: a name and a size
    stem = re.match(r"[^\W\d_]{4,}(?=\d|[-_. ]\d)", last)
    if stem and stem[0].lower() not in (*_ORDINARY, *_SIZES):
        yield stem[0]


_NUMBER = r"(?:[\s_-]?v?\d+(?:\.\d+)*(?:[bk]\b)?)"


_AM = r"(?<![^\W_])((?:[Ii] am|[Ii]['’]m|[Mm]y name is|[Cc]alled|[Nn]amed)\s+)"
_INTRODUCED = re.compile(rf"{_AM}(?:{'|'.join(map(str.title, _ORDINARY))})(?![^\W_])")


def _words(patterns: Iterable[str]) -> re.Pattern[str]:
    """One of the patterns, as a word of its own."""
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(patterns)})(?![^\W_])", re.IGNORECASE)


def _loose(name: str) -> str:
    """A pattern for a name, in which blanks, `-` and `_` are all the same, or nothing."""
    pieces = re.findall(r"[^\W\d_]+|\d+|[^\w\s]", name)
    return r"[\s_-]?".join(re.escape(piece) for piece in pieces if piece != "-")
