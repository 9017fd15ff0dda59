"""A fake server for tests and benchmarks: OpenAI-compatible and Ollama's own format, scripted, with faults by name.

    async with FakeServer(["Hello."], faults=at({0: ["429"]})) as server: ...  # server.url, server.requests
    with hosted(FakeServer(["Hello."])) as server: ...                          # the same for tests without `await`

`python tests/fakes/server.py --port 8123` serves it to a person. Knows nothing of the adapters it is there to try.
"""

from fakes.exchange import Received
from fakes.faults import FAULTS, Fault, always, at, mixture
from fakes.serving import FakeServer, hosted

__all__ = ["FAULTS", "FakeServer", "Fault", "Received", "always", "at", "hosted", "mixture"]
