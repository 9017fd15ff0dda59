"""A toolbox out of any MCP server, and how such a server is named:

    mcp:https://tools.example/mcp?key_env=TOOLS_KEY        streamable HTTP
    mcp:uvx mcp-server-time --local-timezone UTC?timeout=5 a command, spoken to over its standard input and output

Tools are listed once, when the toolbox is made: a server cannot change under a talk what a model was shown. One that
says it changed them, or was lost and found again, is looked at anew: a changed tool is not called before it is asked
about again. A tool that cannot be offered is left out with a line (`left_out`). What comes from the server is somebody
else's text: names are made callable, descriptions, schemas, results and errors are cleaned of characters that nobody
sees and cut, results and errors are marked as foreign (strategies tell them so). Knows no model and no conversation.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from toolmend.base import schemas
from toolmend.base.errors import BadOption, ToolError, ToolmendError
from toolmend.base.messages import Effect, ToolSpec
from toolmend.base.options import read_options, split_name
from toolmend.tools.drafts import modern
from toolmend.tools.foreign import checker
from toolmend.tools.mcp_connection import Connection
from toolmend.tools.mcp_wire import Lost, McpOptions
from toolmend.tools.texts import clean
from toolmend.tools.tool import Tool
from toolmend.tools.toolbox import Toolbox

PREFIX = "mcp:"
MOST_TOOLS = 1024
MOST_NODES = 50_000
"""Objects and lists in the schemas of all tools of a server."""
LONGEST_DESCRIPTION = 4_000
_SAID = 400


class McpToolbox(Toolbox):
    """The tools of an MCP server. `target` is an address, a command line, or a server object of the SDK.

    Raises BadOption for a server that cannot be reached or has tools that cannot be called.
    """

    def __init__(self, target: Any, options: McpOptions | None = None) -> None:
        self.target, self.options = target, options or McpOptions()
        self.receiver = self.options.receiver
        self._renewed = set[str]()
        self._connection = Connection(target, self.options)
        try:
            name, found, broken = self._connection.tools()
        except (Lost, TimeoutError, OSError) as error:
            raise BadOption(f"MCP server {self._shown}: {clean(str(error), _SAID)}") from error
        except ToolmendError:
            raise
        except Exception as error:  # whatever the SDK finds that is not as the protocol has it
            raise BadOption(f"MCP server {self._shown} does not answer as one: {clean(str(error), _SAID)}") from error
        self.name = clean(name, _SAID)
        self._take(found, broken)
        if not self._given and self.left_out:
            raise BadOption(
                f"MCP server {self._shown}: none of its tools can be offered: {'; '.join(self.left_out[:3])}"
            )

    def close(self) -> None:
        """Let go of the server; the next call reaches for it again."""
        self._connection.close()

    def __deepcopy__(self, memo: Any) -> McpToolbox:
        """Another connection to the same server, a command's process of its own."""
        return McpToolbox(self.target, self.options)

    @property
    def _shown(self) -> str:
        return repr(self.target)[:120] if isinstance(self.target, str) else type(self.target).__name__

    def _take(self, found: Iterable[Any], broken: Iterable[str]) -> None:
        """Offer these tools; what cannot be offered is left out, each with its reason."""
        taken, given, left = set[str](), list[Tool](), [clean(line, _SAID) for line in broken]
        weight = 0
        for tool in list(found)[:MOST_TOOLS]:
            name = _callable(tool.name, taken)
            try:
                weight += len(schemas.nodes(tool.input_schema))
                if weight > MOST_NODES:
                    raise BadOption(f"the schemas before it and its own have more than {MOST_NODES:,} parts")
                given.append(self._made(tool, name))
            except BadOption as error:
                left.append(clean(f"{tool.name!r} is left out: {error}", _SAID))
                continue
            taken.add(name)
        self._given, self.left_out = tuple(given), tuple(left)
        for kept in ("_tools", "_specs"):
            self.__dict__.pop(kept, None)
        _ = self._tools

    def _made(self, tool: Any, name: str) -> Tool:
        schema = {"type": "object", "properties": {}, **modern(_cleaned(tool.input_schema))}
        text = clean(tool.description or tool.title or "", LONGEST_DESCRIPTION)
        effect = effect_of(tool.annotations) if self.options.hints else "danger"
        spec = ToolSpec(name, text, schema, effect="danger" if name in self._renewed else effect)
        return Tool(spec, self._sender(tool.name, name), checker(spec), foreign=True)

    async def _looked(self, name: str) -> None:
        """Look at the tools again where the server may have changed them. Raises ToolError for a tool that is another
        than the one that was offered: it is asked about before it is called."""
        news = await self._connection.news()
        if news is None:
            return
        was = {spec.name: spec for spec in self.specs}
        self._take(*news)
        now = {spec.name: spec for spec in self.specs}
        other = {key for key in now if key in was and _offered(now[key]) != _offered(was[key])}
        if other:
            self._renewed |= other
            self._take(*news)
        if name in other or name not in now:
            how = "changed this tool since it was offered" if name in now else "no longer has this tool"
            raise ToolError(f"MCP server {self._shown} {how}: it was not called; say it again to be asked about it")

    def _sender(self, tool: str, name: str) -> Any:
        async def send(**arguments: Any) -> Any:
            from mcp.shared.exceptions import MCPError

            try:
                await self._looked(name)
                result = await self._connection.call(tool, arguments)
            except (Lost, TimeoutError) as error:
                raise ConnectionError(f"MCP server {self._shown}: {error}") from error
            except MCPError as error:  # the protocol's own way of saying no
                raise ToolError(clean(str(error), self.options.output)) from error
            return value_of(result, self.options.output)

        return send


