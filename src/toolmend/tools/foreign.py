"""Tools that exist elsewhere: a ToolSpec somebody else wrote, and a function that carries the call there.

Arguments are fitted like those of Python functions and validated within the budget of schemas.py, without regular
expressions: those are for the tool itself to try. Knows no protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolmend.base import schemas
from toolmend.base.errors import BadOption, ToolError
from toolmend.base.messages import ToolSpec
from toolmend.tools.fitting import Fitting
from toolmend.tools.speech import Speech
from toolmend.tools.texts import shown, unknown_argument
from toolmend.tools.tool import Check, Tool, Undo


class Unchecked(ToolError):
    """Arguments that could not be held against the tool's schema: it asks for too much, or refers to nothing."""


def foreign(spec: ToolSpec, send: Callable[[dict[str, Any]], Any], *, undo: Undo | None = None) -> Tool:
    """A tool of a foreign spec. `send` gets the arguments as one dict; it may be async.

    Raises BadOption when the parameters are no JSON Schema.
    """

    def function(**arguments: Any) -> Any:
        return send(arguments)

    return Tool(spec, function, checker(spec), undo)


def checker(spec: ToolSpec) -> Check:
    """The check of arguments against a spec alone. Raises BadOption when the parameters are no JSON Schema."""
    try:
        schemas.check(spec.parameters)
    except BadOption as error:
        raise BadOption(f"tool {spec.full_name!r}: its parameters are no JSON Schema: {error}") from error
    schema = schemas.harmless(spec.parameters)

    def check(arguments: Mapping[str, Any], speech: Speech | None = None) -> tuple[dict[str, Any], tuple[str, ...]]:
        fitting = Fitting(schema, speech)
        known = schema.get("properties") or {}
        try:
            fitted = {name: fitting.fit(value, known.get(name), name) for name, value in arguments.items()}
            problems = [*fitting.problems, *(_problem(error, spec) for error in schemas.errors(schema, fitted))]
        except BadOption as error:
            raise Unchecked(f"the arguments cannot be checked: {error}") from error
        if problems:
            raise ToolError("; ".join(dict.fromkeys(problems)))
        return fitted, tuple(fitting.notes)

    return check


def _problem(error: Any, spec: ToolSpec) -> str:
    """One jsonschema error as a sentence that names the argument."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)[1:]
    if error.validator == "required":
        missing = [f"{path}.{name}".lstrip(".") for name in error.validator_value if name not in error.instance]
        return "; ".join(f"argument {name!r} is missing" for name in missing)
    if error.validator == "additionalProperties" and not path:
        surplus = [name for name in error.instance if name not in spec.properties]
        return "; ".join(unknown_argument(name, error.instance[name], tuple(spec.properties)) for name in surplus)
    where = f"argument {path!r}" if path else "the arguments"
    return f"{where}: {_expected(error)}, got {shown(error.instance)}"


def _expected(error: Any) -> str:
    wanted = error.validator_value
    if error.validator == "type":
        return f"should be of type {wanted if isinstance(wanted, str) else ' or '.join(wanted)}"
    if error.validator in ("enum", "const"):
        return f"should be {' or '.join(map(repr, wanted if error.validator == 'enum' else [wanted]))}"
    return f"does not satisfy {error.validator} {shown(wanted)}"
