"""What a judge is asked: a file beside this one, or one of the user's, filled in. Its hash goes into every judgement.

The variables of a prompt are earlier, request, first, second, fence and debias; `{% include "dialogue" %}` and
`{% include "fairness" %}` put in the two parts that all shipped prompts share.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile

PARTS = ("dialogue", "fairness")
_NEEDED = ("first", "second")


class Prompt:
    """A prompt by the name of a shipped one, or by the path of a file that ends in .md.

    Raises BadFile for a file that cannot be read, is no template, or shows only one of the two answers.
    """

    def __init__(self, name: str, *, debias: bool = False) -> None:
        self.name, self.debias = name, debias
        self._source = _read(name) if name.endswith(".md") else _shipped(name)
        self._check()

    @cached_property
    def digest(self) -> str:
        """The first 12 hex digits of the SHA-256 of everything that is asked, the debiasing included."""
        whole = "\0".join([self._source, *map(_shipped, PARTS), str(self.debias)])
        return hashlib.sha256(whole.encode()).hexdigest()[:12]

    def render(self, *, earlier: tuple[str, ...], request: str, first: str, second: str) -> str:
        """The text of a request, the answers in the order in which they are to be shown."""
        fence = _fence(first + second)
        shown: str = self._template.render(
            earlier=earlier, request=request, first=first, second=second, fence=fence, debias=self.debias
        )
        return shown.strip()

    @cached_property
    def _template(self) -> Any:
        from jinja2 import DictLoader, StrictUndefined
        from jinja2.sandbox import SandboxedEnvironment

        made = SandboxedEnvironment(
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            loader=DictLoader({name: _shipped(name) for name in PARTS}),
        )
        return made.from_string(self._source)

    def _check(self) -> None:
        from jinja2 import TemplateError

        probe = {name: f"<the {name} answer>" for name in _NEEDED}
        try:
            shown = self.render(earlier=(), request="", **probe)
        except TemplateError as error:
            raise BadFile(self.name, f"no usable prompt ({error})") from error
        if gone := next((name for name in _NEEDED if probe[name] not in shown), None):
            raise BadFile(self.name, f"the prompt never shows {{{{ {gone} }}}}: a judge must see both answers")


def _shipped(name: str) -> str:
    return files("toolmend.extras.arena.judges").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def _read(path: str) -> str:
    try:
        return Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read as text ({error})") from error


def _fence(text: str) -> str:
    """A line that the answers do not hold, so that none can pretend to end: it is their hash."""
    return f"----{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}----"
