"""Run by test_mesh.py in a process with eight virtual devices: loads folders cut and whole, prints what came of it.

python on_eight.py FOLDER…      one JSON object on standard output
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np

from toolmend.models import load_model
from toolmend.models.keras import mesh, shards
from toolmend.models.keras.folder import Folder
from toolmend.models.keras.loading import load_lm, prepare
from toolmend.models.keras.model import KerasModel
from toolmend.models.keras.sizes import Sizes
from toolmend.models.keras.worker import worker

DEVICES = 8
IDS = np.random.default_rng(0).integers(5, 350, (1, 12)).astype("int32")


def logits(lm: Any) -> np.ndarray[Any, Any]:
    """Of one forward pass, compiled with the weights as arguments."""
    import jax
    import keras

    def run(values: list[Any], ids: Any) -> Any:
        with keras.StatelessScope(state_mapping=list(zip(lm.variables, values, strict=True))):
            return lm({"token_ids": ids, "padding_mask": ids * 0 + 1})

    return np.asarray(jax.jit(run)([variable.value for variable in lm.variables], IDS), "float32")


def parts(lm: Any) -> dict[str, list[list[int]]]:
    """Shapes of the parts of every weight, on all devices."""
    return {
        variable.path: [list(shard.data.shape) for shard in variable.value.addressable_shards]
        for variable in lm.variables
    }


def compare(path: Path) -> dict[str, Any]:
    """A folder cut in eight, and whole: where its weights lie, and how far its logits are apart."""
    folder = Folder.read(path)
    plan = shards.plan(Sizes.read(folder), DEVICES)
    cut = load_lm(folder, "float32", plan)
    found = parts(cut)
    planned = {each.path: list(each.part(DEVICES)) for each in plan.placed}
    whole = load_lm(folder, "float32")
    return {
        "as planned": all(shapes == [planned[name]] * DEVICES for name, shapes in found.items()),
        "whole": plan.whole,
        "own": sorted({each.path.rpartition("_0/")[2] for each in plan.placed if each.by == "own"}),
        "apart": float(np.abs(logits(cut) - logits(whole)).max()),
        "after": sorted({len(shapes) for shapes in parts(whole).values()}),
        "in bfloat16": sorted({str(v.value.dtype) for v in load_lm(folder, "bfloat16", plan).variables}),
    }


def talked(path: Path) -> dict[str, Any]:
    """What a model says through the worker, asked from another thread, cut and whole; and how its caches lie."""
    from toolmend.messages import Message, Options, Request

    said: dict[int, list[str]] = {}
    caches: dict[int, Any] = {}

    def ask(devices: int) -> None:
        model = load_model(f"keras/{path}?devices={devices}&window=48&batch=1")
        assert isinstance(model, KerasModel)
        first = Message("user", "hi")
        reply = model.reply_now(Request((first,), options=Options(max_tokens=5)))
        talk = (first, Message("assistant", reply.text), Message("user", "5pm"))
        said[devices] = [reply.text, model.reply_now(Request(talk, options=Options(max_tokens=5))).text]
        engine: Any = worker().call(model._engine)
        caches[devices] = [list(each.data.shape) for each in engine._kept[-1].cache.addressable_shards]

    for devices in (DEVICES, 1):
        thread = threading.Thread(target=ask, args=(devices,))
        thread.start()
        thread.join()
    return {"same": said[DEVICES] == said[1], "said": said[1], "caches": caches[DEVICES]}


def as_kerashub(name: str, sizes: Sizes) -> list[str]:
    """Weights whose cut is said to be KerasHub's, and is not."""
    import keras

    hub = prepare()
    devices = keras.distribution.DeviceMesh((1, DEVICES), ["batch", "model"])
    layouts = getattr(hub.models, name).get_layout_map(devices)
    wrong = []
    for each in shards.plan(sizes, DEVICES).placed:
        layout = layouts[each.path]
        theirs = None if layout is None else layout.axes.index("model")
        if (each.by == "KerasHub") != (theirs is not None) or (theirs is not None and each.axis != theirs):
            wrong.append(each.path)
    return wrong


def short_of_devices(path: Path) -> str:
    """What is said where a plan wants more devices than there are."""
    folder = Folder.read(path)
    try:
        load_lm(folder, "float32", shards.plan(Sizes.read(folder), 16))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def not_as_planned(path: Path) -> str:
    """What is said of weights that are whole on one device although they were to be cut."""
    folder = Folder.read(path)
    lm = load_lm(folder, "float32")
    try:
        mesh.check(shards.plan(Sizes.read(folder), DEVICES), lm, "it")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def main() -> None:
    """Everything, once."""
    folders = [Path(each) for each in sys.argv[1:]]
    found = {path.name: worker().call(lambda path=path: compare(path)) for path in folders}
    hub = {
        name: worker().call(lambda name=name, kind=kind, rest=rest: as_kerashub(name, Sizes(kind, *rest)))
        for name, kind, rest in (
            ("Llama3Backbone", "llama", (64, 1, 16, 32, 8, 8, 8, False)),
            ("QwenBackbone", "qwen2", (64, 1, 16, 32, 8, 8, 8, False)),
            ("GemmaBackbone", "gemma", (64, 1, 16, 32, 8, 8, 8, True, 4)),
        )
    }
    last = {
        "talked": talked(folders[0]),
        "not KerasHub's": hub,
        "short": worker().call(lambda: short_of_devices(folders[0])),
        "not as planned": worker().call(lambda: not_as_planned(folders[0])),
    }
    json.dump({**found, **last}, sys.stdout)


if __name__ == "__main__":
    main()
