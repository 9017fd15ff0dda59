"""What can be set about a server, and what is refused. Knows neither files nor flags."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from toolmend.base.errors import BadOption


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`models` are `FAMILY/NAME` or `STRATEGY:FAMILY/NAME`, the names that clients may ask for; `strategy` is for names
    without one. `toolbox` names tools that the server runs itself, `approve` is the policy for them; `mend` has
    corrections understood by their words first, in talks with these tools.

    `max_tokens` holds where a request says nothing. Limits: bytes of a body, seconds for a whole answer and for a body
    to arrive, requests at once. `keep_alive`: seconds of silence after which a stream gets a comment. `workers` are
    processes behind one address.
    """

    models: tuple[str, ...] = ("builtin/small",)
    strategy: str = "auto"
    toolbox: str | None = None
    approve: str = ""
    mend: bool = True
    host: str = "127.0.0.1"
    port: int = 8000
    keys: Path | None = None
    max_tokens: int = 1024
    body_bytes: int = 4 << 20
    body_seconds: float = 30.0
    seconds: float = 600.0
    concurrency: int = 1024
    keep_alive: float = 15.0
    workers: int = 1

    def __post_init__(self) -> None:
        """Raise BadOption for settings that do not go together."""
        if self.workers > 1 and self.toolbox:
            raise BadOption(
                f"--workers {self.workers} cannot go with --toolbox: its worlds are in the memory of one process; "
                "leave one of the two"
            )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and nothing else."""
    name = host.strip().strip("[]").lower()
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def check_exposure(settings: ServerSettings, keys: int) -> None:
    """Raise BadOption where others could reach a server that asks for no key."""
    if not keys and not is_loopback(settings.host):
        raise BadOption(
            f"--host {settings.host} lets other machines in, and there is no API key yet: "
            "make one with `toolmend serve key add NAME`, or stay on 127.0.0.1"
        )
