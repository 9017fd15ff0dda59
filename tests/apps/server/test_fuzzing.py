"""Anything may be sent: bodies that nearly are requests (TOOLMEND_FUZZ says how many), and what schemathesis makes of
a description of the server (openapi.py)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from chatting import listening
from toolmend.base.messages import Request

TEXTS = st.text(max_size=12) | st.sampled_from(
    ["", "user", "assistant", "tool", "system", "function", "auto", "none", "required"]
)
LEAVES = st.none() | st.booleans() | st.integers(-5, 2**65) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
ANY = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)
MODELS = st.sampled_from(
    ["builtin/small", "canned/native", "freyr:canned/text", "react:canned/text", "canned/text", "x"]
)


def nearly(**fields: Any) -> Any:
    """Objects with these fields, some of them left out, some of them something else."""
    return st.fixed_dictionaries({}, optional={name: field | ANY for name, field in fields.items()})


NAMES = st.sampled_from(["get_weather", "add_calendar_entry", "b-c.d", "class", "2x", "a b", ""])
SCHEMAS = nearly(
    type=st.just("object"),
    properties=st.dictionaries(NAMES, nearly(type=TEXTS, enum=st.lists(LEAVES, max_size=2)), max_size=2),
    required=st.lists(NAMES, max_size=2),
)
TOOLS = st.lists(
    nearly(type=st.just("function"), function=nearly(name=NAMES, parameters=SCHEMAS), name=NAMES, parameters=SCHEMAS),
    max_size=3,
)
CALLS = st.lists(nearly(id=TEXTS, type=st.just("function"), function=nearly(name=NAMES, arguments=TEXTS)), max_size=2)
PARTS = st.lists(nearly(type=st.sampled_from(["text", "input_text", "image_url"]), text=TEXTS), max_size=2)
MESSAGES = st.lists(nearly(role=TEXTS, content=TEXTS | PARTS, tool_calls=CALLS, tool_call_id=TEXTS), max_size=4)
COMMON = {
    "tools": TOOLS,
    "stream": st.booleans(),
    "temperature": st.floats(0, 2),
    "tool_choice": TEXTS | nearly(type=TEXTS, function=nearly(name=NAMES), name=NAMES),
}
CHATS = st.fixed_dictionaries(
    {"model": MODELS, "messages": MESSAGES | st.just([{"role": "user", "content": "Hi"}])},
    optional={
        **COMMON,
        "n": st.integers(1, 3),
        "stop": TEXTS,
        "seed": st.integers(),
        "max_tokens": st.integers(-1, 9),
        "parallel_tool_calls": st.booleans(),
        "response_format": nearly(
            type=st.sampled_from(["json_object", "json_schema"]), json_schema=nearly(name=NAMES, schema=SCHEMAS)
        ),
        "stream_options": nearly(include_usage=st.booleans()),
        "logprobs": ANY,
        "extra": ANY,
    },
)
ITEMS = st.lists(
    nearly(
        type=st.sampled_from(
            ["message", "function_call", "function_call_output", "reasoning", "mcp_approval_response"]
        ),
        role=TEXTS,
        content=TEXTS | PARTS,
        call_id=TEXTS,
        id=TEXTS,
        name=NAMES,
        arguments=TEXTS,
        output=TEXTS | PARTS,
    ),
    max_size=4,
)
RESPONSES = st.fixed_dictionaries(
    {"model": MODELS, "input": ITEMS | TEXTS},
    optional={
        **COMMON,
        "instructions": TEXTS,
        "text": nearly(format=nearly(type=st.sampled_from(["json_schema", "text"]), name=NAMES, schema=SCHEMAS)),
        "max_output_tokens": st.integers(-1, 9),
        "previous_response_id": ANY,
    },
)
BODIES = st.tuples(st.just("/v1/chat/completions"), CHATS | ANY) | st.tuples(st.just("/v1/responses"), RESPONSES | ANY)


def said(request: Request) -> str:
    """Something for every strategy."""
    return "get_weather" if "operations" in request.messages[0].content else '{"city": "Rome"}'


@pytest.fixture
def post(serve: Any) -> Iterator[Any]:
    """Sends a body, in one loop for all of them."""
    from anyio.from_thread import start_blocking_portal

    app = serve(said).app

    async def sent(path: str, body: Any) -> httpx2.Response:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post(
                path, content=json.dumps(body).encode(), headers={"content-type": "application/json"}
            )

    with start_blocking_portal() as portal:
        yield lambda path, body: portal.call(sent, path, body)


def check(answer: httpx2.Response) -> None:
    """No fault of the server's own: an answer, or a refusal in the API's shape."""
    if answer.status_code == 200:
        assert '"internal_error"' not in answer.text
        return
    assert answer.status_code in (400, 404, 502), answer.text
    assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


QUIET = list(HealthCheck)
FUZZED = int(os.environ.get("TOOLMEND_FUZZ", "200"))


@pytest.mark.timeout(3600)
@given(BODIES)
@settings(max_examples=FUZZED, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate])
def test_whatever_is_sent_is_answered_or_refused(post: Any, body: tuple[str, Any]) -> None:
    check(post(*body))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_schemathesis_finds_nothing(serve: Any, tmp_path: Path) -> None:
    pytest.importorskip("schemathesis")
    import runpy
    import subprocess
    import sys

    about = tmp_path / "openapi.json"
    about.write_text(json.dumps(runpy.run_path(str(Path(__file__).with_name("openapi.py")))["described"]()))
    with listening(serve(said).app) as url:
        where = ["--url", url.removesuffix("/v1"), "--max-examples", "50"]
        command = [sys.executable, "-m", "schemathesis.cli", "run", str(about), *where]
        checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
        done = subprocess.run([*command, "--checks", checks], capture_output=True, text=True, timeout=800)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
