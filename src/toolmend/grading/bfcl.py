"""Judging as BFCL's checker judges calls and replies without one, so that foreign verdicts can be had from here.

Texts lose blanks and `,./-_*^` before they are compared, values must be of the declared Python type or of the type of
the first answer, no default is implied, and words beside a call do not matter. Written from the behaviour of the
checker that the wheel bfcl-eval 2026.3.23 ships; benchmarks/bfcl_peer.py holds both against each other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolmend.base.messages import Call, ToolSpec
from toolmend.base.mistakes import Kind
from toolmend.grading.compare import Target
from toolmend.grading.expected import ExpectedCall, OneOf, Optional_
from toolmend.grading.schemas import Shape
from toolmend.grading.values import RULES_OF_VALUES, ValueCheck, check_of
from toolmend.reading import Reading
from toolmend.reading.literals import Unreadable, fold, parse_expression
from toolmend.reading.quick import plain_calls

TUPLE = "tuple"
"""The `format` of a list that is declared as a tuple."""
_OMITTED = ""
_IGNORED = re.compile(r"[ ,./\-_*^]")
_PYTHON = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": dict}


class BfclTarget(Target):
    """An expected call as BFCL's checker compares one."""

    __slots__ = ()

    def __init__(self, expected: ExpectedCall, spec: ToolSpec) -> None:
        super().__init__(expected, spec)
        self._names = dict.fromkeys(name for name in expected.arguments if name in spec.properties)

    def _may_lack(self, name: str) -> bool:
        """Only what is optional for the tool and for the answer: a default is not implied."""
        return isinstance(self.expected.arguments[name], Optional_) and name not in self._spec.required

    def _ready(self, name: str) -> ValueCheck:
        shape, answers = self._shape(name), _answers(self.expected.arguments[name])
        check = self._checks[name] = _Value(answers, shape).check()
        return check


def standard(text: str) -> str:
    """What of a text counts."""
    return _IGNORED.sub("", text).lower().replace("'", '"')


def _standard(value: Any) -> Any:
    return standard(value) if isinstance(value, str) else value


def _answers(value: Any) -> list[Any]:
    """Acceptable values as BFCL writes them: a list, with "" for what may be left out; so for each key of a mapping."""
    if isinstance(value, Optional_):
        return [*_answers(value.value), _OMITTED]
    return [_answer(item) for item in (value.values if isinstance(value, OneOf) else (value,))]


def _answer(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _listed(item) if isinstance(item, _SEVERAL) else [_literal(item)] for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_answer(item) if isinstance(item, Mapping) else _literal(item) for item in value]
    return value


_SEVERAL = (OneOf, Optional_)


def _listed(value: OneOf | Optional_) -> list[Any]:
    if isinstance(value, OneOf):
        return [_literal(item) for item in value.values]
    inner = value.value
    return [*(_listed(inner) if isinstance(inner, OneOf) else [_literal(inner)]), _OMITTED]


def _literal(value: Any) -> Any:
    """Values inside the values of a mapping, which BFCL compares as they are written."""
    if isinstance(value, _SEVERAL):
        return _listed(value)
    if isinstance(value, Mapping):
        return {key: _literal(item) for key, item in value.items()}
    return [_literal(item) for item in value] if isinstance(value, (list, tuple)) else value


