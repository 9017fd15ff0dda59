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
# What pages that say so are written in, and browsers read them as (WHATWG, Encoding, 4.2).
_MEANT = {
    **dict.fromkeys(("iso8859-1", "ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "hz"), "gb18030"),
    **dict.fromkeys(("euc_kr", "johab"), "cp949"),
    **dict.fromkeys(("tis-620", "iso8859-11"), "cp874"),
    "utf-16": "utf-8",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "iso8859-9": "cp1254",
}
# What is looked for where nothing is declared: no DOS or Mac code page but the one that was in use on the web.
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "iso8859_2")
_OTHERS = (
    *("cp1251", "koi8_r", "cp866", "cp1253", "cp1255", "cp1256", "cp874"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
)
_WESTERN = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœšžÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŒŠŽŸðþÐÞ")
_SIGNS = frozenset("“”‘’„‚‹›«»–—…•·¡¿€£¥¢§©®™°²³½¼¾×÷±µª º\xa0†‡‰ˆ˜¹¶¬¯´¨¸¦")
_INSIDE = re.compile(r"[^\W\d_][¡¿£¥¢§©®°²³½¼¾×÷±¹¶¬¯¨¸¦][^\W\d_]|[a-z]Ÿ[a-z]")
_KANA = re.compile("[\u3041-\u30fe]")
_LETTERS = b"\x8a\x8c\x8e\x9a\x9c\x9e\x9f"
_FEW = 40  # bytes beyond ASCII: of fewer no detector knows a language
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
            return _MEANT.get(name, name)
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
    if b"\0" in data[:200]:
        best = from_bytes(data[:200_000]).best()
        return best.encoding if best is not None else "cp1252"
    high = sum(byte > 127 for byte in data[:200_000])
    western = _western(data[:200_000])
    if western and high < _FEW:
        return "cp1252"
    kana = _strictly(data, "euc_jp") or ""
    if not _is_latin(data) and len(_KANA.findall(kana)) * 5 > len(kana):  # Korean and Chinese read it as signs
        return "euc_jp"
    names = _LATIN if _is_latin(data) else _OTHERS
    best = from_bytes(data[:200_000], cp_isolation=[*names]).best()
    return best.encoding if best is not None else next((name for name in names if _strictly(data, name)), "cp1252")


def _is_latin(data: bytes) -> bool:
    """Whether most of its letters are ASCII's: then it is a Latin script with some more letters."""
    plain = sum(65 <= byte <= 90 or 97 <= byte <= 122 for byte in data)
    others = sum(byte > 127 for byte in data)
    letters = sum(byte >= 0xC0 or byte in _LETTERS for byte in data)  # as Windows-1252 has them; the rest are signs
    return plain >= letters and 3 * plain > others


def _western(data: bytes) -> bool:
    """Whether it reads as Windows-1252: letters of western Europe, and signs where signs stand."""
    text = _strictly(data, "cp1252")
    if text is None or not _is_latin(data):
        return False
    return all(ord(letter) < 128 or letter in _WESTERN or letter in _SIGNS for letter in text) and not _INSIDE.search(
        text
    )
