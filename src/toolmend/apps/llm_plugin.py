"""toolmend's models and tools for Simon Willison's `llm`; what `-c` says next may correct a call.

    llm -m toolmend/smol-tools -T 'Toolmend("home.py")' "Set the bath to 22", then: llm -c "No, 21"

`llm` finds it by its entry point and runs the tools. Nothing else of toolmend is imported before a model is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any

import llm

if TYPE_CHECKING:
    from toolmend.session import Session
    from toolmend.session.retold import Told

MARK = "Toolmend_"


@llm.hookimpl
def register_models(register: Callable[..., None]) -> None:
    """Every model that ships, as toolmend/NAME."""
    from toolmend.models import builtin, smol

    for name in smol.names():
        register(ToolmendModel(f"toolmend/smol-{name}", f"smol/{name}"))
    for name in builtin.names():
        register(ToolmendModel(f"toolmend/{name}", f"builtin/{name}"))


@llm.hookimpl
def register_tools(register: Callable[..., None]) -> None:
    """The toolbox `Toolmend("home.py")`."""
    register(Toolmend)


class Toolmend(llm.Toolbox):
    """The tools of a file, of `package.module:name`, or of a toolbox by its name, as in `toolmend chat --tools`."""

    def __init__(self, tools: str) -> None:
        from toolmend.tools import Toolbox

        self._box = Toolbox.load(tools)

    def tools(self) -> Iterable[llm.Tool]:
        """Each under the name of this class, as `-c` finds them again; a call that is refused says why."""
        from toolmend.base.messages import Call
        from toolmend.base.portal import run_sync

        for spec in self._box.specs:

            def run(self: Toolmend, *, _tool: str = spec.full_name, **arguments: Any) -> str:
                result = run_sync(self._box.run, Call(_tool, arguments))
                return str(result.value if result.ok else result.error)

            name, plugin = f"{MARK}{spec.name}", getattr(self, "plugin", None)
            yield llm.Tool(name, spec.description, dict(spec.parameters), MethodType(run, self), plugin)


class ToolmendModel(llm.Model):
    """`smol/tools` and the like under the names they have in `llm`. Without tools they speak of a calendar."""

    supports_tools = True

    def __init__(self, model_id: str, name: str) -> None:
        self.model_id, self.name = model_id, name

    def execute(self, prompt: llm.Prompt, stream: bool, response: llm.Response, conversation: Any) -> Iterator[str]:
        """The calls that were asked for, or words; after the calls what they came to. Raises llm.ModelError."""
        from toolmend.base.errors import ToolmendError

        came = [part.output for part in prompt.messages[-1].parts if isinstance(part, llm.parts.ToolResultPart)]
        try:
            yield from ["\n".join(came)] if came else self._answered(prompt, response)
        except ToolmendError as error:
            raise llm.ModelError(str(error)) from error

    def _answered(self, prompt: llm.Prompt, response: llm.Response) -> Iterator[str]:
        from toolmend.base.messages import ToolSpec
        from toolmend.session import Session
        from toolmend.session.careful import spec_of
        from toolmend.session.mend.grounds import Heard, from_words
        from toolmend.session.retold import retell, told_of
        from toolmend.tools import Toolbox
        from toolmend.tools.foreign import foreign

        names = {tool.name.removeprefix(MARK): tool for tool in prompt.tools if isinstance(tool, llm.Tool)}
        specs = [ToolSpec(name, (tool.description or "").strip(), tool.input_schema) for name, tool in names.items()]
        taken = [foreign(spec, lambda _: "done", undo=lambda _: None) for spec in specs]  # it is llm that runs them
        session = Session(self.name, Toolbox.of(*taken) if taken else "calendar")
        *before, now = _turns(prompt.messages, session)
        retell(session, before, harmless=True)
        heard = Heard(now.text, session.tools.clock, session.tools.hours)
        session.review = lambda call: from_words(call, spec_of(session, call), heard)
        answer = session.say(now.text)
        response.set_usage(input=answer.usage.input_tokens, output=answer.usage.output_tokens)
        if not (taken and answer.standing):
            yield told_of(session)[-1].reply
        for call in answer.standing if taken else ():
            response.add_tool_call(llm.ToolCall(name=names[call.tool].name, arguments=dict(call.arguments)))


def _turns(messages: Sequence[Any], session: Session) -> list[Told]:
    """What was said, each with the calls or the words it led to; what it amends is found out by its words."""
    from toolmend.base.messages import Call
    from toolmend.reading.render import render
    from toolmend.session.retold import Told

    specs, turns = {spec.full_name: spec for spec in session.tools.specs}, list[Told]()
    for message in messages:
        text = "\n".join(part.text for part in message.parts if isinstance(part, llm.parts.TextPart))
        calls = [part for part in message.parts if isinstance(part, llm.parts.ToolCallPart)]
        if message.role == "user":
            turns.append(Told(text, "", -1))
        elif message.role == "assistant" and turns and not turns[-1].reply:
            made = [Call(part.name.removeprefix(MARK), part.arguments) for part in calls]
            lines = [render(call, specs.get(call.tool)) for call in made]
            turns[-1] = Told(turns[-1].text, "\n".join(lines) or text, -1)
    return turns