def mcp_toolbox(name: str) -> McpToolbox:
    """The toolbox of a name that begins with `mcp:`. Raises BadOption; MissingExtra without the extra `mcp`."""
    target, given = split_name(name.removeprefix(PREFIX), "MCP server")
    return McpToolbox(unquote(target).strip(), read_options(McpOptions, given, f"MCP server {target!r}"))


def _offered(spec: ToolSpec) -> str:
    """What somebody said yes to."""
    return json.dumps([spec.description, spec.parameters], sort_keys=True, default=str)


def effect_of(annotations: Any) -> Effect:
    """What a server says that a tool does. Without a word it may do anything, as the protocol has it."""
    if annotations is not None and annotations.read_only_hint:
        return "read"
    if annotations is not None and annotations.destructive_hint is False:
        return "write"
    return "danger"


def value_of(result: Any, most: int) -> Any:
    """What a call returned: structured content, else its text. Raises ToolError for one that failed."""
    text = "\n".join(_text(block) for block in result.content)
    if result.is_error:
        raise ToolError(clean(text, most) or "the tool failed and did not say why")
    value = result.structured_content
    if isinstance(value, dict) and list(value) == ["result"]:  # how the SDK wraps what is no object
        value = value["result"]
    if value is None:
        return clean(text, most)
    if isinstance(value, str):
        return clean(value, most)
    written = json.dumps(value, ensure_ascii=False)
    return _cleaned(value) if len(written) <= most else clean(written, most)


def _cleaned(value: Any) -> Any:
    if isinstance(value, dict):
        return {clean(str(key)): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    return clean(value) if isinstance(value, str) else value


def _text(block: Any) -> str:
    kind = block.type
    if kind == "text":
        return str(block.text)
    if kind == "resource" and hasattr(block.resource, "text"):
        return str(block.resource.text)
    if kind in ("resource", "resource_link"):
        return f"[{kind.replace('_', ' ')} {getattr(block, 'uri', '') or block.resource.uri}, not shown]"
    return f"[{block.mime_type}, {len(block.data) * 3 // 4:,} bytes, not shown]"


def _callable(name: str, taken: set[str]) -> str:
    """A name that can be written as a call, and that no other tool of the server has."""
    legal = re.sub(r"\W", "_", name, flags=re.ASCII)[:64] or "_"
    legal = f"_{legal}" if legal[0].isdigit() else legal
    legal = base = f"{legal}_" if keyword.iskeyword(legal) else legal
    number = 2
    while legal in taken:
        legal, number = f"{base}_{number}", number + 1
    return legal
