"""What is sent together."""

from __future__ import annotations

import asyncio
from typing import Any

from toolmend.apps.site.serving import Together


class Sent:
    """A transport that remembers."""

    def __init__(self) -> None:
        self.told: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.told.append(data)

    def close(self) -> None:
        self.told.append(b"closed")

    def is_closing(self) -> bool:
        return self.told[-1:] == [b"closed"]


def sent(*steps: tuple[str, Any]) -> list[bytes]:
    """What goes out when this is done in one turn of the loop, and in the next turn."""

    async def main() -> list[bytes]:
        real = Sent()
        together = Together(real)  # type: ignore[arg-type]
        for name, given in steps:
            getattr(together, name)(*given)
        await asyncio.sleep(0)
        return real.told

    return asyncio.run(main())


def test_what_is_written_in_one_turn_goes_out_as_one() -> None:
    assert sent(("write", [b"head "]), ("write", [b""]), ("write", [b"body"])) == [b"head body"]


def test_what_ends_goes_out_at_once() -> None:
    assert sent(("write", [b"one"]), ("go", []), ("write", [b"two"])) == [b"one", b"two"]


def test_much_is_not_held() -> None:
    much = b"x" * 70_000
    assert sent(("write", [b"head "]), ("write", [much]), ("write", [b"more"])) == [b"head " + much, b"more"]


def test_before_hanging_up_what_is_held_goes_out() -> None:
    assert sent(("write", [b"body"]), ("close", [])) == [b"body", b"closed"]
