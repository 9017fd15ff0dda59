"""Run by test_keras.py in a process of its own: KerasHub's logits for a preset folder, and its greedy continuation.

    keras_logits.py IDS.json OUT.npz FOLDER ...      IDS: {"whole": [ids], "begun": [ids], "more": how many to continue}
"""

import json
import sys
from pathlib import Path

import keras_hub
import numpy as np


def main(asked: str, out: str, *folders: str) -> None:
    ids = json.loads(Path(asked).read_text(encoding="utf-8"))
    results = {}
    for number, folder in enumerate(folders):
        backbone = keras_hub.models.CausalLM.from_preset(folder, dtype="float32", preprocessor=None).backbone

        def logits(row: list[int], backbone: keras_hub.models.Backbone = backbone) -> np.ndarray:
            x = np.array([row])
            states = backbone({"token_ids": x, "padding_mask": np.ones_like(x)})
            return np.asarray(backbone.token_embedding(states, reverse=True))[0]

        said, room = list(ids["begun"]), len(ids["begun"]) + ids["more"]
        for _ in range(ids["more"]):  # padded to one length, so that nothing is compiled again
            said.append(int(logits(said + [0] * (room - len(said)))[len(said) - 1].argmax()))
        results |= {f"logits{number}": logits(ids["whole"]), f"said{number}": said[len(ids["begun"]) :]}
    np.savez(out, **results)


main(*sys.argv[1:])
