"""HTTP/1.1 by hand: reads a request, writes a reply, and breaks off where an exchange says so. Knows no wire format."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable

from fakes.exchange import Exchange, Received


async def read_request(reader: asyncio.StreamReader, number: Callable[[], int], connection: int) -> Received | None:
    """The next request of a connection, numbered when it has come; None where the client has closed it."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        raw = await _read_chunks(reader)
    else:
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
    return Received(number(), connection, method, path, headers, raw)


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    found = b""
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        found += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return found


async def send(
    exchange: Exchange,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    hold: Callable[[], Awaitable[None]],
    pace: float | None,
) -> bool:
    """Write the reply. Returns whether the connection may go on; `hold` is awaited where the exchange waits."""
    writer.write(exchange.before_head)
    if exchange.drop == "before head":
        return _hang_up(exchange, writer)
    head = _head(exchange)
    if exchange.drop == "in head":
        writer.write(head[: len(head) // 2])
        return _hang_up(exchange, writer)
    if exchange.hold == "briefly":
        await hold()
    writer.write(head)
    await _body(exchange, writer, pace)
    if exchange.hold == "for ever":
        await reader.read(1)  # until the client gives up
        return False
    if exchange.drop:
        return _hang_up(exchange, writer)
    if exchange.framing == "chunked":
        writer.write(b"0\r\n\r\n")
    await writer.drain()
    return not exchange.closing and exchange.framing != "close"


def _head(exchange: Exchange) -> bytes:
    headers = dict(exchange.headers)
    if exchange.framing == "chunked":
        headers.setdefault("transfer-encoding", "chunked")
    elif exchange.framing == "length":
        headers.setdefault("content-length", str(sum(map(len, exchange.pieces))))
    else:
        headers.setdefault("connection", "close")
    lines = [f"HTTP/1.1 {exchange.status}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("utf-8")


async def _body(exchange: Exchange, writer: asyncio.StreamWriter, pace: float | None) -> None:
    pieces = _until(exchange.pieces, exchange.cut) if exchange.drop or exchange.hold == "for ever" else exchange.pieces
    for piece in pieces:
        await _piece(exchange, writer, piece, pace)
    while exchange.endless:
        await _piece(exchange, writer, exchange.endless, pace)
        await asyncio.sleep(0)


async def _piece(exchange: Exchange, writer: asyncio.StreamWriter, piece: bytes, pace: float | None) -> None:
    if not piece:
        return
    writer.write(b"%x\r\n%s\r\n" % (len(piece), piece) if exchange.framing == "chunked" else piece)
    await writer.drain()
    if pace is not None:
        await asyncio.sleep(pace)


def _until(pieces: list[bytes], cut: int) -> list[bytes]:
    """The pieces of the first `cut` bytes."""
    kept = []
    for piece in pieces:
        kept.append(piece[:cut])
        cut -= len(kept[-1])
    return kept


def _hang_up(exchange: Exchange, writer: asyncio.StreamWriter) -> bool:
    """No more on this connection; with `reset`, the kernel tells the client so at once (RST instead of FIN)."""
    if exchange.reset:
        with contextlib.suppress(OSError):
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False
