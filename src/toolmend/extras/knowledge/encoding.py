"""Bytes to text, decided once, at the door: BOM, header, meta, strict UTF-8, then a detector. Nothing is repaired.

Knows no file format beyond where one declares its charset.
"""

from __future__ import annotations

import codecs
import re

from toolmend.base.errors import MissingExtra

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_META = re.compile(rb"<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_META_WITHIN = 4096
# Codecs of Python that no page is written in: they read escapes as characters.
_NO_CHARSETS = frozenset({"punycode", "raw-unicode-escape", "unicode-escape", "utf-7"})
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")


def decode(data: bytes, header: str = "") -> tuple[str, str]:
    """Bytes as text, and the encoding they were in; `header` is a Content-Type header.

    A declared charset that does not fit gives way to strict UTF-8 if that does, and so does a declared one-byte
    charset, in which everything fits: text that is valid UTF-8 beyond ASCII was never written in it. Raises
    MissingExtra if only the detector could tell.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return cleaned(data[len(mark) :].decode(name, errors="replace")), name
    declared, text = _declared(data, header), _strictly(data, "utf-8")
    told = _strictly(data, declared) if declared else None
    one_byte = declared.startswith(("cp12", "iso8859", "latin", "mac")) and not data.isascii()
    if told is not None and not (one_byte and text is not None):
        return cleaned(told), declared
    if text is not None:
        return cleaned(text), "utf-8"
    name = declared or _detected(data)
    return cleaned(data.decode(name, errors="replace")), name


def cleaned(text: str) -> str:
    """Text that any database keeps: Unix line ends, no NUL, no half of a surrogate pair."""
    return _UNKEEPABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _declared(data: bytes, header: str) -> str:
    """The charset that the header or the page declares, "" for none that Python knows."""
    meta = _META.search(data[:_META_WITHIN])
    claims = [found[1] for found in [_HEADER.search(header)] if found]
    for claim in [*claims, *([meta[1].decode("ascii", "replace")] if meta else [])]:
        try:
            name = codecs.lookup(claim).name
            b"\xff".decode(name, errors="replace")  # some codecs are not of text, or give up
        except (LookupError, ValueError):
            continue
        if name not in _NO_CHARSETS:
            # As browsers do: pages that say Latin-1 or ASCII mean Windows-1252, and one read as text is not UTF-16.
            return {"iso8859-1": "cp1252", "ascii": "cp1252", "utf-16": "utf-8"}.get(name, name)
    return ""


def _strictly(data: bytes, encoding: str) -> str | None:
    """The text, None if some byte does not fit."""
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _detected(data: bytes) -> str:
    try:
        from charset_normalizer import from_bytes
    except ImportError as error:
        raise MissingExtra("text of an unknown encoding", "knowledge") from error
    best = from_bytes(data[:200_000]).best()
    return best.encoding if best is not None else "cp1252"
