"""What came of adding one thing: a named outcome, never an exception.

added · revised · unchanged   kept: new, in another state than before, or exactly as it was
duplicate                     the same text is here under another address, which `source` names
error_page                    a page that says it is not there, whatever the server's code was
no_text                       nothing to read: an empty file, a PDF of pictures
too_large · bomb              more bytes than the limit; more than the limit once unpacked
unknown_form · unreadable     no collector for it; it is damaged, or not what its name says
private_address · not_web     an address inside some network; not an address of the web
not_fetched                   nothing here fetches: save the page and add the file
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Name = Literal[
    "added",
    "revised",
    "unchanged",
    "duplicate",
    "error_page",
    "no_text",
    "too_large",
    "bomb",
    "unknown_form",
    "unreadable",
    "private_address",
    "not_web",
    "not_fetched",
]
NAMES: tuple[Name, ...] = get_args(Name)
KEPT: frozenset[Name] = frozenset({"added", "revised", "unchanged", "duplicate"})


@dataclass(frozen=True)
class Outcome:
    """What came of `place` (a file, an address, a member of an archive); `source` is the id of what is kept."""

    name: Name
    place: str
    says: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether its text is in the library now."""
        return self.name in KEPT
