"""A BERT of any size as an ONNX file, from a table of weights under Hugging Face's names. Needs the package onnx.

benchmarks/knowledge.py --onnx makes all-MiniLM of its published weights so.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np


def random_weights(
    vocabulary: int, width: int = 8, layers: int = 1, inner: int = 16, places: int = 64
) -> dict[str, Any]:
    """Weights as a checkpoint names them, drawn with a fixed seed."""
    draw = np.random.default_rng(0)

    def some(*shape: int) -> Any:
        return draw.normal(0, 0.5, shape).astype(np.float32)

    shapes = {"word_embeddings": vocabulary, "position_embeddings": places, "token_type_embeddings": 2}
    made = {f"embeddings.{name}.weight": some(rows, width) for name, rows in shapes.items()}
    norms = ["embeddings"]
    for layer in range(layers):
        at = f"encoder.layer.{layer}"
        norms += [f"{at}.attention.output", f"{at}.output"]
        for name in ("query", "key", "value"):
            made |= _linear(f"{at}.attention.self.{name}", some(width, width))
        made |= _linear(f"{at}.attention.output.dense", some(width, width))
        made |= _linear(f"{at}.intermediate.dense", some(inner, width)) | _linear(
            f"{at}.output.dense", some(width, inner)
        )
    for norm in norms:
        made |= {f"{norm}.LayerNorm.weight": np.ones(width, "f4"), f"{norm}.LayerNorm.bias": np.zeros(width, "f4")}
    return made


def _linear(name: str, weight: Any) -> dict[str, Any]:
    return {f"{name}.weight": weight, f"{name}.bias": np.zeros(len(weight), "f4")}


def write_bert(path: Path, weights: Mapping[str, Any], heads: int) -> None:
    """Write the model: input_ids, attention_mask, token_type_ids to a vector for each token."""
    import onnx
    from onnx import TensorProto, helper

    graph = _Graph(weights)
    out = graph.encoder(heads)
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names]
    width = weights["embeddings.word_embeddings.weight"].shape[1]
    outputs = [helper.make_tensor_value_info(out, TensorProto.FLOAT, ["batch", "length", width])]
    made = helper.make_graph(graph.nodes, "bert", inputs, outputs, graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


class _Graph:
    """Nodes and constants, made one after another."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.weights, self.nodes, self.constants = weights, list[Any](), list[Any]()

    def constant(self, value: Any) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def do(self, kind: str, *inputs: str, **given: Any) -> str:
        from onnx import helper

        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **given))
        return name

    def floats(self, *values: float) -> str:
        return self.constant(np.array(values if len(values) > 1 else values[0], dtype=np.float32))

    def linear(self, x: str, name: str) -> str:
        product = self.do("MatMul", x, self.constant(self.weights[f"{name}.weight"].T))
        return self.do("Add", product, self.constant(self.weights[f"{name}.bias"]))

    def norm(self, x: str, name: str) -> str:
        weight, bias = (self.constant(self.weights[f"{name}.LayerNorm.{each}"]) for each in ("weight", "bias"))
        return self.do("LayerNormalization", x, weight, bias, axis=-1, epsilon=1e-12)

    def encoder(self, heads: int) -> str:
        tables = [self.constant(self.weights[f"embeddings.{each}_embeddings.weight"]) for each in
                  ("word", "token_type", "position")]  # fmt: skip
        zero, one = (self.constant(np.array(each, dtype=np.int64)) for each in (0, 1))
        length = self.do("Gather", self.do("Shape", "input_ids"), one)
        places = self.do("Gather", tables[2], self.do("Range", zero, length, one))
        x = self.do("Add", self.do("Gather", tables[0], "input_ids"), self.do("Gather", tables[1], "token_type_ids"))
        x = self.norm(self.do("Add", x, places), "embeddings")
        seen = self.do("Cast", "attention_mask", to=1)
        hidden = self.do("Mul", self.do("Sub", self.floats(1.0), seen), self.floats(-1e9))
        mask = self.do("Unsqueeze", hidden, self.constant(np.array([1, 2], dtype=np.int64)))
        layers = 1 + max(int(name.split(".")[2]) for name in self.weights if name.startswith("encoder.layer."))
        for layer in range(layers):
            x = self.block(x, mask, f"encoder.layer.{layer}", heads)
        return x

    def block(self, x: str, mask: str, at: str, heads: int) -> str:
        width = self.weights["embeddings.word_embeddings.weight"].shape[1]
        split = self.constant(np.array([0, 0, heads, width // heads], dtype=np.int64))
        q, k, v = (
            self.do("Transpose", self.do("Reshape", self.linear(x, f"{at}.attention.self.{name}"), split), perm=perm)
            for name, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        )
        scores = self.do("Mul", self.do("MatMul", q, k), self.floats((width // heads) ** -0.5))
        mixed = self.do("MatMul", self.do("Softmax", self.do("Add", scores, mask), axis=-1), v)
        joined = self.do("Transpose", mixed, perm=[0, 2, 1, 3])
        joined = self.do("Reshape", joined, self.constant(np.array([0, 0, width], dtype=np.int64)))
        x = self.norm(self.do("Add", x, self.linear(joined, f"{at}.attention.output.dense")), f"{at}.attention.output")
        inner = self.linear(x, f"{at}.intermediate.dense")
        erf = self.do("Erf", self.do("Mul", inner, self.floats(0.5**0.5)))
        gelu = self.do("Mul", self.do("Mul", inner, self.floats(0.5)), self.do("Add", erf, self.floats(1.0)))
        return self.norm(self.do("Add", x, self.linear(gelu, f"{at}.output.dense")), f"{at}.output")
