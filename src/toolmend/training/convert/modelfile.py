"""What `ollama create` needs beside the GGUF file. Knows the template's text from templates.py."""

from __future__ import annotations

from toolmend.models.builtin.tokens import END, SPECIAL, USER
from toolmend.training.convert.source import Trained
from toolmend.training.convert.templates import go


def modelfile(trained: Trained) -> str:
    """A Modelfile beside `model.gguf`: greedy, the model's own window, its end as stop. Nothing is penalised."""
    lines = [
        "FROM ./model.gguf",
        f'TEMPLATE """{go(trained.tokens.spelling)}"""',
        f'PARAMETER stop "{SPECIAL[END]}"',
        f'PARAMETER stop "{SPECIAL[USER]}"',
        f"PARAMETER num_ctx {trained.window}",
        f"PARAMETER num_predict {trained.window // 3}",
        "PARAMETER temperature 0",
        "PARAMETER repeat_penalty 1",
    ]
    if trained.license:
        lines.append(f'LICENSE """{trained.license}"""')
    return "\n".join(lines) + "\n"
