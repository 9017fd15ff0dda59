"""The state of a training on disk: a safetensors file per checkpoint, written whole or not at all.

    WORK/step-00000120.safetensors     tensors, and in the head: place in the data, recipe, SHA-256 of all of it

A file is written beside, flushed to the disk and renamed; the one before stays until the next. One that is damaged is
passed over for the one before it. Knows no model.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from toolmend.errors import BadFile, BadOption

Tensors = Mapping[str, NDArray[Any]]
_KEPT = 2


@dataclass(frozen=True)
class Checkpoint:
    """What is needed to go on: `about` is plain JSON (place, best so far), `tensors` weights and optimizer."""

    step: int
    tensors: Tensors
    about: Mapping[str, Any]


def save_checkpoint(work: Path, checkpoint: Checkpoint, run: Mapping[str, Any]) -> Path:
    """Write it and let go of all but the one before. `run` says which training it is of.

    Raises BadFile where it cannot be written (a full disk): then what was there is still there.
    """
    about = json.dumps({"step": checkpoint.step, "run": dict(run), "about": dict(checkpoint.about)}, sort_keys=True)
    head = {"toolmend": about, "sha256": _digest(checkpoint.tensors, about)}
    path = work / f"step-{checkpoint.step:08}.safetensors"
    try:
        work.mkdir(parents=True, exist_ok=True)
        write_whole(path, save(dict(checkpoint.tensors), metadata=head))
    except OSError as error:
        kept = _files(work)
        stays = f"the one of step {_step(kept[-1]):,} stays" if kept else "there is none yet"
        raise BadFile(path, f"the checkpoint could not be written ({error.strerror or error}); {stays}") from error
    for old in _files(work)[:-_KEPT]:
        old.unlink()
    return path


def last_checkpoint(work: Path, run: Mapping[str, Any]) -> Checkpoint | None:
    """The newest that is whole, None where there is none. Raises BadOption for the work folder of another training."""
    for path in reversed(_files(work)):
        found = _read(path)
        if found is not None:
            _same(work, found[1], run)
            return found[0]
    return None


def checkpoint_of(work: Path, step: int) -> Checkpoint:
    """That of a certain step. Raises BadFile where it is not there or not whole."""
    path = work / f"step-{step:08}.safetensors"
    found = _read(path)
    if found is None:
        raise BadFile(path, "is damaged or gone; remove the work folder to start over")
    return found[0]


def _read(path: Path) -> tuple[Checkpoint, Mapping[str, Any]] | None:
    """A checkpoint and the training that it is of; None where the file is cut short or changed."""
    try:
        with safe_open(path, "numpy") as file:
            head = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError):
        return None
    about = head.get("toolmend", "")
    if head.get("sha256") != _digest(tensors, about):
        return None
    data = json.loads(about)
    return Checkpoint(data["step"], tensors, data["about"]), data["run"]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or, whatever happens, as it was before."""
    partial = path.with_name(f".{path.name}.part")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _same(work: Path, kept: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    other = [name for name in wanted if kept.get(name) != json.loads(json.dumps(wanted[name]))]
    if other:
        what = ", ".join(other)
        raise BadOption(f"{work} holds another training ({what} differ); choose another --work folder or remove it")


def _digest(tensors: Tensors, about: str) -> str:
    digest = hashlib.sha256(about.encode())
    for name in sorted(tensors):
        array = np.ascontiguousarray(tensors[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _files(work: Path) -> list[Path]:
    return sorted(work.glob("step-*.safetensors"))


def _step(path: Path) -> int:
    return int(path.stem.removeprefix("step-"))
