"""An MCP server whose tools' schemas are bombs: told in one line when it is loaded, and nobody waits for it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from base.test_schemas import bomb
from toolmend import Toolbox
from toolmend.base.errors import BadOption

SERVER = """
import json, sys

TOOLS = {"tools": [{"name": "f", "inputSchema": json.loads(sys.argv[1])}]}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        version = (asked.get("params") or {}).get("protocolVersion")
        hello = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
        result = TOOLS if asked["method"] == "tools/list" else hello
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


@pytest.mark.parametrize("key", ["allOf", "anyOf"])
def test_a_server_with_a_schema_bomb_is_one_line(tmp_path: Path, key: str) -> None:
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    with pytest.raises(BadOption, match="schema") as caught:
        Toolbox.load(f"mcp:{sys.executable} {path} '{json.dumps(bomb(key))}'?timeout=20")
    assert "\n" not in str(caught.value)
