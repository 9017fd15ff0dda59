"""The models of the published calendar experiment (hf.co/blog/keras-chatbot-arena): where each is to be had, its size,
context and licence, and what keeps it from running on this machine. Loads nothing; knows neither Keras nor a server.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from toolmend.base.errors import ToolmendError


@dataclass(frozen=True)
class CatalogueModel:
    """A model of the experiment. `linked` is the page that the experiment links, `elsewhere` the model behind a server;
    `parameters` counts weights, `context` tokens."""

    name: str
    linked: str
    elsewhere: str
    parameters: int
    context: int
    licence: str

    @property
    def bytes(self) -> int:
        """Bytes of the weights in bfloat16."""
        return 2 * self.parameters


_GEMMA, _LLAMA = "Gemma terms of use", "Llama {} Community License"
_VICUNA, _MISTRAL = "ollama/vicuna:7b-v1.5-q4_0", "ollama/mistral:7b-instruct-v0.1-q4_0"
_META = "meta-llama/Llama-{}-Instruct"

ENTRIES = tuple(
    CatalogueModel(*row)
    for row in (
        ("gemma2-9b", "google/gemma-2-instruct-9b-keras", "ollama/gemma2:9b", 9_241_705_984, 8192, _GEMMA),
        ("llama3.1-8b", _META.format("3.1-8B"), "ollama/llama3.1:8b", 8_030_261_248, 131_072, _LLAMA.format("3.1")),
        ("llama3.2-3b", _META.format("3.2-3B"), "ollama/llama3.2:3b", 3_212_749_824, 131_072, _LLAMA.format("3.2")),
        ("llama3.2-1b", _META.format("3.2-1B"), "ollama/llama3.2:1b", 1_235_814_400, 131_072, _LLAMA.format("3.2")),
        ("gemma-2b", "google/gemma-2b-it-keras", "ollama/gemma:2b", 2_506_172_416, 8192, _GEMMA),
        ("codegemma-7b", "google/codegemma-7b-it-keras", "ollama/codegemma:7b", 8_537_680_896, 8192, _GEMMA),
        ("vicuna-7b", "keras/vicuna_1.5_7b_en", _VICUNA, 6_738_415_616, 4096, _LLAMA.format("2")),
        ("mistral-7b", "keras/mistral_instruct_7b_en", _MISTRAL, 7_241_732_096, 8192, "Apache-2.0"),
    )
)
"""Parameters are those of KerasHub's presets (0.32), the tied heads of the small Llamas counted once. Contexts are
those of each model's config.json (Mistral 7B v0.1: its makers' 8k, of which a layer sees 4,096). Ollama's short names
`vicuna:7b` and `mistral:7b` are other models by now (v1.3 and v0.3): the tags here say the version."""

HOSTED = ("gemini/gemini-2.5-flash", "Gemini, online (GEMINI_API_KEY)")
"""The hosted model of the experiment's third column, by the name that its provider takes today."""


def find(name: str) -> CatalogueModel | None:
    """The entry of a short name."""
    return next((entry for entry in ENTRIES if entry.name == name), None)


def rows(budget: int | None = None) -> list[dict[str, Any]]:
    """Every entry as plain values; `why_not` lists what keeps it from running here, nothing if it can."""
    from toolmend.extras.keras.resident import usual_budget

    allowed = usual_budget() if budget is None else budget
    return [
        {
            **asdict(entry),
            "model": f"keras/{entry.name}",
            "bytes": entry.bytes,
            "why_not": list(_reasons(entry, allowed)),
        }
        for entry in ENTRIES
    ]


def _reasons(entry: CatalogueModel, budget: int) -> Iterator[str]:
    from toolmend.extras.keras.folder import Folder, locate
    from toolmend.extras.keras.resident import size

    if any(find_spec(name) is None for name in ("keras", "keras_hub", "jax")):
        yield "the extra 'local' is not installed"
    try:
        Folder.read(locate(entry.name))
    except ToolmendError as error:
        here = "is not on this machine" not in str(error)
        yield str(error) if here else f"not fetched: hf download {entry.linked}"
    if entry.bytes > budget:
        yield f"{size(entry.bytes)} in bfloat16, and the budget is {size(budget)}"
