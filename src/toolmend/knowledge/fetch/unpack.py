"""A body as it was sent to the body it stands for: gzip and deflate, undone piece by piece up to a limit."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from toolmend.knowledge.fetch.fetched import Refused

ASKED = "gzip, deflate"
_STEP = 1 << 20


class Unpacker:
    """Takes the pieces of a body; `coding` is its Content-Encoding. Raises Refused: bomb, too_large or unreadable.

    `most` bounds both the bytes as sent and the bytes unpacked.
    """

    def __init__(self, coding: str, most: int) -> None:
        bare = coding.strip().lower()
        if bare not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise Refused("unreadable", f"packed as {bare[:40]!r}, which was not asked for")
        self._new = _WAYS.get(bare)
        self._way = self._new() if self._new else None
        self._begun = False
        self._most, self._came = most, 0
        self._out = bytearray()

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""
        self._came += len(piece)
        if self._came > self._most:
            raise Refused("too_large", f"more than {_size(self._most)}")
        if self._way is None:
            self._out += piece
            return
        try:
            self._undo(piece)
        except zlib.error as error:
            raise Refused("unreadable", f"damaged on the way ({error})") from error

    def close(self) -> bytes:
        """The whole body."""
        if self._way is not None and self._begun and not self._way.eof:
            raise Refused("unreadable", "the packed body ends too early")
        return bytes(self._out)

    def _undo(self, piece: bytes) -> None:
        while piece:
            assert self._way is not None and self._new is not None
            if self._way.eof:  # gzip may have several members, one after the other; zeros may fill it up
                piece = piece.lstrip(b"\0")
                if not piece:
                    return
                self._way = self._new()
            try:
                made = self._way.decompress(piece, _STEP)
            except zlib.error:
                if self._begun or self._new is not _deflate:
                    raise
                self._way = zlib.decompressobj(-zlib.MAX_WBITS)  # deflate without its frame, which many servers send
                made = self._way.decompress(piece, _STEP)
            self._begun = True
            self._out += made
            if len(self._out) > self._most:
                raise Refused("bomb", f"unpacks to more than {_size(self._most)}")
            piece = self._way.unused_data if self._way.eof else self._way.unconsumed_tail


def _gzip() -> zlib._Decompress:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)


def _deflate() -> zlib._Decompress:
    return zlib.decompressobj()


_WAYS: dict[str, Callable[[], zlib._Decompress]] = {"gzip": _gzip, "x-gzip": _gzip, "deflate": _deflate}


def _size(count: int) -> str:
    return f"{count // 1_000_000} MB" if count >= 1_000_000 else f"{count:,} bytes"
