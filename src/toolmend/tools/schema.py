"""A typed Python function, with its Google-style docstring, as JSON Schema, and the check of arguments against it.

The types become one pydantic model per function, built once; arguments are first fitted (fitting.py), then validated
strictly as JSON. Importing this file imports pydantic. It runs nothing and knows no toolbox.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, get_args, get_origin

import pydantic
import pydantic_core
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaWarningKind

from toolmend.base.errors import BadOption, ToolError
from toolmend.tools.fitting import Fitting
from toolmend.tools.speech import Speech
from toolmend.tools.texts import refusals

_FORMS = {"HH:MM": {"at", "time", "clock"}, "YYYY-MM-DD": {"date", "day", "on", "due"}}
_EITHER = {"start", "end", "from", "until", "when", "begin", "to", "by"}
_FIELD = "p{}"
_CONFIG = pydantic.ConfigDict(extra="forbid", validate_default=False)
_ARGS = re.compile(r"(args|arguments|parameters|params):$", re.IGNORECASE)
_OTHER = re.compile(r"(returns?|raises|yields|examples?|undo|todo|see also):$", re.IGNORECASE)
_SPHINX = re.compile(
    r"\s*:(?:(?:param|parameter|arg|argument)\s+(?:[^:]*\s)?\*{0,2}(?P<name>\w+)"
    r"|(?:returns?|rtype|raises?|type|yields?)\b[^:]*):\s*(?P<text>.*)"
)
_ENTRY = re.compile(r"(?P<name>\*{0,2}\w+)\s*(?:\(.*?\))?\s*:\s*(?P<text>.*)")


@dataclass(frozen=True, slots=True)
class Docs:
    """A docstring taken apart. Lines of a paragraph are joined; `parameters` keeps the order of the docstring."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


class _PlainSchema(GenerateJsonSchema):
    """Without invented titles, and silent about a default that JSON cannot show."""

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Never: a title that repeats the name teaches a model nothing."""
        return False


class Signature:
    """The parameters of one function: `parameters` as JSON Schema, and `check` for what a model sends.

    Raises BadOption when a parameter has no type, cannot be filled by name, or has a type JSON cannot carry.
    """

    def __init__(self, function: Callable[..., Any], name: str, docs: Docs, *, skip_first: bool = False) -> None:
        parameters = _parameters(function, name, skip_first)
        unknown = [documented for documented in docs.parameters if documented not in parameters]
        if unknown:
            raise BadOption(f"tool {name!r}: the docstring documents {unknown[0]!r}, which is no parameter")
        self.names = tuple(parameters)
        self._model = _model(name, parameters, docs)
        self._fields = {parameter: _FIELD.format(index) for index, parameter in enumerate(self.names)}
        self.parameters = _json_schema(self._model, name)
        self._properties: Mapping[str, Any] = self.parameters["properties"]

    def check(
        self, arguments: Mapping[str, Any], speech: Speech | None = None
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Typed values for the arguments given, and what was converted. Raises ToolError naming each bad argument."""
        fitting = Fitting(self.parameters, speech)
        fitted = {name: fitting.fit(value, self._properties.get(name), name) for name, value in arguments.items()}
        try:
            model = self._model.__pydantic_validator__.validate_json(_as_json(fitted), strict=True)
        except pydantic.ValidationError as error:
            details = error.errors(include_url=False, include_context=False)
            raise ToolError(refusals(details, fitted, self.names, fitting.problems)) from None
        if fitting.problems:
            raise ToolError("; ".join(fitting.problems))
        fields = self._fields
        return {name: getattr(model, fields[name]) for name in fitted}, tuple(fitting.notes)


def _parameters(function: Callable[..., Any], name: str, skip_first: bool) -> dict[str, inspect.Parameter]:
    try:
        signature = inspect.signature(function, eval_str=True)
    except (NameError, TypeError, ValueError) as error:
        raise BadOption(f"tool {name!r}: its signature cannot be read: {error}") from error
    parameters = dict(list(signature.parameters.items())[int(skip_first) :])
    for parameter in parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise BadOption(f"tool {name!r}: {parameter} cannot be filled by name; take it out, or hide _{name}")
        if parameter.annotation is parameter.empty:
            raise BadOption(f"tool {name!r}: parameter {parameter.name!r} needs a type, as in {parameter.name}: str")
    return parameters


