"""What peers take for a turn: `python peers.py MODULE …` prints it for every line that it reads. Run by rows.py, in any
Python that has the module; knows nothing of toolmend.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

Turn = Callable[[], float]


def inspect_ai(said: str, epochs: int = 100) -> Turn:
    """Milliseconds of CPU of a sample: an instant model says what it should, and the text is compared."""
    from inspect_ai import Task, eval  # type: ignore[import-not-found]
    from inspect_ai.dataset import Sample  # type: ignore[import-not-found]
    from inspect_ai.model import ModelOutput, ModelUsage, get_model  # type: ignore[import-not-found]
    from inspect_ai.scorer import exact  # type: ignore[import-not-found]

    task = Task(dataset=[Sample(input="Add a meeting with Fred on Nov 11 at 5PM", target=said)], scorer=exact())
    reply = ModelOutput.from_content("mockllm/model", said)
    reply.usage = ModelUsage(input_tokens=12, output_tokens=24, total_tokens=36)  # else it counts, by a file to fetch
    replies = [reply] * epochs

    def turn() -> float:
        model = get_model("mockllm/model", custom_outputs=replies, memoize=False)
        with tempfile.TemporaryDirectory() as folder:
            began = time.process_time()
            (log,) = eval(task, model=model, epochs=epochs, log_dir=folder, display="none")
            took = time.process_time() - began
        if log.status != "success":
            raise SystemExit(log.error and log.error.message[:300])
        return 1000 * took / epochs

    return turn


def evalica(path: str) -> Turn:
    """Milliseconds of CPU of a fit from names; the file has rows of two names and the place of the winner, 2 a tie."""
    import evalica  # type: ignore[import-not-found]

    winners = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)
    with open(path, encoding="utf-8") as file:
        first, second, won = json.load(file)
    won = [winners[place] for place in won]

    def turn() -> float:
        began = time.process_time()
        evalica.bradley_terry(first, second, won)
        return 1000 * (time.process_time() - began)

    return turn


def xllamacpp(path: str, talks: str, tokens: str) -> Turn:
    """Tokens of replies a CPU second, prompts read too, by llama.cpp's own server as it comes, in this process on one
    thread; every turn takes the next of the talks, which are lists of prompts."""
    import xllamacpp as package

    params = package.CommonParams()
    params.model.path = path
    params.n_ctx, params.n_parallel, params.warmup, params.verbosity = 2048, 1, False, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server, left = package.Server(params), iter(json.loads(talks))

    def turn() -> float:
        made, began = 0, time.process_time()
        for prompt in next(left):
            reply = server.handle_completions({"prompt": prompt, "max_tokens": int(tokens), "temperature": 0.0})
            made += reply["usage"]["completion_tokens"]
        return made / (time.process_time() - began)

    return turn


def peft(shape: str) -> Turn:
    """Tokens a CPU second of transformers' trainer, peft on every linear layer; one thread, random weights."""
    import peft  # type: ignore[import-not-found]
    import torch
    import transformers  # type: ignore[import-not-found]

    said: dict[str, Any] = json.loads(shape)
    torch.set_num_threads(1)
    config = transformers.LlamaConfig(**said["config"])
    base = transformers.LlamaForCausalLM(config).to(getattr(torch, said["numbers"]))
    adapter = peft.LoraConfig(r=said["rank"], lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    model = peft.get_peft_model(base, adapter)
    rows = [{"input_ids": row, "labels": [-100] * (len(row) - said["learned"]) + row[-said["learned"] :]}
            for row in said["rows"]]  # fmt: skip

    def turn() -> float:
        with tempfile.TemporaryDirectory() as folder:
            options = transformers.TrainingArguments(
                folder, per_device_train_batch_size=said["batch"], num_train_epochs=1, report_to=[], save_strategy="no",
                disable_tqdm=True, logging_strategy="no", use_cpu=True, learning_rate=8e-4, bf16=False,
            )  # fmt: skip
            trainer = transformers.Trainer(model, options, train_dataset=rows)
            began = time.process_time()
            trainer.train()
            return sum(map(len, said["rows"])) / (time.process_time() - began)

    return turn


if __name__ == "__main__":
    measure: Turn = globals()[sys.argv[1]](*sys.argv[2:])
    for _ in sys.stdin:
        print(f"took {measure()}", flush=True)
