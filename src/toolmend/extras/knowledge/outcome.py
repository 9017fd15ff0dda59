"""What came of adding one thing: a named outcome, never an exception.

added · revised · unchanged   kept: new, in another state than before, or exactly as it was
duplicate                     the same text is here under another address, which `source` names
error_page                    a page that says it is not there, whatever the server's code was
no_text                       nothing to read: an empty file, a PDF of pictures
too_large · bomb              more bytes than the limit; more than the limit once unpacked
unknown_form · unreadable     no collector for it; it is damaged, or not what its name says
private_address · not_web     an address inside some network; not an address of the web
not_fetched                   nobody asked for fetching it, or nothing can: save the page and add the file
robots_refused                robots.txt forbids it, or cannot be had
not_found · refused_by_server HTTP 404 or 410; any other status that is no page
too_slow · redirect_loop      not whole in its time; redirects in a circle, or too many
unreachable                   no such host, no connection, no valid certificate, or it broke off
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kept = Literal["added", "revised", "unchanged", "duplicate"]
_Unread = Literal["error_page", "no_text", "too_large", "bomb", "unknown_form", "unreadable"]
_Unasked = Literal["private_address", "not_web", "not_fetched", "robots_refused"]
_Unanswered = Literal["not_found", "refused_by_server", "too_slow", "redirect_loop", "unreachable"]
Name = Literal[Kept, _Unread, _Unasked, _Unanswered]


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
        return self.name in get_args(Kept)
