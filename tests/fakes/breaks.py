"""Faults in the bytes of a reply: lines and JSON that break, odd but legal framing, encodings. Knows no socket."""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import replace

from fakes import ollama, openai
from fakes.exchange import Exchange
from fakes.fault import fault
from fakes.openai import DONE

MEGABYTE = 1_000_000


def _lines(exchange: Exchange) -> list[bytes]:
    """The pieces that carry an event."""
    return [piece for piece in exchange.pieces if piece != DONE]


@fault("malformed", "bytes")
def malformed(exchange: Exchange) -> None:
    """One event is no JSON."""
    middle = len(exchange.pieces) // 2
    exchange.pieces[middle] = exchange.pieces[middle].replace(b'": ', b'" = ')


@fault("malformed-line", "bytes", where="streams")
def malformed_line(exchange: Exchange) -> None:
    """A line that belongs to no format."""
    exchange.pieces.insert(1, b"dat: {oops\n\n" if exchange.received.api == "openai" else b"}{ oops\n")


@fault("half-json", "bytes")
def half_json(exchange: Exchange) -> None:
    """The last event but one breaks off, and the reply ends there in good order."""
    kept = _lines(exchange)
    exchange.pieces = [*kept[:-1], kept[-1][: len(kept[-1]) // 2]]


@fault("no-done", "bytes", apis=("openai",), where="streams")
def no_done(exchange: Exchange) -> None:
    """No [DONE]; the connection's end is the end."""
    exchange.pieces = _lines(exchange)
    exchange.framing = "close"


@fault("no-end", "bytes", where="streams")
def no_end(exchange: Exchange) -> None:
    """The stream ends in good order before the model has said that it stops."""
    exchange.pieces = exchange.pieces[:2]


@fault("after-done", "bytes", where="streams")
def after_done(exchange: Exchange) -> None:
    """More after the end."""
    exchange.pieces.append(exchange.pieces[0])


@fault("comments", "bytes", apis=("openai",), where="streams")
def comments(exchange: Exchange) -> None:
    """Comments, names and numbers of events between the pieces."""
    exchange.pieces = [b": keep-alive\n\nevent: message\nid: 7\nretry: 10\n" + piece for piece in exchange.pieces]


@fault("blank-lines", "bytes", where="streams")
def blank_lines(exchange: Exchange) -> None:
    """Empty lines between the pieces."""
    exchange.pieces = [b"\n\n" + piece for piece in exchange.pieces]


@fault("crlf", "bytes", where="streams")
def crlf(exchange: Exchange) -> None:
    """Lines end with CR LF."""
    exchange.pieces = [piece.replace(b"\n", b"\r\n") for piece in exchange.pieces]


@fault("no-space", "bytes", apis=("openai",), where="streams")
def no_space(exchange: Exchange) -> None:
    """`data:` without a space."""
    exchange.pieces = [piece.replace(b"data: ", b"data:", 1) for piece in exchange.pieces]


@fault("two-lines", "bytes", apis=("openai",), where="streams")
def two_lines(exchange: Exchange) -> None:
    """One event over two `data:` lines, as the format allows."""
    exchange.pieces = [piece.replace(b", ", b",\ndata: ", 1) for piece in exchange.pieces]


@fault("bom", "bytes")
def bom(exchange: Exchange) -> None:
    """A byte order mark at the start."""
    exchange.pieces[0] = b"\xef\xbb\xbf" + exchange.pieces[0]


@fault("byte-by-byte", "bytes")
def byte_by_byte(exchange: Exchange) -> None:
    """Every byte in a chunk of its own."""
    exchange.framing = "chunked"
    whole = b"".join(exchange.pieces)
    exchange.pieces = [whole[place : place + 1] for place in range(len(whole))]


@fault("at-once", "bytes", where="streams")
def at_once(exchange: Exchange) -> None:
    """Every event in one chunk."""
    exchange.pieces = [b"".join(exchange.pieces)]


@fault("no-last-newline", "bytes", where="streams")
def no_last_newline(exchange: Exchange) -> None:
    """The last line does not end."""
    exchange.pieces[-1] = exchange.pieces[-1].rstrip(b"\n")


@fault("bad-utf8", "bytes")
def bad_utf8(exchange: Exchange) -> None:
    """A byte that is no UTF-8, inside the text."""
    exchange.pieces = [re.sub(rb'"content": "(?!")', b'"content": "\xff', piece) for piece in exchange.pieces]


@fault("wrong-type", "bytes")
def wrong_type(exchange: Exchange) -> None:
    """The right reply under a wrong content type."""
    exchange.headers["content-type"] = "text/html; charset=iso-8859-1"


@fault("no-type", "bytes")
def no_type(exchange: Exchange) -> None:
    """The right reply without a content type."""
    exchange.headers.pop("content-type", None)


@fault("whole-for-stream", "bytes", where="streams")
def whole_for_stream(exchange: Exchange) -> None:
    """A stream was asked for, the reply comes whole (as JSON, under JSON's content type)."""
    received = exchange.received
    told = replace(received, raw=b'{"model": "fake", "stream": false}')
    whole = Exchange(told, exchange.reply)
    wire = openai if received.api == "openai" else ollama
    whole.events = wire.events(whole)
    wire.encode(whole)
    exchange.instead("200 OK", b"".join(whole.pieces))


@fault("gzip", "bytes")
def gzipped(exchange: Exchange) -> None:
    """The right reply, compressed."""
    packer = zlib.compressobj(wbits=31)
    flushed = [packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) for piece in exchange.pieces]
    exchange.pieces = [*flushed, packer.flush()]
    exchange.headers["content-encoding"] = "gzip"


@fault("gzip-broken", "bytes")
def gzip_broken(exchange: Exchange) -> None:
    """Said to be compressed, and is not."""
    exchange.headers["content-encoding"] = "gzip"


@fault("gzip-bomb", "bytes")
def gzip_bomb(exchange: Exchange) -> None:
    """A few kilobytes that unpack to 64 megabytes without a line's end."""
    exchange.pieces = [_bomb()]
    exchange.headers["content-encoding"] = "gzip"


_kept_bomb: list[bytes] = []


def _bomb() -> bytes:
    if not _kept_bomb:
        _kept_bomb.append(gzip.compress(b'{"choices": "' + b"x" * 64 * MEGABYTE, 1))
    return _kept_bomb[0]


@fault("odd-encoding", "bytes")
def odd_encoding(exchange: Exchange) -> None:
    """A content encoding that nobody knows."""
    exchange.headers["content-encoding"] = "rot13"
