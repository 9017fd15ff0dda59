"""`make fuzz`: inputs nobody meant, made of good ones by damage, for every place that reads what others wrote.

    python tests/attacks/fuzz.py MINUTES [SEED]

What raises anything but its own refusal, or takes more than `SECONDS`, is written into corpus/TARGET/, which
test_corpus.py reads: once mended, it stays a test.
"""

from __future__ import annotations

import hashlib
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).with_name("corpus")
SECONDS = 10
PARTS = (
    b"{", b"}", b"[", b"]", b'"', b"\\", b"\n", b"\0", b"\xff\xfe", b"&a", b"*a", b"---\n", b"<!ENTITY", b"]]>",
    b"#/$defs/a", b"allOf", b"1e999", b"-0", b"\\ud800", b"PK\x03\x04", b"\x1f\x8b", b"%PDF-", b"\xe2\x80\xae",
    b"(" * 90, b"$ref", b"[" * 90, b"9" * 400, b"<think>", b"action.", b"true", b"null", b"NaN", b"tool", b"../", b"@",
)  # fmt: skip


def reader(data: bytes) -> None:
    """Replies of models."""
    from toolmend.reading import read
    from toolmend.tools import Toolbox

    read(data.decode("utf-8", "replace"), Toolbox.load("calendar").specs)


def collector(data: bytes) -> None:
    """Files and pages, under a name that their bytes choose."""
    from toolmend.extras.knowledge.collect import Item, read

    endings = ("md", "html", "xml", "zip", "pdf", "json", "vtt", "ipynb", "gz", "txt")
    name = f"a.{endings[hashlib.sha256(data).digest()[0] % len(endings)]}"
    list(read(Item(data, name, f"file:///{name}")))


def schema(data: bytes) -> None:
    """Schemas, and values held against them."""
    from toolmend.base import schemas
    from toolmend.base.errors import BadOption

    try:
        given = json.loads(data)
        schemas.check(given)
        schemas.levels(given, 8) if isinstance(given, dict) else None
        schemas.errors(schemas.harmless(given), given)
    except (BadOption, ValueError, RecursionError):
        pass


def body(data: bytes) -> None:
    """Bodies of both endpoints."""
    from toolmend.apps.server.body import read_body
    from toolmend.apps.server.refusals import ApiError
    from toolmend.apps.server.responses_body import read_response

    for read in (read_body, read_response):
        with suppress(ApiError):
            read(data)


def frame(data: bytes) -> None:
    """Messages of an MCP server, and what its tools answer."""
    from mcp_types import CallToolResult, jsonrpc_message_adapter

    from toolmend.base.errors import ToolError
    from toolmend.tools.mcp import value_of

    try:
        message: Any = jsonrpc_message_adapter.validate_json(data, by_name=False)
        value_of(CallToolResult.model_validate(getattr(message, "result", {})), 1_000)
    except (ValueError, ToolError):
        pass


TARGETS: dict[str, tuple[Callable[[bytes], None], tuple[bytes, ...]]] = {
    "reader": (
        reader,
        (
            b'action.add_calendar_entry("Lunch", date=date(2024, 5, 3), time="12:00")',
            b'```json\n[{"name": "add_calendar_entry", "arguments": {"title": "x", "date": "2024-05-03"}}]\n```',
            b'<tool_call>{"name": "add_calendar_entry", "arguments": {"title": "x"}}</tool_call>',
            b"- add_calendar_entry\n  - title: Lunch\n  - date: 2024-05-03",
        ),
    ),
    "collector": (
        collector,
        (
            b"---\ntitle: A\nauthor: [Ada, Ben]\n---\n# B\n\nText [1](https://a.example) of some words.\n",
            b"<html><head><title>A</title></head><body><article><p>Words and words.</p></article></body></html>",
            b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation></PubmedArticle>"
            b"</PubmedArticleSet>",
            b"WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello there.\n",
            b'{"count": 1, "sources": [{"source_url": "https://a.example", "content_chunks": ["a b", "b c"], '
            b'"raw_text": "a", "scraped_at": "2026-04-26", "published_date": "2012-Jul-18", "topic_tags": ["x"]}]}',
        ),
    ),
    "schema": (
        schema,
        (
            b'{"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}',
            b'{"anyOf": [{"type": "integer", "minimum": 1}, {"enum": ["a", null]}], "uniqueItems": true}',
        ),
    ),
    "body": (
        body,
        (
            b'{"model": "m", "messages": [{"role": "user", "content": "Hi"}], "tools": [{"type": "function", '
            b'"function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}], "stream": true}',
            b'{"model": "m", "input": [{"role": "user", "content": [{"type": "input_text", "text": "Hi"}]}]}',
        ),
    ),
    "frame": (
        frame,
        (
            b'{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "Hi"}], "isError": false}}',
            b'{"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "no"}}',
        ),
    ),
}


@contextmanager
def limited() -> Iterator[None]:
    """Raise TimeoutError where it takes too long, computing: a busy machine is nobody's fault."""

    def late(*_about: object) -> None:
        raise TimeoutError(f"more than {SECONDS} s of computing")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def damaged(chance: random.Random, seeds: list[bytes]) -> bytes:
    """A seed with pieces written over, doubled, taken out, or put in from another."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.randrange(1, 12)):
        at, length = chance.randrange(len(data) + 1), chance.randrange(12)
        other = chance.choice(seeds)
        start = chance.randrange(len(other) + 1)
        put = chance.choice([b"", chance.choice(PARTS), chance.randbytes(3), other[start : start + 40]])
        data[at : at + length] = put * chance.choice([1, 1, 1, 2, 60])
    return bytes(data[:100_000])


def main(minutes: float, seed: int) -> int:
    """Print how many inputs each target read, and what was found; the number of finds."""
    chance, counts, finds = random.Random(seed), Counter[str](), dict[tuple[str, str], Path]()
    seeds = {name: [*given, *_fixtures(name)] for name, (_, given) in TARGETS.items()}
    for target, given in TARGETS.values():  # what they import takes its time, too
        target(given[0])
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        for name, (target, _) in TARGETS.items():
            data = damaged(chance, seeds[name])
            counts[name] += 1
            try:
                with limited():
                    target(data)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                what = name, f"{type(error).__name__}: {error}"[:200]
                if what not in finds:
                    finds[what] = _kept(name, data)
    for name, times in counts.items():
        print(f"{name:10} {times:8,} inputs")
    for (name, what), path in finds.items():
        print(f"FOUND by {name}: {what}\n      {path.relative_to(ROOT)}")
    print(f"{counts.total():,} inputs in {minutes:g} minutes (seed {seed}): {len(finds)} found")
    return len(finds)


def _fixtures(name: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((CORPUS / name).glob("*"))]


def _kept(name: str, data: bytes) -> Path:
    path = CORPUS / name / f"{hashlib.sha256(data).hexdigest()[:12]}.bin"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    sys.exit(min(1, main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