def _model(name: str, parameters: Mapping[str, inspect.Parameter], docs: Docs) -> type[pydantic.BaseModel]:
    """One field per parameter, its real name an alias: a parameter may be called `json` or `_x`, a field may not."""
    fields: dict[str, Any] = {}
    for index, (parameter_name, parameter) in enumerate(parameters.items()):
        options: dict[str, Any] = {"alias": parameter_name}
        if parameter.default is not parameter.empty:
            options["default"] = parameter.default
        description = docs.parameters.get(parameter_name) or _noted(parameter.annotation)
        description = description or _form(docs.description, parameter_name, parameter.annotation)
        if description:
            options["description"] = description
        fields[_FIELD.format(index)] = (parameter.annotation, pydantic.Field(**options))
    try:
        return pydantic.create_model(name, __config__=_CONFIG, **fields)
    except PydanticUserError as error:
        raise BadOption(f"tool {name!r}: {_unusable(parameters) or _first_sentence(error)}") from error


def _unusable(parameters: Mapping[str, inspect.Parameter]) -> str:
    """Which parameter has the type that made the model fail, and what pydantic says of it."""
    for name, parameter in parameters.items():
        try:
            pydantic.TypeAdapter(parameter.annotation)
        except PydanticUserError as error:
            return f"parameter {name!r} has a type that cannot be sent: {_first_sentence(error)}"
    return ""


def _noted(annotation: Any) -> str:
    """The text of `Annotated[int, "minutes"]`."""
    notes = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((note for note in notes if isinstance(note, str)), "")


def _form(about: str, name: str, annotation: Any) -> str:
    """How a text is written that is a day or a time by its name, where only the tool's description tells: "HH:MM"."""
    if annotation not in (str, str | None):
        return ""
    words, told = set(name.lower().split("_")), [form for form in _FORMS if form in about]
    fitting = [form for form in told if words & _FORMS[form] or (len(told) == 1 and words & _EITHER)]
    return fitting[0] if len(fitting) == 1 else ""


def _json_schema(model: type[pydantic.BaseModel], name: str) -> dict[str, Any]:
    try:
        schema = model.model_json_schema(schema_generator=_PlainSchema)
    except PydanticUserError as error:
        raise BadOption(f"tool {name!r}: {_first_sentence(error)}") from error
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("title", None)
    return {"type": "object", "properties": {}, **schema}


def _as_json(values: Mapping[str, Any]) -> bytes:
    try:
        return pydantic_core.to_json(values)
    except (ValueError, RecursionError):
        raise ToolError(_unwritable(values)) from None


def _unwritable(values: Mapping[str, Any]) -> str:
    for name, value in values.items():
        try:
            pydantic_core.to_json({name: value})
        except (ValueError, RecursionError):
            return f"argument {name.encode('utf-8', 'replace').decode()!r}: cannot be written as JSON text"
    return "the arguments cannot be written as JSON text"


def _first_sentence(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].partition(". ")[0]


def read_docstring(text: str | None) -> Docs:
    """The description (everything before the first section) and the entries of the `Args:` section, or of Sphinx's
    fields (`:param times: how often`).

    >>> read_docstring("Ring a bell.\\n\\nArgs:\\n    times: how often\\n")
    Docs(description='Ring a bell.', parameters={'times': 'how often'})
    """
    lines = inspect.cleandoc(text or "").splitlines()
    fields = [index for index, line in enumerate(lines) if _SPHINX.match(line)]
    if fields:
        return Docs(_joined(lines[: fields[0]]), _fields(lines[fields[0] :]))
    heads = [index for index, line in enumerate(lines) if _ARGS.match(line) or _OTHER.match(line)]
    description = _joined(lines[: heads[0]] if heads else lines)
    for index in heads:
        if _ARGS.match(lines[index]):
            return Docs(description, _entries(_block(lines[index + 1 :])))
    return Docs(description)


def _fields(lines: list[str]) -> dict[str, str]:
    """The parameters of Sphinx's fields; what stands below one and is none goes on with it."""
    texts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in filter(str.strip, lines):
        field = _SPHINX.match(line)
        if field:
            current = texts.setdefault(field["name"], []) if field["name"] else []
        current.append(field["text"] if field else line.strip())
    return {name: " ".join(filter(None, parts)) for name, parts in texts.items()}


def _block(lines: list[str]) -> list[str]:
    """The indented lines right under a section head."""
    for index, line in enumerate(lines):
        if line.strip() and not line[0].isspace():
            return lines[:index]
    return lines


def _entries(lines: list[str]) -> dict[str, str]:
    texts: dict[str, list[str]] = {}
    current: list[str] = []
    margin: int | None = None
    for line in filter(str.strip, lines):
        indent = len(line) - len(line.lstrip())
        margin = indent if margin is None else margin
        entry = _ENTRY.fullmatch(line.strip()) if indent <= margin else None
        if entry:
            current = texts.setdefault(entry["name"].lstrip("*"), [])
        current.append(entry["text"] if entry else line.strip())
    return {name: " ".join(filter(None, parts)) for name, parts in texts.items()}


def _joined(lines: list[str]) -> str:
    paragraphs = "\n".join(line.strip() for line in lines).strip().split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())
