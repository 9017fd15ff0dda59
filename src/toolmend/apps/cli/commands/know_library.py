"""Opening the library of `toolmend know`. Knows nothing of what is in there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolmend.apps.cli.kit import screen

if TYPE_CHECKING:
    from toolmend.knowledge import Library


def opened(store: str | None, *, create: bool = False) -> Library:
    """The library; a file that is not there is made only for `create`: a slip in its name is told, not answered."""
    from toolmend.knowledge import Library
    from toolmend.store.place import default_place

    return Library(store or default_place(), create=create)


def tell_empty(library: Library) -> None:
    """Say on standard error that nothing is kept, where nothing is."""
    if library.empty:
        screen.note(f"{library.place}: no source is kept here yet; `toolmend know add FILE` keeps one")
