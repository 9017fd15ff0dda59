"""The models of the published calendar experiment (hf.co/blog/keras-chatbot-arena): where each is to be had, its size,
context and licence, and what keeps it from running on this machine. Loads nothing; knows neither Keras nor a server.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from toolmend.errors import ToolmendError


@dataclass(frozen=True)
class Entry:
    """A model of the experiment. `linked` is the page that the experiment links, `kaggle` the same weights there, and
    `elsewhere` the model behind a server; `parameters` counts weights, `context` tokens."""

    name: str
    label: str
    kaggle: str
    linked: str
    elsewhere: str
    parameters: int
    context: int
    licence: str

    @property
    def handles(self) -> tuple[str, ...]:
        """Where `keras/NAME` looks for it: the page that was linked first."""
        return f"hf://{self.linked}", f"kaggle://{self.kaggle}"

    @property
    def bytes(self) -> int:
        """Bytes of the weights in bfloat16."""
        return 2 * self.parameters


_GEMMA, _LLAMA3 = "Gemma terms of use", "Llama 3.1 Community License"

ENTRIES = (
    Entry(
        "gemma2-9b", "Gemma 2 9B-instr", "keras/gemma2/keras/gemma2_instruct_9b_en",
        "google/gemma-2-instruct-9b-keras", "ollama/gemma2:9b", 9_241_705_984, 8192, _GEMMA,
    ),
    Entry(
        "llama3.1-8b", "Llama-3.1 8B-instr", "keras/llama3/keras/llama3.1_instruct_8b",
        "meta-llama/Llama-3.1-8B-Instruct", "ollama/llama3.1:8b", 8_030_261_248, 131_072, _LLAMA3,
    ),
    Entry(
        "llama3.2-3b", "Llama-3.2 3B-instr", "keras/llama3/keras/llama3.2_instruct_3b",
        "meta-llama/Llama-3.2-3B-Instruct", "ollama/llama3.2:3b", 3_212_749_824, 131_072,
        "Llama 3.2 Community License",
    ),
    Entry(
        "llama3.2-1b", "Llama-3.2 1B-instr", "keras/llama3/keras/llama3.2_instruct_1b",
        "meta-llama/Llama-3.2-1B-Instruct", "ollama/llama3.2:1b", 1_235_814_400, 131_072,
        "Llama 3.2 Community License",
    ),
    Entry(
        "gemma-2b", "Gemma 2B-instr", "keras/gemma/keras/gemma_instruct_2b_en",
        "google/gemma-2b-it-keras", "ollama/gemma:2b", 2_506_172_416, 8192, _GEMMA,
    ),
    Entry(
        "codegemma-7b", "Codegemma 7B-instr", "keras/codegemma/keras/code_gemma_instruct_7b_en",
        "google/codegemma-7b-it-keras", "ollama/codegemma:7b", 8_537_680_896, 8192, _GEMMA,
    ),
    Entry(
        "vicuna-7b", "Vicuna 1.5 7B-instr", "keras/vicuna/keras/vicuna_1.5_7b_en",
        "keras/vicuna_1.5_7b_en", "ollama/vicuna:7b-v1.5-q4_0", 6_738_415_616, 4096,
        "Llama 2 Community License",
    ),
    Entry(
        "mistral-7b", "Mistral 7B-instr", "keras/mistral/keras/mistral_instruct_7b_en",
        "keras/mistral_instruct_7b_en", "ollama/mistral:7b-instruct-v0.1-q4_0", 7_241_732_096, 8192,
        "Apache-2.0",
    ),
)  # fmt: skip
"""Parameters are those of KerasHub's presets (0.32), the tied heads of the small Llamas counted once. Contexts are
those of each model's config.json (Mistral 7B v0.1: its makers' 8k, of which a layer sees 4,096). Ollama's short names
`vicuna:7b` and `mistral:7b` are other models by now (v1.3 and v0.3): the tags here say the version."""

HOSTED = ("gemini/gemini-2.5-flash", "Gemini, online (GEMINI_API_KEY)")
"""The hosted model of the experiment's third column, by the name that its provider takes today."""


def find(name: str) -> Entry | None:
    """The entry of a short name."""
    return next((entry for entry in ENTRIES if entry.name == name), None)


def rows(budget: int | None = None) -> list[dict[str, Any]]:
    """Every entry as plain values; `why_not` lists what keeps it from running here, nothing if it can."""
    from toolmend.models.keras.resident import usual_budget

    allowed = usual_budget() if budget is None else budget
    return [
        {
            "model": f"keras/{entry.name}", "label": entry.label, "parameters": entry.parameters, "bytes": entry.bytes,
            "context": entry.context, "licence": entry.licence, "handles": list(entry.handles),
            "elsewhere": entry.elsewhere, "why_not": list(_reasons(entry, allowed)),
        }
        for entry in ENTRIES
    ]  # fmt: skip


def _reasons(entry: Entry, budget: int) -> Iterator[str]:
    from toolmend.models.keras.folder import Folder, locate
    from toolmend.models.keras.resident import size

    if any(find_spec(name) is None for name in ("keras", "keras_hub", "jax")):
        yield "the extra 'local' is not installed"
    try:
        Folder.read(locate(entry.name))
    except ToolmendError as error:
        here = "is not on this machine" not in str(error)
        yield str(error) if here else f"not fetched: hf download {entry.linked}"
    if entry.bytes > budget:
        yield f"{size(entry.bytes)} in bfloat16, and the budget is {size(budget)}"
