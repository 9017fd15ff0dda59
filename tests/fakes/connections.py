"""Faults of the line: connections that drop, stall or never end, heads that are no HTTP. They come after all others."""

from __future__ import annotations

from fakes.exchange import Exchange
from fakes.fault import fault


def _size(exchange: Exchange) -> int:
    return sum(map(len, exchange.pieces))


def _drop(exchange: Exchange, cut: int) -> None:
    """Break off after `cut` bytes of the body, of which more were promised."""
    exchange.drop, exchange.cut = "in body", cut


@fault("drop-before-head", "line")
def drop_before_head(exchange: Exchange) -> None:
    """The connection closes instead of a reply."""
    exchange.drop = "before head"


@fault("drop-in-head", "line")
def drop_in_head(exchange: Exchange) -> None:
    """The connection closes in the middle of the headers."""
    exchange.drop = "in head"


@fault("drop-after-head", "line")
def drop_after_head(exchange: Exchange) -> None:
    """The connection closes before the first byte of the body."""
    _drop(exchange, 0)


@fault("drop-in-body", "line")
def drop_in_body(exchange: Exchange) -> None:
    """The connection closes in the middle of the body."""
    _drop(exchange, _size(exchange) // 2)


@fault("drop-in-utf8", "line")
def drop_in_utf8(exchange: Exchange) -> None:
    """The connection closes in the middle of a character."""
    body = b"".join(exchange.pieces)
    start = body.find("🍄".encode())
    if start < 0:
        exchange.pieces.insert(1, "🍄".encode())
        start = len(exchange.pieces[0])
    _drop(exchange, start + 2)


@fault("drop-at-end", "line")
def drop_at_end(exchange: Exchange) -> None:
    """The connection closes after the last byte of the body, but before its end is said."""
    exchange.framing = "chunked"
    _drop(exchange, _size(exchange))


@fault("reset-in-body", "line")
def reset_in_body(exchange: Exchange) -> None:
    """The connection is reset in the middle of the body."""
    _drop(exchange, _size(exchange) // 2)
    exchange.reset = True


@fault("reset-before-head", "line")
def reset_before_head(exchange: Exchange) -> None:
    """The connection is reset instead of a reply."""
    exchange.drop, exchange.reset = "before head", True


@fault("closes-idle", "line")
def closes_idle(exchange: Exchange) -> None:
    """The reply is right, then the connection closes although it was to be kept."""
    exchange.closing = True


@fault("length-too-long", "line")
def length_too_long(exchange: Exchange) -> None:
    """More bytes promised than there are."""
    exchange.framing = "close"
    exchange.headers["content-length"] = str(_size(exchange) + 100)


@fault("length-too-short", "line")
def length_too_short(exchange: Exchange) -> None:
    """Fewer bytes promised than there are."""
    exchange.framing = "close"
    exchange.headers["content-length"] = str(_size(exchange) // 2)


@fault("length-odd", "line")
def length_odd(exchange: Exchange) -> None:
    """A length that is no number."""
    exchange.framing = "close"
    exchange.headers["content-length"] = "many"


@fault("chunk-odd", "line")
def chunk_odd(exchange: Exchange) -> None:
    """A chunk whose size is no number."""
    exchange.framing = "close"
    exchange.headers["transfer-encoding"] = "chunked"


@fault("no-http", "line")
def no_http(exchange: Exchange) -> None:
    """Another protocol answers."""
    exchange.before_head, exchange.drop = b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", "before head"


@fault("huge-head", "line")
def huge_head(exchange: Exchange) -> None:
    """A header of 300 kB."""
    exchange.headers["x-trace"] = "x" * 300_000


@fault("early-hints", "line")
def early_hints(exchange: Exchange) -> None:
    """An informational reply before the right one."""
    exchange.before_head = b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n"


@fault("slow", "line")
def slow(exchange: Exchange) -> None:
    """The first byte takes its time."""
    exchange.hold = "briefly"


@fault("silent", "line")
def silent(exchange: Exchange) -> None:
    """The headers come, and then nothing ever."""
    exchange.hold, exchange.cut = "for ever", 0


@fault("stalls", "line")
def stalls(exchange: Exchange) -> None:
    """Half of the reply comes, and then nothing ever."""
    exchange.hold, exchange.cut = "for ever", _size(exchange) // 2


def _endless(exchange: Exchange, piece: bytes) -> None:
    """Say this again and again, after the first half of the reply."""
    exchange.framing = "chunked"
    exchange.headers.pop("content-length", None)
    exchange.pieces, exchange.endless = exchange.pieces[: len(exchange.pieces) // 2], piece


@fault("endless", "line", where="streams")
def endless(exchange: Exchange) -> None:
    """The model never stops talking, eight kilobytes at a time."""
    text = b"x" * 8000
    if exchange.received.api == "openai":
        _endless(exchange, b'data: {"choices": [{"index": 0, "delta": {"content": "%s"}}]}\n\n' % text)
    else:
        _endless(exchange, b'{"message": {"role": "assistant", "content": "%s"}, "done": false}\n' % text)


@fault("endless-pings", "line", where="streams")
def endless_pings(exchange: Exchange) -> None:
    """The server never stops saying that it lives, eight kilobytes at a time."""
    _endless(exchange, (b": ping" if exchange.received.api == "openai" else b"") + b" " * 8_000 + b"\n\n")


@fault("endless-line", "line")
def endless_line(exchange: Exchange) -> None:
    """A line that never ends, 64 kB at a time."""
    _endless(exchange, b"x" * 64_000)
    exchange.pieces = []
