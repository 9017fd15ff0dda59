"""Chat completions as clients write them: messages, calls, results, tools; and a script for the roles of freyr."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

from toolmend.base.messages import Request


def user(text: str) -> dict[str, Any]:
    """A user's message."""
    return {"role": "user", "content": text}


def called(*calls: tuple[str, str, dict[str, Any]], text: str | None = None) -> dict[str, Any]:
    """An assistant's message with calls: id, name, arguments."""
    made = [
        {"id": number, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for number, name, arguments in calls
    ]
    return {"role": "assistant", "content": text, "tool_calls": made}


def result(number: str, text: str) -> dict[str, Any]:
    """A tool's message."""
    return {"role": "tool", "tool_call_id": number, "content": text}


def function(name: str, /, **properties: Any) -> dict[str, Any]:
    """A tool whose parameters are all required; a type by its name, or a schema."""
    schemas = {key: {"type": kind} if isinstance(kind, str) else kind for key, kind in properties.items()}
    parameters = {"type": "object", "properties": schemas, "required": list(schemas)}
    return {"type": "function", "function": {"name": name, "description": f"{name} it", "parameters": parameters}}


def calls_of(message: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Names and arguments of the calls in a message."""
    functions = [call["function"] for call in message.get("tool_calls") or ()]
    return [(each["name"], json.loads(each["arguments"])) for each in functions]


def by_prompt(**answers: str) -> Callable[[Request], str]:
    """A script for freyr: what the model says as `intent`, `params`, `summary` and `chat`."""
    marks = {
        "intent": "Which of these operations",
        "params": "Write the values for one operation",
        "summary": "Tell the user in one or two",
        "chat": "Answer the user's last message in one or two",
    }

    def script(request: Request) -> str:
        system = request.messages[0].content
        role = next(role for role, mark in marks.items() if mark in system)
        return answers[role]

    return script


@contextlib.contextmanager
def listening(app: Any) -> Iterator[str]:
    """The app on a free port, for as long as the block runs; its address."""
    import uvicorn

    config = uvicorn.Config(app, port=0, log_config=None, access_log=False, lifespan="auto", ws="none")
    server, ready = uvicorn.Server(config), threading.Event()
    started = server.startup

    async def startup(sockets: Any = None) -> None:
        await started(sockets)
        ready.set()

    server.startup = startup
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert ready.wait(10)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.should_exit = True
        thread.join(10)


WEATHER = function("get_weather", city="string")
ENEMY = function("add_enemy", name="string", hp="integer")
CALENDAR = [
    function("add_calendar_entry", title="string", date="string", time="string", duration="integer"),
    function("remove_calendar_entry", title="string", date="string", time="string"),
]
