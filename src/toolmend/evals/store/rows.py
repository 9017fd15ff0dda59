"""Values to table rows and back: the only file that knows both. Events become one line of ASCII JSON.

A row that cannot be read back (damaged, or written by a newer toolmend) is a ValueError, a KeyError or a TypeError.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, time
from typing import Any

from toolmend.base import events
from toolmend.base.messages import Reply, Wire
from toolmend.evals.store.values import Counted, Run, RunConfig, Sample, storable
from toolmend.models.wrapped import from_row, to_row


def run_values(run: Run) -> dict[str, Any]:
    """The row of a run."""
    return {
        "id": run.id,
        "config_key": run.config.key,
        "suite": storable(run.config.suite),
        "config": json.dumps(run.config.to_json(), separators=(",", ":")),
        "created": run.created,
        "finished": run.finished,
        "status": run.status,
    }


def to_run(row: Any) -> Run:
    """The run of a row."""
    return Run(row.id, RunConfig.from_json(json.loads(row.config)), row.created, row.finished, row.status)


def sample_values(run_id: str, sample: Sample) -> dict[str, Any]:
    """The row of a sample."""
    return {
        "run": run_id,
        "key": sample.key,
        "case": storable(sample.case),
        "model": storable(sample.model),
        "strategy": storable(sample.strategy),
        "attempt": sample.attempt,
        "arm": storable(sample.arm),
        "seed": sample.seed,
        "status": sample.status,
        "detail": storable(sample.detail),
        "started": sample.started,
        "seconds": sample.seconds,
        "schema": events.SCHEMA,
        "events": _LINE.encode([events.to_json(event) for event in sample.events]),
    }


def to_sample(row: Any, only: Collection[str] | None = None) -> Sample:
    """The sample of a row; with `only`, its events of these kinds ("replied") alone."""
    if row.status not in ("ok", "error"):
        raise ValueError(f"unknown status {row.status!r}")
    return Sample(
        case=row.case,
        model=row.model,
        strategy=row.strategy,
        attempt=row.attempt,
        arm=row.arm,
        seed=row.seed,
        status=row.status,
        detail=row.detail,
        events=to_events(row, only),
        started=row.started,
        seconds=row.seconds,
    )


def to_events(row: Any, only: Collection[str] | None = None) -> tuple[events.Event, ...]:
    """The events of a sample's row, or those of some kinds: making the others would take most of the time."""
    if row.schema > events.SCHEMA:
        raise ValueError(f"events of schema {row.schema}, known here: {events.SCHEMA}")
    log = json.loads(row.events)
    return tuple([events.from_json(item) for item in log if only is None or item["event"] in only])


def counted_values(run_id: str, sample: int, attempt: int, count: Counted) -> dict[str, Any]:
    """The row of what a sample counts for."""
    kept = {"version": count.version, "kind": count.kind, "numbers": count.numbers}
    return {"sample": sample, "run": run_id, "attempt": attempt, **kept}


def pack(text: str) -> bytes:
    """The bytes of a text as the store keeps long ones: UTF-8, compressed; any str comes back as it was."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def unpack(data: bytes) -> str:
    """The text of these bytes. Raises ValueError for bytes that `pack` did not make."""
    try:
        return zlib.decompress(data).decode("utf-8", "surrogatepass")
    except zlib.error as error:
        raise ValueError(str(error)) from error


def exchange_values(model: str, wire: Wire, made: str) -> dict[str, Any]:
    """The row of what went over the wire."""
    request, reply = pack(wire.request), pack(wire.reply)
    return {"key": wire.key, "model": storable(model), "request": request, "reply": reply, "made": made}


def to_wire(row: Any) -> Wire:
    """What went over the wire."""
    return Wire(unpack(row.request), unpack(row.reply))


def cached_values(key: str, reply: Reply, made: str) -> dict[str, Any]:
    """The row of a reply that need not be asked for again."""
    full = {**to_row(reply), "seconds": reply.usage.seconds, "model": reply.model}
    packed = pack(json.dumps(full, separators=(",", ":"), default=_as_text))
    return {"key": key, "reply": packed, "exchange": reply.wire.key if reply.wire else "", "made": made}


def to_cached(row: Any) -> Reply:
    """The reply of a row that joins `cached_replies` with the exchange, where that was kept."""
    found = json.loads(unpack(row.cached))
    reply = from_row(found, str(found["model"]))
    return reply if row.request is None else replace(reply, wire=to_wire(row))


def report_values(run_id: str, key: str, report: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a report."""
    return {"run": run_id, "key": storable(key), "report": pack(json.dumps(report, separators=(",", ":")))}


def to_report(row: Any) -> dict[str, Any]:
    """The report of a row."""
    found: dict[str, Any] = json.loads(unpack(row.report))
    return found


def _as_text(value: object) -> Any:
    """What stands in the log for a value that JSON does not know: a sample is not lost for the sake of one."""
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    return repr(value)


_LINE = json.JSONEncoder(separators=(",", ":"), default=_as_text)
