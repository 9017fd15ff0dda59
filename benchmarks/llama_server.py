"""A server of llama.cpp over HTTP on this machine, as `openai/NAME?base_url=…` meets it: the one inside xllamacpp.

    python benchmarks/llama_server.py [smol/tools] [--port 8090] [--threads 1]     # Ctrl-C ends it

Serves the base with an adapter that ships, or `gguf/NAME` as it is, and knows nothing of toolmend while it does.
"""

from __future__ import annotations

import argparse
import signal

from toolmend.models.gguf.engine import library
from toolmend.models.gguf.model import GgufModel
from toolmend.registry import models


def main() -> None:
    """Serve until somebody ends it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", nargs="?", default="smol/tools")
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    family, _, name = args.model.partition("/")
    model = models.get(family)(name)
    assert isinstance(model, GgufModel)
    package = library()
    params = package.CommonParams()
    params.model.path = str(model.header.path)
    params.hostnames, params.port = ["127.0.0.1"], args.port
    params.n_parallel, params.n_ctx = 2, 2 * model.window
    params.fit_params = params.warmup = False
    params.verbosity = -1
    for kind in (params.cpuparams, params.cpuparams_batch):
        kind.n_threads, kind.poll = args.threads, 0
    if model.adapter:
        params.lora_adapters = [package.CommonAdapterLoraInfo(str(model.adapter.path), 1.0)]
    server = package.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    signal.sigwait([signal.SIGINT, signal.SIGTERM])


if __name__ == "__main__":
    main()
