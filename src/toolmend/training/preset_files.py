"""The files of an embedded preset, written: weights, tokenizer, sizes, what it is for, and its card.

They are written beside and moved into place one by one, so that a folder never holds half a file. Knows no framework.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from toolmend.models.builtin.engine import Sizes
from toolmend.models.builtin.preset import FORMAT, file_hash, write_config
from toolmend.models.builtin.tokens import Tokens


def write_files(
    folder: Path,
    weights: Mapping[str, NDArray[np.float16]],
    sizes: Sizes,
    tokens: Tokens,
    *,
    toolboxes: Sequence[str],
    window: int,
    about: Mapping[str, Any],
    card: str,
) -> None:
    """Write the folder; `weights` stand under Hugging Face names, `about` goes into toolmend.json, `card` is README.md.

    The tokenizer's hash goes into toolmend.json, too, so that another one is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".part-") as name:
        made = Path(name)
        save_file(dict(weights), made / "model.safetensors", metadata={"format": "pt"})
        tokens.tokenizer.save(str(made / "tokenizer.json"), pretty=False)
        write_config(made, sizes, window, tied="lm_head.weight" not in weights)
        data = {
            "format": FORMAT,
            "toolboxes": list(toolboxes),
            "shorthands": list(tokens.spelling.shorthands),
            "window": window,
            "tokenizer": file_hash(made / "tokenizer.json"),
            **about,
        }
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        (made / "toolmend.json").write_text(text, encoding="utf-8")
        (made / "README.md").write_text(card, encoding="utf-8")
        for path in sorted(made.iterdir()):
            path.replace(folder / path.name)
