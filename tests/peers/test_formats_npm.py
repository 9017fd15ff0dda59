"""The npm packages openai and ai (Vercel's SDK), unmodified, against `serve` with each format behind it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from chatting import listening
from fakes.replies import REPLIES, SPECS
from toolmend import registry
from toolmend.apps.server.app import create_app
from toolmend.apps.server.settings import ServerSettings
from toolmend.base.messages import Reply, Request
from toolmend.models.scripted import Scripted

pytestmark = [pytest.mark.peer, pytest.mark.timeout(300)]
HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("TOOLMEND_PEERS") or HERE.parents[1] / ".venv-peers")
TOOLS = [{"type": "function", "function": {"name": spec.name, "parameters": dict(spec.parameters)}} for spec in SPECS]
FAMILIES = {family: (text, [[c.tool, dict(c.arguments)] for c in calls]) for family, text, calls, _ in REPLIES}


def by_family(request: Request) -> Reply:
    """What the family that the person names says."""
    return Reply(FAMILIES[request.messages[-1].content][0])


def test_calls_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ["openai", "ai", "@ai-sdk/openai-compatible"]
    if shutil.which("node") is None or not all((FOLDER / "node_modules" / name).is_dir() for name in needed):
        pytest.skip(f"there is no node, or a package is missing: npm install --prefix {FOLDER.name} {' '.join(needed)}")
    monkeypatch.setitem(registry.models._table, "canned", {"native": Scripted(by_family, "canned/native")}.__getitem__)
    asked: dict[str, Any] = {"tools": TOOLS, "said": list(FAMILIES)}
    with listening(create_app(ServerSettings(models=("canned/native",)))) as url:
        done = subprocess.run(
            ["node", HERE / "ask_formats.mjs", url, "canned/native", FOLDER.resolve()],
            input=json.dumps(asked), capture_output=True, text=True, timeout=200,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for family, heard in zip(FAMILIES, json.loads(done.stdout), strict=True):
        due = FAMILIES[family][1]
        assert heard == {"openai": due, "whole": due, "stream": due}, family
