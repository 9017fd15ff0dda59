"""YAML with the types of version 1.2 only, every mapping knowing its lines.

PyYAML's default reads `time: 17:00` as 1020, `2024-11-11` as a date and `no` as false, and lets duplicate keys vanish.
Here those are text, text, text and an error with its line. Numbers are decimal; there are no tags but `!!str`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isinf
from pathlib import Path
from typing import Any, TypeVar

import yaml

from toolmend.base.errors import BadFile, UnknownName

_INT = re.compile(r"[-+]?[0-9]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_UNTAGGED = "untagged"
_STR, _SEQ, _MAP = (f"tag:yaml.org,2002:{name}" for name in ("str", "seq", "map"))
_DEEPEST = 60


T = TypeVar("T")


class Located(dict[str, Any]):
    """A mapping whose `lines` tell where each key stands (counted from 1); `line` is where it begins."""

    line: int = 0
    lines: dict[str, int]


class _Loader(yaml.SafeLoader):
    """Leaves it open what an untagged plain scalar is, so that a tag that was written can be told from a guess."""

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> Any:
        plain = kind is yaml.ScalarNode and implicit[0]
        return _UNTAGGED if plain else super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]


def load(path: Path) -> Any:
    """The content of a file. Raises BadFile with the line for anything that is not plain YAML."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read ({error})") from error
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise BadFile(path, f"not YAML: {error.problem}", line) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise BadFile(path, f"not YAML: {error}") from error
    return None if node is None else _Values(path).value(node, 0)


class _Values:
    """Turns nodes into values; what several aliases point at is made once."""

    def __init__(self, path: Path) -> None:
        self.path, self.made = path, dict[int, Any]()

    def value(self, node: yaml.Node, depth: int) -> Any:
        if id(node) not in self.made:
            self.made[id(node)] = self._value(node, depth)
        return self.made[id(node)]

    def _value(self, node: yaml.Node, depth: int) -> Any:
        if depth > _DEEPEST:
            raise self._bad("nested too deeply (or an alias that contains itself)", node)
        if node.tag not in (_UNTAGGED, _STR, _SEQ, _MAP):
            raise self._bad(f"tag {node.tag.replace('tag:yaml.org,2002:', '!!')} is not known here", node)
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.tag == _STR else self._scalar(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        assert isinstance(node, yaml.MappingNode)
        return self._mapping(node, depth)

    def _mapping(self, node: yaml.MappingNode, depth: int) -> Located:
        made = Located()
        made.line, made.lines = node.start_mark.line + 1, {}
        for key_node, value_node in node.value:
            key = self.value(key_node, depth + 1)
            if not isinstance(key, str):
                raise self._bad(f"key {key!r} is not text", key_node)
            if key in made:
                raise self._bad(f"key {key!r} stands twice (first in line {made.lines[key]})", key_node)
            made[key], made.lines[key] = self.value(value_node, depth + 1), key_node.start_mark.line + 1
        return made

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        text: str = node.value
        if text.lower() in _WORDS and text in {text.lower(), text.upper(), text.capitalize()}:
            return _WORDS[text.lower()]
        if _INT.fullmatch(text):
            return int(text)
        if not _FLOAT.fullmatch(text):
            return text
        if isinf(number := float(text)):
            raise self._bad(f"number {text:.20} is too large", node)
        return number

    def _bad(self, what: str, node: yaml.Node) -> BadFile:
        return BadFile(self.path, what, node.start_mark.line + 1)


class YamlReader:
    """Takes loaded YAML apart: whatever is not as it should be is one BadFile with file, line and key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def bad(self, what: str, where: Located | None = None, key: str = "") -> BadFile:
        """The error, with the line of that key."""
        line = where.lines.get(key, where.line) if where is not None else None
        return BadFile(self.path, f"{key}: {what}" if key else what, line)

    def mapping(self, value: Any, where: Located | None, key: str, what: str = "") -> Located:
        """The value as a mapping."""
        if not isinstance(value, Located):
            raise self.bad(f"{what}must be a mapping of keys to values, not {value!r:.40}", where, key)
        return value

    def filled(self, where: Located, key: str) -> Located:
        """The mapping under a key, which must not be empty."""
        value = where.get(key)
        if value is None or value == {}:
            raise self.bad("is missing" if key not in where else "must not be empty", where, key)
        return self.mapping(value, where, key)

    def only(self, where: Located, known: Iterable[str]) -> None:
        """Refuse any other key."""
        for key in where:
            if key not in known:
                raise self.bad(str(UnknownName("key", key, known)), where, key)

    def text(self, where: Located, key: str) -> str:
        """The text under a key."""
        value = where.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.bad("is missing" if value is None else f"must be text, not {value!r:.40}", where, key)
        return value

    def optional_text(self, where: Located, key: str) -> str | None:
        """The text under a key, None where the key is not there."""
        return self.text(where, key) if key in where else None

    def choice(self, where: Located, key: str, among: tuple[str, ...], default: T) -> str | T:
        """One of these words."""
        if key not in where:
            return default
        value = where[key]
        if value not in among:
            raise self.bad(f"must be {' or '.join(among)}, not {value!r:.40}", where, key)
        return str(value)

    def flag(self, where: Located, key: str, default: bool) -> bool:
        """true or false."""
        value = where.get(key, default)
        if not isinstance(value, bool):
            raise self.bad(f"must be true or false, not {value!r:.40}", where, key)
        return value

    def number(self, where: Located, key: str, default: int, least: int = 0) -> int:
        """A whole number."""
        value = where.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.bad(f"must be a whole number of at least {least}, not {value!r:.40}", where, key)
        return value

    def items(self, where: Located, key: str) -> list[Any]:
        """A list that is not empty."""
        value = where.get(key)
        if not isinstance(value, list) or not value:
            raise self.bad("must be a list with at least one item", where, key)
        return value

    def names(self, where: Located, key: str, kind: str, known: Iterable[str]) -> list[str]:
        """A list of known names, none of them twice."""
        value, made = where[key], list[str]()
        if not isinstance(value, list):
            raise self.bad(f"must be a list of names, not {value!r:.40}", where, key)
        for name in value:
            if not isinstance(name, str) or name not in known:
                raise self.bad(str(UnknownName(kind, str(name), known)), where, key)
            if name in made:
                raise self.bad(f"{name!r} stands twice", where, key)
            made.append(name)
        return made
