"""YAML with the types of version 1.2 only, every mapping knowing its lines.

PyYAML's default reads `time: 17:00` as 1020, `2024-11-11` as a date and `no` as false, and lets duplicate keys vanish.
Here those are text, text, text and an error with its line.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from toolmend.errors import BadFile

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)$")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


class Located(dict[str, Any]):
    """A mapping whose `lines` tell where each key stands (counted from 1); `line` is where it begins."""

    line: int = 0
    lines: dict[str, int]


def load(path: Path) -> Any:
    """The content of a file. Raises BadFile with the line for anything that is not plain YAML."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read ({error})") from error
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise BadFile(path, f"not YAML: {error.problem}", line) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise BadFile(path, f"not YAML: {error}") from error
    return None if node is None else _value(node, path, 0)


def _value(node: yaml.Node, path: Path, depth: int) -> Any:
    if depth > 60:
        raise BadFile(path, "nested too deeply (or an alias that contains itself)", node.start_mark.line + 1)
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, path)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, path, depth + 1) for item in node.value]
    assert isinstance(node, yaml.MappingNode)
    made = Located()
    made.line, made.lines = node.start_mark.line + 1, {}
    for key_node, value_node in node.value:
        key, line = _value(key_node, path, depth + 1), key_node.start_mark.line + 1
        if not isinstance(key, str):
            raise BadFile(path, f"key {key!r} is not text", line)
        if key in made:
            raise BadFile(path, f"key {key!r} stands twice (first in line {made.lines[key]})", line)
        made[key], made.lines[key] = _value(value_node, path, depth + 1), line
    return made


def _scalar(node: yaml.ScalarNode, path: Path) -> Any:
    text: str = node.value
    if node.style or node.tag == "tag:yaml.org,2002:binary":
        return text
    if text.lower() in _WORDS and text in {"", "~", text.lower()}:
        return _WORDS[text]
    if _INT.match(text):
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    if node.tag.startswith("!"):
        raise BadFile(path, f"tag {node.tag} is not known here", node.start_mark.line + 1)
    return text
