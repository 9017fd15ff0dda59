"""HTTP for models: the one room that knows httpx2. It knows no provider, no model and no conversation.

`Server.post` sends JSON and feeds the reply, byte by byte, to a reader; what goes wrong on the way is a ModelError of
one line, tried again where nothing of the reply had been accepted, and never shows a key.
"""

from __future__ import annotations

from toolmend.http.address import host_of, web_address
from toolmend.http.client import Server, Transport
from toolmend.http.faults import error_text, excerpt
from toolmend.http.records import DONE
from toolmend.http.retries import Retry

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
