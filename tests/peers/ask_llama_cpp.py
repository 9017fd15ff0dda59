"""Ask a GGUF file by llama.cpp's own server: ask_llama_cpp.py FILE exact|usual. Run by the peers' Python.

`exact` keeps keys and values in float32 without flash attention; `usual` is what llama.cpp does by itself (float16).
Standard input: a JSON list of conversations. Standard output: for each the prompt's ids, log-probabilities by
token, the reply.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from typing import Any

import xllamacpp as xl


def main(path: str, how: str) -> None:
    """One answer a conversation."""
    talks, out = json.load(sys.stdin), os.dup(1)
    os.dup2(2, 1)  # llama.cpp writes its log to standard output
    server, answers = start(path, how == "exact"), []
    for talk in talks:
        prompt = post(server, "/apply-template", {"messages": talk})["prompt"]
        ids = post(server, "/tokenize", {"content": prompt, "add_special": True, "parse_special": True})["tokens"]
        asked = {"prompt": ids, "n_predict": 1, "temperature": -1, "n_probs": 20_000, "cache_prompt": False}
        top = (
            post(server, "/completion", asked)["completion_probabilities"][0]["top_logprobs"] if how == "exact" else []
        )
        said = post(server, "/v1/chat/completions", {"messages": talk, "temperature": 0, "max_tokens": 200})
        answers.append(
            {
                "ids": ids,
                "logprobs": [(each["id"], each["logprob"]) for each in top if each["logprob"] is not None],
                "text": said["choices"][0]["message"]["content"],
            }
        )
    with os.fdopen(out, "w") as stream:
        json.dump(answers, stream)


def start(path: str, exact: bool) -> Any:
    """A server with the file."""
    given = xl.CommonParams()
    given.model.path = path
    given.n_ctx, given.n_parallel, given.port, given.warmup = 768, 1, 0, False
    given.cpuparams.n_threads = 1
    if exact:
        given.flash_attn_type = xl.llama_flash_attn_type(0)
        given.cache_type_k = given.cache_type_v = xl.ggml_type.GGML_TYPE_F32
    return xl.Server(given)


def post(server: Any, path: str, body: dict[str, Any]) -> Any:
    """One request."""
    data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(server.listening_address + path, data, kind)) as reply:
        return json.load(reply)


if __name__ == "__main__":
    main(*sys.argv[1:])
