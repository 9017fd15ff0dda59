"""toolmend's toolboxes as an MCP server: every tool under its effect, and `ask`, which takes plain English.

`ask` is a talk (session/): what is said next may correct what was done, which is undone and done anew. One world per
toolbox for as long as the process runs, shared by direct calls and `ask`; calls come one after the other. Listens on
standard input and output, or on this machine's own address: whoever can start or reach it is trusted.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, ToolAnnotations
from mcp_types import Tool as Shown

from toolmend import __version__
from toolmend.apps.mcp_talk import McpTalk
from toolmend.base.errors import BadOption, ToolmendError
from toolmend.base.messages import Call, CallResult, ToolSpec
from toolmend.models import load_model
from toolmend.models.model import declared
from toolmend.session import Answer, ApprovalRequest, Limits, Session
from toolmend.session.approval import Approvals, Approver, Policy, told
from toolmend.session.watch import Watch
from toolmend.tools import Toolbox

ASK = "ask"
INSTRUCTIONS = (
    "Tools of toolmend. `ask` takes a request in plain English and makes the calls itself; say what is wrong with what "
    "it did in another `ask`, and it is undone and done anew."
)


@dataclass(frozen=True, slots=True)
class McpSettings:
    """`toolboxes` by name; `model` and `strategy` (None: its own) answer `ask` about those that it knows; `approve`
    is a policy ("": what is doubtful waits for a yes); `mend` has corrections understood by their words first."""

    toolboxes: tuple[str, ...] = ("calendar",)
    model: str = "builtin/small"
    strategy: str | None = "auto"
    approve: str = ""
    mend: bool = True


class OfferedTools:
    """What a server offers; no `ask` where the model knows none of the toolboxes. Raises what loading raises."""

    def __init__(self, settings: McpSettings) -> None:
        policy = Policy.of(settings.approve)
        self.worlds = {name: _World(name, Toolbox.load(name), policy) for name in dict.fromkeys(settings.toolboxes)}
        self._calls = _named(self.worlds)
        model = load_model(settings.model)
        self._talks = {
            name: McpTalk(Session(model, world.box, settings.strategy, mend=settings.mend), settings.approve)
            for name, world in self.worlds.items()
            if declared(model, name) is None
        }

    def tools(self) -> list[Shown]:
        """All tools as the protocol shows them."""
        shown = [_shown(name, spec) for name, (_, spec) in self._calls.items()]
        return [*shown, _ask_shown(list(self._talks))] if self._talks else shown

    async def call(self, name: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """What a call came to; whatever is wrong with it is an error the client's model can read."""
        if name == ASK and self._talks:
            return await self._ask(arguments)
        if name not in self._calls:
            return _refused(
                f"there is no tool {name[:80]!r}; there are: {', '.join(tool.name for tool in self.tools())}"
            )
        world, spec = self._calls[name]
        result = await world.run(Call(spec.full_name, dict(arguments)))
        if result.error is not None:
            return _refused(result.error)
        notes = f"\n({'; '.join(result.coerced)})" if result.coerced else ""
        return _done(_text(result.value) + notes, {"result": result.value})

    async def _ask(self, arguments: Mapping[str, Any]) -> CallToolResult:
        text, named = arguments.get("text"), arguments.get("toolbox", next(iter(self._talks)))
        if not isinstance(text, str) or not text.strip() or not isinstance(named, str) or named not in self._talks:
            return _refused(f"ask needs a 'text', and a 'toolbox' of: {', '.join(self._talks)}")
        try:
            async with self.worlds[named].lock:
                answer, waiting = await self._talks[named].say(text)
        except ToolmendError as error:
            return _refused(str(error))
        return _done(_said(answer, waiting), _as_data(answer) | {"doubts": [list(one.doubts) for one in waiting]})


class _World:
    """A toolbox, and its calls one after the other."""

    def __init__(self, name: str, box: Toolbox, policy: Policy) -> None:
        self.name, self.box, self.lock = name, box, anyio.Lock()
        self._watch, self._approver, self._made = Watch(box, Limits()), Approver(box, Approvals(policy)), 0

    async def run(self, call: Call) -> CallResult:
        """Run a call that a client makes itself. It is the client that asks its user; a policy that forbids holds."""
        async with self.lock:
            self._made += 1
            made = Call(call.tool, call.arguments, f"m{self._made}")
            effect = self.box.tool(call.tool).effect
            if self._approver.approvals.policy.rule(effect) in ("deny", "dry-run"):
                decided = await self._approver.decide(self._made, made)
                if decided is not None:
                    return CallResult(made.id, error=told(decided), fault="refused")
            result, _ = await self._watch.run(made)
        return result


