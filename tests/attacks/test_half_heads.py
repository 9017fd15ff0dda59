"""Half heads against a server that may really open few files."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("starlette")

from attacks.half_heads import HalfHeads, asked, served


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ulimit")
@pytest.mark.parametrize("text", ["GET /hea", ""])
def test_a_server_of_few_files_answers_while_half_requests_come(text: str) -> None:
    with served(96) as (address, log):
        before, half = log.read_text().count("\n"), HalfHeads(address, 400, text.encode())
        half.start()
        while half.opened < 800 and half.is_alive():
            asked(address, 20)
        answers = [asked(address, 20) for _ in range(5)]
        half.over = True
        half.join()
        told = log.read_text().splitlines()[before:]
    assert max(answers) < 20
    assert len(told) < 12 and not [line for line in told if "trace" in line]
