"""What somebody at a terminal says to the question whether a call may run."""

from __future__ import annotations

import asyncio
import io

import pytest
from rich.console import Console

from toolmend.apps.cli.commands.chat_consent import asking
from toolmend.base.messages import Call
from toolmend.session.approval import ApprovalRequest
from toolmend.tools import Toolbox


@pytest.mark.parametrize(
    ("said", "allowed", "always"),
    [("y", True, False), ("always", True, True), ("a", False, False), ("al", False, False), ("", False, False)],
)
def test_a_letter_that_nobody_offered_is_no_yes(said: str, allowed: bool, always: bool) -> None:
    heard = list[str]()
    ask = asking(lambda: Toolbox.of(receiver="x"), lambda: said, Console(file=io.StringIO()), heard.append)
    verdict = asyncio.run(ask(ApprovalRequest(1, Call("x.add"), "write")))
    assert (verdict.allowed, bool(heard)) == (allowed, always)
