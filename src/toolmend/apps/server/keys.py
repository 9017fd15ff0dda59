"""API keys: a file of salted hashes, made and revoked by `toolmend serve key`, and what each may ask in a minute.

A key is shown once and never kept. It is 256 random bits, so one round of SHA-256 over salt and key is enough: there is
nothing to guess. The file is read again when it changes, so that a revoked key stops working at once.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from toolmend.apps.server.refusals import ApiError
from toolmend.apps.site.bucket import Bucket, Clock
from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption, UnknownName

PREFIX = "tm"
_NAME = re.compile(r"[\w.@-]{1,64}")


@dataclass(frozen=True, slots=True)
class Key:
    """What is known of a key. `requests` and `tokens` are limits for a minute, None for no limit."""

    name: str
    id: str
    salt: str
    hash: str
    created: str
    requests: int | None = None
    tokens: int | None = None

    @property
    def limits(self) -> tuple[tuple[str, int | None], ...]:
        """Both limits under their names."""
        return ("requests", self.requests), ("tokens", self.tokens)


def default_file() -> Path:
    """Where the keys are if nobody says otherwise."""
    from platformdirs import user_config_dir

    return Path(user_config_dir("toolmend")) / "server-keys.json"


class KeyFile:
    """The keys in a file; none where there is no file. Raises BadFile."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int, int] | None = None
        self._keys: tuple[Key, ...] = ()

    @property
    def keys(self) -> Sequence[Key]:
        """The keys as the file has them now."""
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            self._stamp, self._keys = None, ()
            return ()
        stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if stamp != self._stamp:
            self._keys, self._stamp = _read(self.path), stamp
        return self._keys

    def find(self, given: str) -> Key | None:
        """The key that was given, None for one that is not there."""
        parts = given.split("-", 2)
        if len(parts) != 3 or parts[0] != PREFIX:
            return None
        found = next((key for key in self.keys if key.id == parts[1]), None)
        if found is None or not hmac.compare_digest(_hash(found.salt, given), found.hash):
            return None
        return found

    def add(self, name: str, requests: int | None = None, tokens: int | None = None) -> str:
        """Make a key of that name and keep its hash; the key. Raises BadOption for a name there is already."""
        if not _NAME.fullmatch(name):
            raise BadOption(f"a key's name has letters, digits and . _ - @ only, 64 at most; not {name!r:.80}")
        if any(key.name == name for key in self.keys):
            raise BadOption(f"there is a key called {name!r} already; revoke it first, or take another name")
        number, salt = secrets.token_hex(4), secrets.token_hex(16)
        made = f"{PREFIX}-{number}-{secrets.token_urlsafe(32)}"
        created = datetime.now(UTC).isoformat(timespec="seconds")
        self._write((*self.keys, Key(name, number, salt, _hash(salt, made), created, requests, tokens)))
        return made

    def revoke(self, name: str) -> None:
        """Forget the key of that name. Raises UnknownName."""
        left = [key for key in self.keys if key.name != name]
        if len(left) == len(self.keys):
            raise UnknownName("key", name, [key.name for key in self.keys])
        self._write(left)

    def _write(self, keys: Sequence[Key]) -> None:
        """Wholly or not at all, and for nobody else to read."""
        text = json.dumps({"schema": 1, "keys": [asdict(key) for key in keys]}, indent=1) + "\n"
        with written(self.path) as part:
            part.touch(mode=0o600)
            part.write_text(text, encoding="utf-8")


class Rates:
    """How much each key may ask in a minute, in this process: requests and tokens, buckets that fill up again."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str, int], Bucket] = {}

    def admit(self, key: Key) -> None:
        """Count a request. Raises ApiError (429) where a limit is reached."""
        for kind, most in key.limits:
            if most is not None and (seconds := self._bucket(key, kind, most).wait(1)):
                text = f"Rate limit reached: {most:,} {kind} per minute. Try again in {seconds:.1f} s."
                headers = {"retry-after": str(int(seconds) + 1)}
                raise ApiError(429, text, kind=kind, code="rate_limit_exceeded", headers=headers)
        if key.requests is not None:
            self._bucket(key, "requests", key.requests).take(1)

    def spent(self, key: Key, tokens: int) -> None:
        """Count what a request took in the end."""
        if key.tokens is not None:
            self._bucket(key, "tokens", key.tokens).take(tokens)

    def _bucket(self, key: Key, kind: str, most: int) -> Bucket:
        return self._buckets.setdefault((key.id, kind, most), Bucket(most, self._clock))


def _read(path: Path) -> tuple[Key, ...]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["keys"]
        return tuple(Key(**row) for row in rows)
    except (OSError, ValueError, KeyError, TypeError) as error:
        what = f"no file of keys ({type(error).__name__}); `toolmend serve key add NAME` makes one"
        raise BadFile(path, what) from error


def _hash(salt: str, key: str) -> str:
    return hashlib.sha256(bytes.fromhex(salt) + key.encode("utf-8", "surrogatepass")).hexdigest()