class _Value:
    """The values that are acceptable for one parameter."""

    def __init__(self, answers: list[Any], shape: Shape) -> None:
        self.answers = [answer for answer in answers if not isinstance(answer, RULES_OF_VALUES)]
        self.rules = [check_of(answer, shape) for answer in answers if isinstance(answer, RULES_OF_VALUES)]
        self.declared = _python_type(shape)
        self.item = _python_type(shape.items) if self.declared is list and shape.items is not None else None
        self.tuple = shape.format == TUPLE
        self.first = next((type(answer) for answer in self.answers if answer != _OMITTED), None)

    def check(self) -> ValueCheck:
        """Whether a value is acceptable, and what is wrong with another."""
        return ValueCheck(lambda got: self._fault(got) is None, lambda got: self._fault(got) or Kind.WRONG_VALUE)

    def _fault(self, got: Any) -> Kind | None:
        if any(rule.accepts(got) for rule in self.rules):
            return None
        if self.declared is float and type(got) is int:
            got = float(got)
        elif self.tuple and isinstance(got, tuple):
            got = list(got)
        if type(got) is self.declared:
            if self.item is not None and not any(self._items_fit(got, answer) for answer in self.answers):
                return Kind.WRONG_TYPE
            if self.first in (None, self.declared):
                return None if self._comparison()(got) else Kind.WRONG_VALUE
        elif self.first is None or type(got) is not self.first:
            return Kind.WRONG_TYPE
        return None if got in self.answers else Kind.WRONG_VALUE  # a name instead of a value: taken as it is

    def _items_fit(self, got: Any, answer: Any) -> bool:
        """Whether the items are of the declared type, or of that of the answer's first item."""
        if not isinstance(answer, list):
            return True
        first = next((type(item) for item in answer if item != _OMITTED), None)
        return all(type(item) is self.item or (first is not None and type(item) is first) for item in got)

    def _comparison(self) -> Callable[[Any], bool]:
        if self.declared is dict:
            return lambda got: any(_same_keys(got, answer) for answer in self.answers if answer != _OMITTED)
        if self.declared is list and self.item is dict:
            return lambda got: any(_same_mappings(got, answer) for answer in self.answers)
        if self.declared is list:
            return lambda got: (
                list(map(_standard, got))
                in [list(map(_standard, answer)) for answer in self.answers if isinstance(answer, (list, str))]
            )
        if self.declared is str:
            return lambda got: standard(got) in [standard(answer) for answer in self.answers if type(answer) is str]
        return lambda got: got in self.answers


def _python_type(shape: Shape | None) -> type:
    """The Python type that a schema declares; text where it names none."""
    return next((kind for name, kind in _PYTHON.items() if shape is not None and name in shape.types), str)


def _same_keys(got: Mapping[str, Any], answer: Any) -> bool:
    """Whether each value is among those for its key, and only optional keys lack; values inside values are literal."""
    if not isinstance(got, Mapping) or not isinstance(answer, Mapping):
        return False
    for key, value in got.items():
        if key not in answer or _standard(value) not in [_standard(item) for item in answer[key]]:
            return False
    return all(key in got or _OMITTED in items for key, items in answer.items())


def _same_mappings(got: Sequence[Any], answer: Any) -> bool:
    return len(got) == len(answer) and all(map(_same_keys, got, answer))


def read_bfcl(text: str) -> Reading:
    """The calls of a reply that is nothing but calls, alone or in a list, as BFCL decodes it; positional arguments are
    not seen. Anything else is a reply without a call. Nothing is evaluated.
    """
    source = text.strip("`\n ")
    source = f"{'' if source.startswith('[') else '['}{source}{'' if source.endswith(']') else ']'}"
    source = source.strip().strip("'")
    if plain := plain_calls(source):
        return Reading(tuple(Call(name, named) for name, _, named in plain))
    node = parse_expression(source)
    parts = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else [node]
    calls = []
    for part in parts:
        if not isinstance(part, ast.Call):
            return Reading((), text.strip(), problem="no_call")
        try:
            arguments = {keyword.arg or "**": _value(keyword.value) for keyword in part.keywords}
        except Unreadable as fault:
            return Reading((), text.strip(), problem="no_call", detail=fault.why)
        calls.append(Call(_name(part.func), arguments))
    return Reading(tuple(calls), problem=None if calls else "no_call")


def _name(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([*([node.id] if isinstance(node, ast.Name) else []), *reversed(parts)])


def _value(node: ast.expr) -> Any:
    """A value as BFCL resolves it: names and inner calls become text, tuples stay tuples."""
    if isinstance(node, ast.Constant):
        return "..." if node.value is ... else node.value
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.List):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(_value(item) for item in node.elts)
    if isinstance(node, ast.Dict) and None not in node.keys:
        return {_key(key): _value(value) for key, value in zip(node.keys, node.values, strict=True)}
    if isinstance(node, ast.Call):
        inner = {keyword.arg or "**": _value(keyword.value) for keyword in node.keywords}
        return {_name(node.func): inner} if inner else ast.unparse(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return fold(ast.UnaryOp(ast.USub(), node.operand), set())  # whatever sign it was
    if isinstance(node, ast.Subscript):
        return ast.unparse(node)
    if isinstance(node, ast.BinOp):
        return fold(node, set())
    raise Unreadable(node)


def _key(node: ast.expr | None) -> Any:
    key = _value(node) if node is not None else None
    if isinstance(key, (list, dict)):
        raise Unreadable(node or ast.Constant(None), "cannot be a key")
    return key
