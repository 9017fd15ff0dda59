"""HTTP for models: the one room that knows httpx2. It knows no provider, no model and no conversation.

`Server.post` sends JSON and feeds the reply, byte by byte, to a reader; what goes wrong on the way is a ModelError of
one line, tried again where nothing of the reply had been accepted, and never shows a key.
"""

from __future__ import annotations

from toolmend.base.http.address import host_of, web_address
from toolmend.base.http.client import Server, Transport
from toolmend.base.http.faults import error_text, excerpt
from toolmend.base.http.records import DONE
from toolmend.base.http.retries import Retry

__all__ = [
    "DONE",
    "Retry",
    "Server",
    "Transport",
    "error_text",
    "excerpt",
    "host_of",
    "web_address",
]
