"""Prompts are files beside this one; their hash goes into every trace. Rendering is sandboxed jinja2."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def source(name: str) -> str:
    """The text of prompts/NAME.md."""
    return files("toolmend.strategies").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


@cache
def digest(*names: str) -> str:
    """The first 12 hex digits of the SHA-256 of a prompt file, or of several, one after the other."""
    return hashlib.sha256("".join(map(source, names)).encode()).hexdigest()[:12]


def render(name: str, **values: Any) -> str:
    """A prompt with its values filled in."""
    rendered: str = _template(name).render(**values)
    return rendered.strip()


@cache
def _template(name: str) -> Any:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(undefined=StrictUndefined, autoescape=False).from_string(source(name))
