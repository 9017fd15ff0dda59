"""What was fetched, on disk, one file for each address: asked again it is fresh, confirmed by its server, or renewed.

Written whole or not at all; an entry that is damaged is as if it were not there. It holds texts of sources, so
forgetting one empties it. Knows no network.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from toolmend.knowledge.fetch.fetched import Fetched

_log = logging.getLogger("toolmend.knowledge.fetch")
_ENDING, _HALF = ".fetched", ".part"
_DAYS_KEPT = 30


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry: what was fetched, when by this machine's clock (seconds), and what its server would know it by."""

    fetched: Fetched
    time: float
    etag: str = ""
    modified: str = ""


class Cache:
    """A folder of entries; none: `fetched` in the user's cache folder. Several processes may use it at once."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("toolmend") / "fetched"
        self.folder = folder

    def get(self, url: str) -> Kept | None:
        """The entry of an address, None for none that is whole."""
        try:
            head, _, data = self._path(url).read_bytes().partition(b"\n")
            told = json.loads(head)
            whole = told["url"] == url and told["sha256"] == hashlib.sha256(data).hexdigest()
            fetched = Fetched(data, str(told["final"]), str(told["header"]), str(told["at"]))
            return Kept(fetched, float(told["time"]), str(told["etag"]), str(told["modified"])) if whole else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def put(self, url: str, kept: Kept) -> None:
        """Write an entry in place of the one before. A folder that cannot be written is a line of the log."""
        sha = hashlib.sha256(kept.fetched.data).hexdigest()
        told = {"url": url, "final": kept.fetched.url, "header": kept.fetched.header, "at": kept.fetched.at}
        told |= {"etag": kept.etag, "modified": kept.modified, "sha256": sha}
        head = json.dumps({**told, "time": kept.time}).encode()
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=_HALF)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(head + b"\n" + kept.fetched.data)
                os.replace(name, self._path(url))
            except BaseException:
                os.unlink(name)
                raise
        except OSError as error:
            _log.warning("the cache %s cannot be written: %s", self.folder, error)

    def clear(self) -> None:
        """Drop everything: what a source was made of may lie here under several addresses."""
        for path in self._own():
            path.unlink(missing_ok=True)

    def sweep(self, now: float | None = None) -> None:
        """Drop what nobody asked for in thirty days, and what a killed process left half written a day ago."""
        today = time.time() if now is None else now
        for path in self._own():
            days = _DAYS_KEPT if path.suffix == _ENDING else 1
            try:
                if today - path.stat().st_mtime > days * 86_400:
                    path.unlink()
            except FileNotFoundError:  # another process was faster
                continue

    def _own(self) -> list[Path]:
        """What this wrote: whoever names a folder of other things loses none of them."""
        return [path for path in self.folder.glob("*") if path.suffix in (_ENDING, _HALF)]

    def _path(self, url: str) -> Path:
        return self.folder / (hashlib.sha256(url.encode(errors="surrogatepass")).hexdigest()[:32] + _ENDING)
