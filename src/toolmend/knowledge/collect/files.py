"""The items at a place: a file, every file of a folder. An address is refused: fetching is another's (../fetch)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from toolmend.knowledge.address import is_private
from toolmend.knowledge.collect.item import BYTES_AT_MOST, Item
from toolmend.knowledge.outcome import Outcome


def items_at(place: str, *, url: str = "", seen: str = "") -> Iterator[Item | Outcome]:
    """What stands at `place`; `url` is where a single file was saved from, `seen` the day. Hidden files are left out.

    Without `url` a file's address is its own, `file://…`: given again from another folder it is the same source.
    """
    if "://" in place and not place.startswith("file://"):
        yield refused(place)
        return
    path = Path(place.removeprefix("file://")).expanduser()
    if path.is_dir():
        files = files_in(path)
        yield from (_item(each, each.relative_to(path).as_posix(), "", seen) for each in files)
        if not files:
            yield Outcome("no_text", place, "a folder without files")
    else:
        yield _item(path, place, url, seen)


def files_in(folder: Path) -> list[Path]:
    """The files of a folder and of those in it, in order, but for hidden ones and links to what is not in it."""
    home = folder.resolve()
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.resolve().is_relative_to(home)
    ]


def refused(url: str) -> Outcome:
    """Why an address is not read."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return Outcome("not_web", url, "no address that can be read")
    if parts.scheme not in ("http", "https") or not host:
        return Outcome("not_web", url, "only http:// and https:// are addresses of the web")
    if is_private(host):
        return Outcome("private_address", url, f"{host} is inside a network; save the page and add the file")
    says = f"fetched only with --fetch; or save the page and `toolmend know add FILE --url {url}`"
    return Outcome("not_fetched", url, says)


def _item(path: Path, name: str, url: str, seen: str) -> Item | Outcome:
    try:
        with path.open("rb") as file:
            data = file.read(BYTES_AT_MOST + 1)
        return Item(data, name, url or path.resolve().as_uri(), seen=seen)
    except (OSError, ValueError) as error:
        return Outcome("unreadable", name, getattr(error, "strerror", None) or str(error))
