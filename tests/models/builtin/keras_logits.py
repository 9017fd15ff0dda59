"""Run by test_keras.py in a process of its own: KerasHub's logits for a preset folder, and its greedy continuation.

keras_logits.py IDS.json OUT.npz FOLDER ...      IDS: {"whole": [ids], "begun": [ids], "more": how many to continue}
"""

import json
import sys
from pathlib import Path

import keras_hub
import numpy as np


def main(asked: str, out: str) -> None:
    results = {}
    for name, job in json.loads(Path(asked).read_text(encoding="utf-8")).items():
        backbone = keras_hub.models.CausalLM.from_preset(job["folder"], dtype="float32", preprocessor=None).backbone

        def logits(row: list[int], backbone: keras_hub.models.Backbone = backbone) -> np.ndarray:
            x = np.array([row])
            states = backbone({"token_ids": x, "padding_mask": np.ones_like(x)})
            return np.asarray(backbone.token_embedding(states, reverse=True))[0]

        said, room = list(job["begun"]), len(job["begun"]) + job["more"]
        for _ in range(job["more"]):  # padded to one length, so that nothing is compiled again
            said.append(int(logits(said + [0] * (room - len(said)))[len(said) - 1].argmax()))
        results |= {f"{name} logits": logits(job["whole"]), f"{name} said": said[len(job["begun"]) :]}
    np.savez(out, **results)


main(*sys.argv[1:])
