"""Figures for Prometheus at /metrics: requests, seconds, tokens, what is in flight. Names of models, not of people.

Where `FOLDER` is set when this is imported, figures are files there, and those of all processes are summed up.
"""

from __future__ import annotations

import os
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector

from toolmend.apps.server.ledger import Entry

CONTENT_TYPE = CONTENT_TYPE_LATEST
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment by which prometheus_client keeps figures in files."""
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._children: dict[tuple[Any, ...], Any] = {}
        self._requests = Counter(
            "toolmend_requests", "Requests answered.", ["path", "model", "status"], registry=registry
        )
        self._seconds = Histogram(
            "toolmend_request_seconds",
            "Seconds to the end of an answer.",
            ["path"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._first = Histogram(
            "toolmend_first_byte_seconds", "Seconds to its first byte.", ["path"], buckets=_SECONDS, registry=registry
        )
        self._tokens = Counter("toolmend_tokens", "Tokens, as engines count.", ["model", "kind"], registry=registry)
        self._calls = Counter("toolmend_tool_calls", "Tool calls given to clients.", ["model"], registry=registry)
        self._gone = Counter("toolmend_disconnects", "Clients that went away before the end.", registry=registry)
        self._now = Gauge(
            "toolmend_requests_in_flight", "Requests being answered.", registry=registry, multiprocess_mode="livesum"
        )

    def begun(self) -> None:
        """A request came in."""
        self._now.inc()

    def ended(self, entry: Entry, path: str) -> None:
        """It is over. `path` is a route, not what a client wrote."""
        self._now.dec()
        self._child(self._requests, path, entry.model, str(entry.status)).inc()
        self._child(self._seconds, path).observe(entry.seconds)
        if entry.first is not None:
            self._child(self._first, path).observe(entry.first)
        if entry.usage.input_tokens or entry.usage.output_tokens:
            self._child(self._tokens, entry.model, "input").inc(entry.usage.input_tokens)
            self._child(self._tokens, entry.model, "output").inc(entry.usage.output_tokens)
        if entry.calls:
            self._child(self._calls, entry.model).inc(entry.calls)
        if entry.disconnected:
            self._gone.inc()

    def _child(self, metric: Any, *labels: str) -> Any:
        """The figure of these labels, looked up once: `labels()` takes a lock and builds a key each time."""
        key = (id(metric), *labels)
        if key not in self._children:
            self._children[key] = metric.labels(*labels)
        return self._children[key]

    def text(self) -> bytes:
        """All figures in Prometheus' text format."""
        if FOLDER not in os.environ:
            return generate_latest(self._registry)
        all_of_them = CollectorRegistry()
        MultiProcessCollector(all_of_them)  # type: ignore[no-untyped-call]
        return generate_latest(all_of_them)
