"""Tools that exist elsewhere: a ToolSpec somebody else wrote, and a function that carries the call there.

Arguments are fitted like those of Python functions and validated by jsonschema. Knows no protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolmend.errors import BadOption, ToolError
from toolmend.messages import ToolSpec
from toolmend.tools.fitting import Fitting
from toolmend.tools.refusals import unknown_argument
from toolmend.tools.speech import Speech
from toolmend.tools.texts import shown
from toolmend.tools.tool import Check, Tool, Undo

_PATTERNS = frozenset({"pattern", "patternProperties"})


def foreign(spec: ToolSpec, send: Callable[[dict[str, Any]], Any], *, undo: Undo | None = None) -> Tool:
    """A tool of a foreign spec. `send` gets the arguments as one dict; it may be async.

    Raises BadOption when the parameters are no JSON Schema.
    """

    def function(**arguments: Any) -> Any:
        return send(arguments)

    return Tool(spec, function, checker(spec), undo)


def checker(spec: ToolSpec) -> Check:
    """The check of arguments against a spec alone. Raises BadOption when the parameters are no JSON Schema."""
    from jsonschema import Draft202012Validator, SchemaError  # type: ignore[import-untyped,unused-ignore]
    from referencing import Registry

    try:
        Draft202012Validator.check_schema(spec.parameters)
    except SchemaError as error:
        raise BadOption(f"tool {spec.full_name!r}: its parameters are no JSON Schema: {error.message}") from error
    validator = Draft202012Validator(spec.parameters, registry=Registry())  # an empty one: nothing is fetched

    def check(arguments: Mapping[str, Any], speech: Speech | None = None) -> tuple[dict[str, Any], tuple[str, ...]]:
        fitting = Fitting(spec.parameters, speech)
        fitted = {name: fitting.fit(value, spec.properties.get(name), name) for name, value in arguments.items()}
        problems = [*fitting.problems, *(_problem(error, spec) for error in validator.iter_errors(fitted))]
        if problems:
            raise ToolError("; ".join(dict.fromkeys(problems)))
        return fitted, tuple(fitting.notes)

    return check


def without_patterns(schema: Any) -> Any:
    """A schema without regular expressions: of somebody who is not trusted, one can be written that never ends."""
    if isinstance(schema, list):
        return [without_patterns(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, dict):
            made[key] = {name: without_patterns(each) for name, each in value.items()}
        elif key not in _PATTERNS:
            made[key] = value if key in ("enum", "const", "default", "examples") else without_patterns(value)
    return made


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