def create_server(settings: McpSettings) -> Server[Any]:
    """The server, not yet listening. Raises what is wrong with the settings."""
    offered = OfferedTools(settings)

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=offered.tools())

    async def call_tool(_context: Any, params: Any) -> CallToolResult:
        return await offered.call(params.name, params.arguments or {})

    return Server(
        "toolmend", version=__version__, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


def run_stdio(settings: McpSettings) -> None:
    """Serve on standard input and output, until the input ends."""
    from mcp.server.stdio import stdio_server

    server = create_server(settings)

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(serve)


def run_http(settings: McpSettings, port: int, ready: Callable[[str], None]) -> None:
    """Serve over streamable HTTP at http://127.0.0.1:PORT/mcp until it is told to stop. Requests that a web page makes
    under another name than this machine's own are refused by the SDK."""
    from toolmend.apps.site.serving import address_of, listen, open_door

    app = create_server(settings).streamable_http_app(host="127.0.0.1")
    with listen("127.0.0.1", port) as listening:
        ready(f"{address_of(listening)}/mcp")
        open_door(app, lifespan="on").run(sockets=[listening])


def _named(worlds: Mapping[str, _World]) -> dict[str, tuple[_World, ToolSpec]]:
    """Each tool under its bare name; with its toolbox's before it where two are called the same.

    Raises BadOption where even so two are: a call must not go to another tool than the one that was shown.
    """
    found = [
        (_label(world.name, number), world, spec)
        for number, world in enumerate(worlds.values(), 1)
        for spec in world.box.specs
    ]
    names = Counter([ASK, *(spec.name for _, _, spec in found)])
    named: dict[str, tuple[_World, ToolSpec]] = {}
    for label, world, spec in found:
        name = spec.name if names[spec.name] == 1 else f"{label}_{spec.name}"
        if name in named or name == ASK:
            raise BadOption(f"two tools would be called {name!r}; serve one of their toolboxes alone")
        named[name] = world, spec
    return named


def _label(toolbox: str, number: int) -> str:
    """What stands before a tool's name: a registered name, else a number. Command lines and paths are not told."""
    return toolbox if re.fullmatch(r"[A-Za-z_]\w{0,40}", toolbox) else f"tools{number}"


def _shown(name: str, spec: ToolSpec) -> Shown:
    hints = ToolAnnotations(
        read_only_hint=spec.effect == "read", destructive_hint=spec.effect == "danger", open_world_hint=False
    )
    return Shown(name=name, description=spec.description, input_schema=dict(spec.parameters), annotations=hints)


def _ask_shown(toolboxes: Sequence[str]) -> Shown:
    text = {"type": "string", "description": "A request, or what is wrong with what was done last, in plain English."}
    properties: dict[str, Any] = {"text": text}
    if len(toolboxes) > 1:
        properties["toolbox"] = {"type": "string", "enum": list(toolboxes), "default": toolboxes[0]}
    schema = {"type": "object", "properties": properties, "required": ["text"]}
    what = f"Ask for something in plain English; the calls are made here. About: {', '.join(toolboxes)}."
    hints = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
    return Shown(name=ASK, description=what, input_schema=schema, annotations=hints)


def _said(answer: Answer, waiting: Sequence[ApprovalRequest]) -> str:
    """What was done, a line per call, after what was said; below a call that waits for a yes what is doubtful."""
    doubts = {question.call.id: question.doubts for question in waiting}
    lines = [answer.text.strip()] if answer.text.strip() else []
    for call, result in zip(answer.calls, answer.results, strict=True):
        if call.id in doubts:
            lines += [f"{call.tool}: not run yet", *(f"? {doubt}" for doubt in doubts[call.id])]
        else:
            lines.append(f"{call.tool}: {_text(result.value) if result.ok else f'failed: {result.error}'}")
    lines += ["Show this to the person; `ask` with a yes from them runs it, other words correct it."] if doubts else []
    if answer.undone:
        lines.append("what was undone is back" if answer.redone else f"undone: {', '.join(answer.undone)}")
    return "\n".join(lines) or "nothing was done"


def _as_data(answer: Answer) -> dict[str, Any]:
    calls = [
        {"tool": call.tool, "arguments": dict(call.arguments)}
        | ({"result": result.value} if result.ok else {"error": result.error})
        for call, result in zip(answer.calls, answer.results, strict=True)
    ]
    return {"text": answer.text, "calls": calls, "corrects": answer.amends is not None, "undone": list(answer.undone)}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _done(text: str, data: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data)


def _refused(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
