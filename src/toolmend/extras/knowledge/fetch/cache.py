"""What was fetched, on disk, one file for each address: asked for again while it is fresh, nobody is asked.

Written whole or not at all; an entry that is damaged is as if it were not there. It holds texts of sources, so
forgetting one empties it. Knows no network.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from toolmend.base.atomic import UNFINISHED, written
from toolmend.base.errors import BadFile

_log = logging.getLogger("toolmend.knowledge.fetch")
_ENDING = ".fetched"
_DAYS_KEPT = 30


@dataclass(frozen=True, slots=True)
class Fetched:
    """Bytes with the address they were found at in the end, their Content-Type, and when (UTC, ISO 8601).

    `says` is what a person should know of it, "" for nothing.
    """

    data: bytes
    url: str
    header: str
    at: str
    says: str = ""


class Cache:
    """A folder of entries; none: `fetched` in the user's cache folder. Several processes may use it at once."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("toolmend") / "fetched"
        self.folder = folder

    def get(self, url: str) -> Fetched | None:
        """The entry of an address, None for none that is whole."""
        try:
            head, _, data = self._path(url).read_bytes().partition(b"\n")
            told = json.loads(head)
            whole = told["url"] == url and told["sha256"] == hashlib.sha256(data).hexdigest()
            return Fetched(data, str(told["final"]), str(told["header"]), str(told["at"])) if whole else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def put(self, url: str, fetched: Fetched) -> None:
        """Write an entry in place of the one before. A folder that cannot be written is a line of the log."""
        told = {"url": url, "final": fetched.url, "header": fetched.header, "at": fetched.at}
        head = json.dumps({**told, "sha256": hashlib.sha256(fetched.data).hexdigest()}).encode()
        try:
            with written(self._path(url)) as part:
                part.touch(mode=0o600)
                part.write_bytes(head + b"\n" + fetched.data)
        except BadFile as error:
            _log.warning("the cache %s cannot be written: %s", self.folder, error)

    def clear(self) -> None:
        """Drop everything: what a source was made of may lie here under several addresses."""
        for path in self._own():
            _drop(path)

    def sweep(self, now: float | None = None) -> None:
        """Drop what nobody asked for in thirty days, and what a killed process left half written a day ago."""
        today = time.time() if now is None else now
        for path in self._own():
            days = _DAYS_KEPT if path.suffix == _ENDING else 1
            try:
                if today - path.stat().st_mtime > days * 86_400:
                    _drop(path)
            except FileNotFoundError:  # another process was faster
                continue

    def _own(self) -> list[Path]:
        """What this wrote: whoever names a folder of other things loses none of them."""
        return [path for path in self.folder.glob("*") if path.suffix in (_ENDING, UNFINISHED)]

    def _path(self, url: str) -> Path:
        return self.folder / (hashlib.sha256(url.encode(errors="surrogatepass")).hexdigest()[:32] + _ENDING)


def _drop(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
