"""Which store the library of `toolmend know` lies in, and opening it. Knows nothing of what is in there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolmend.apps.cli import screen

if TYPE_CHECKING:
    from toolmend.knowledge import Library

store_option = click.option(
    "--store",
    metavar="PLACE",
    envvar="TOOLMEND_STORE",
    help="A file or database URL. [default: $TOOLMEND_STORE, else a file in your data folder]",
)


def opened(store: str | None, *, create: bool = False) -> Library:
    """The library; a file that is not there is made only for `create`: a slip in its name is told, not answered."""
    from toolmend.knowledge import Library
    from toolmend.store.place import default_place

    return Library(store or default_place(), create=create)


def tell_empty(library: Library) -> None:
    """Say on standard error that nothing is kept, where nothing is."""
    if next(library.sources(), None) is None:
        screen.note(f"{library.place}: no source is kept here yet; `toolmend know add FILE` keeps one")
