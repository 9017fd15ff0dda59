"""Tokens a second, first token, reply and memory of the engine behind `gguf/…`, on SmolLM2 135M.

    toolmend models get smollm2; python benchmarks/gguf_engine.py [FILE.gguf …]

Each row is a process of its own. `alone`: a talk of two turns, the first after a cold prompt of some 330 tokens, the
second after what the cache holds; replies have 48 tokens. `eight`: eight talks at once, a prompt of some 80 tokens and
a reply of 48 each. 0 threads: as `gguf/…` chooses. Files: as shipped, the same weights as Q8_0 and Q4_0 (where the
package gguf is installed), and those that are named. Medians of ROUNDS; the load of the machine is printed, because it
decides.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
from rows import Peer, Row, in_turns

from toolmend.base.errors import ToolmendError
from toolmend.base.messages import Message, Options, Request
from toolmend.models.gguf import load
from toolmend.models.gguf.model import GgufModel
from toolmend.models.gguf.places import locate
from toolmend.models.openai_messages import names_of

ROUNDS, REPLY, TALKS = 3, 48, 8
SYSTEM = (
    "You translate what a person says into one call. action.add_calendar_entry(title: str, date: str, time: str, "
    "duration: int = 30) adds an entry. action.remove_calendar_entry(title: str, date: str, time: str) removes one. "
)
COLUMNS = (
    "file",
    "threads",
    "slots",
    "first cold",
    "first warm",
    "reply",
    "tok/s alone",
    "tok/s eight",
    "tok/CPU s",
    "peak MiB",
)


def main() -> None:
    """Print the table."""
    try:
        shipped = locate("smollm2")
    except ToolmendError as error:
        print(f"skipped: {error}")
        return
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; times in seconds, tokens are those of replies")
    print("".join(f"{name:>13}" for name in COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        for path in [shipped, *rewritten(shipped, Path(folder)), *map(Path, sys.argv[1:])]:
            for threads, slots in ((1, 1), (1, TALKS), (2, 1), (2, TALKS), (0, 1), (0, TALKS)):
                command = [sys.executable, __file__, "--one", str(path), str(threads), str(slots)]
                row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                cells = [path.stem.rpartition(".")[2], threads, slots, *row]
                print("".join(f"{cell:>13.2f}" if isinstance(cell, float) else f"{cell:>13}" for cell in cells))


def rows() -> Iterator[Row]:
    """Talks of two turns on one thread, each new to both, beside llama.cpp's own server as it comes."""
    model = load("smollm2?threads=1&num_ctx=2048&parallel=1")
    talks = []
    for number in range(ROUNDS + 1):
        first = Message("user", f"Talk {number}. {SYSTEM}Tell me about the sea.")
        talks.append([(first,), (first, Message("assistant", "It is wide."), Message("user", "And about the moon?"))])
    prompts = [[model.chat.prompt(said, (), names_of(said, ())) for said in talk] for talk in talks]
    place = itertools.count()

    def ours() -> float:
        made, began = 0, time.process_time()
        for said in talks[next(place)]:
            reply = anyio.run(model.reply, Request(said, options=Options(max_tokens=REPLY, temperature=0.0)))
            made += reply.usage.output_tokens
        return made / (time.process_time() - began)

    with Peer("xllamacpp", str(model.header.path), json.dumps(prompts), str(REPLY)) as llama:
        mine, peer = in_turns(ours, llama.turn, ROUNDS)
    yield Row("gguf/…: replies in a talk of two turns", "llama.cpp's server", "tokens/CPU s", mine, peer, more=True)


def one(path: str, threads: str, slots: str) -> None:
    """Print one row as JSON."""
    model = load(f"{path}?threads={threads}&num_ctx=2048&parallel={slots}")
    model.warm_up()
    talks = [anyio.run(alone, model, number) for number in range(ROUNDS)]
    cold, warm, whole, rate = (statistics.median(column) for column in zip(*talks, strict=True))
    together: list[float | str] = ["-", "-"]
    if int(slots) == TALKS:
        rounds = [anyio.run(eight, model, number) for number in range(ROUNDS)]
        together = [statistics.median(column) for column in zip(*rounds, strict=True)]
    print(json.dumps([cold, warm, whole, rate, *together, peak()]))


def peak() -> int:
    """MiB that this process ever held. Linux counts what its parent held in getrusage, but not here."""
    status = Path("/proc/self/status")
    if status.is_file():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 20


async def alone(model: GgufModel, number: int) -> tuple[float, float, float, float]:
    """Seconds to the first token of a cold and of a warm turn and to the end of the warm reply; its tokens a second."""
    said = [Message("user", f"Talk {number}. {SYSTEM * 4}Tell me about the sea.")]
    first = await timed(model, said)
    said += [Message("assistant", first[2]), Message("user", "And about the moon, in as many words?")]
    second = await timed(model, said)
    return first[0], second[0], second[1], (second[3] - 1) / (second[1] - second[0])


async def timed(model: GgufModel, said: list[Message]) -> tuple[float, float, str, int]:
    """Seconds to the first token and to the last, the text, its tokens."""
    began, heard = time.perf_counter(), list[float]()
    reply = await model.reply(request(said), on_delta=lambda _: heard.append(time.perf_counter() - began))
    return heard[0], time.perf_counter() - began, reply.text, reply.usage.output_tokens


async def eight(model: GgufModel, number: int) -> tuple[float, float]:
    """Reply tokens of eight talks at once, a second and a CPU second, reading their prompts included."""
    made = list[int]()

    async def talk(place: int) -> None:
        said = [Message("user", f"Round {number}, talk {place}. {SYSTEM}Tell me about the sea.")]
        made.append((await model.reply(request(said))).usage.output_tokens)

    began, used = time.perf_counter(), time.process_time()
    async with anyio.create_task_group() as group:
        for place in range(TALKS):
            group.start_soon(talk, place)
    return sum(made) / (time.perf_counter() - began), sum(made) / (time.process_time() - used)


def request(said: list[Message]) -> Request:
    return Request(tuple(said), options=Options(max_tokens=REPLY, temperature=0.7, seed=1))


def rewritten(shipped: Path, folder: Path) -> Iterator[Path]:
    """The same weights in other types, by the package gguf."""
    try:
        import gguf
    except ImportError:
        print("(not rewritten: the package gguf is not installed)")
        return
    for name in ("Q8_0", "Q4_0"):
        path = folder / f"SmolLM2.{name}.gguf"
        rewrite(gguf, shipped, path, getattr(gguf.GGMLQuantizationType, name))
        yield path


def rewrite(gguf: Any, shipped: Path, path: Path, kind: Any) -> None:
    """The same weights as `kind`; those of the embedding as Q8_0 at the coarsest."""
    reader, writer = gguf.GGUFReader(shipped), gguf.GGUFWriter(path, "llama")
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name != "general.architecture":
            inner = field.types[-1] if len(field.types) > 1 else None
            writer.add_key_value(field.name, field.contents(), field.types[0], sub_type=inner)
    for tensor in reader.tensors:
        weight = gguf.dequantize(tensor.data, tensor.tensor_type).astype("float32")
        if weight.ndim == 1:
            writer.add_tensor(tensor.name, weight)
        else:
            coarse = tensor.name == "token_embd.weight" and kind != gguf.GGMLQuantizationType.F32
            wanted = gguf.GGMLQuantizationType.Q8_0 if coarse else kind
            writer.add_tensor(tensor.name, gguf.quantize(weight, wanted), raw_dtype=wanted)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(*sys.argv[2:5])
    else:
        main()
