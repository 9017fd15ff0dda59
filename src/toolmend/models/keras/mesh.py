"""Carries a plan of shards out: Keras loads a model's weights straight into their parts. On the worker's thread only.

Keras keeps its distribution per thread, and a weight without a layout is copied to all devices in silence: so it is
set around one loading, and what came of it is checked part by part.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from toolmend.errors import BadOption, ModelError
from toolmend.models.keras.shards import ShardPlan

_AXES = ("batch", "model")


@contextmanager
def spread(plan: ShardPlan, name: str) -> Iterator[None]:
    """What is loaded inside lies as the plan says. Raises BadOption where there are fewer devices."""
    import keras

    mesh = _mesh(plan.devices, name)
    layouts = keras.distribution.LayoutMap(mesh)
    for each in plan.placed:
        if each.axis is not None:
            layouts[each.path] = tuple("model" if place == each.axis else None for place in range(len(each.shape)))
    before = keras.distribution.distribution()
    keras.distribution.set_distribution(
        keras.distribution.ModelParallel(layout_map=layouts, batch_dim_name="batch", auto_shard_dataset=False)
    )
    try:
        yield
    finally:
        keras.distribution.set_distribution(before)


def check(plan: ShardPlan, lm: Any, name: str) -> None:
    """Whether every weight lies as planned, by the shapes of its parts. Raises ModelError naming those that do not."""
    parts = {each.path: each.part(plan.devices) for each in plan.placed}
    wrong = []
    for variable in lm.variables:
        shards = variable.value.addressable_shards
        shapes = {tuple(shard.data.shape) for shard in shards}
        if variable.path not in parts:
            small = variable.value.ndim < 2  # seeds of samplers and the like
            wrong += [] if small else [f"{variable.path} (not in the plan)"]
        elif shapes != {parts[variable.path]} or len(shards) != plan.devices:
            wrong.append(f"{variable.path} (parts {sorted(shapes)}, planned {parts[variable.path]})")
    if wrong:
        raise ModelError(f"{name} does not lie on {plan.devices} devices as planned: {', '.join(wrong[:4])}")


def cache_sharding(plan: ShardPlan) -> Any:
    """How caches of shape (rows, layers, 2, length, heads, size) lie on the devices of a plan."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    devices = np.array(jax.devices()[: plan.devices]).reshape(1, plan.devices)
    axes = ["model" if place == plan.cache_axis else None for place in range(6)]
    return NamedSharding(Mesh(devices, _AXES), PartitionSpec(*axes))


def _mesh(devices: int, name: str) -> Any:
    import keras

    found = keras.distribution.list_devices()
    if len(found) < devices:
        raise BadOption(
            f"{name}?devices={devices}: this machine has {len(found)} "
            "(to try it out on a CPU: XLA_FLAGS=--xla_force_host_platform_device_count=8)"
        )
    return keras.distribution.DeviceMesh((1, devices), list(_AXES), devices=found[:devices])
