"""LLMaker's 50 requests as a suite, from a file that toolmend does not bring: `toolmend run llmaker --cases PATH`.

Each request starts from its own level, as published, and is checked twice: by toolmend's strict checks, which decide,
and beside them by the published ones (llmaker_checks.py). Source: gallorob/freyr, Apache-2.0; the format of the file
is in docs/suites.md. Knows no models.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from toolmend.base.errors import BadFile, BadOption, ToolmendError
from toolmend.evals.benchmarks.llmaker_checks import PublishedCheck
from toolmend.evals.suites.steps import StepReader
from toolmend.evals.suites.suite import Case, Experiment, Step, Suite
from toolmend.evals.suites.yaml12 import Located, load
from toolmend.tools import Toolbox

NAME = "llmaker"
EXPERIMENT = "steps"
PUBLISHED = "published"
_ABOUT = "LLMaker's five test cases, each request from its own level (gallorob/freyr, Apache-2.0)"
_HINT = "the published requests and levels are not part of toolmend (docs/suites.md says what the file holds)"


@dataclass(frozen=True)
class PublishedRequest:
    """One published request: the level it starts from, and its published check."""

    case: str
    step: int
    say: str
    start: Any
    published: PublishedCheck

    @property
    def key(self) -> str:
        """`T1.7`."""
        return f"{self.case}.{self.step}"


def suite(cases: str | None = None, tools: str | None = None) -> Suite:
    """The suite of a file of cases. Raises BadOption without one, BadFile for one that is not as it should be."""
    if not cases:
        raise BadOption(f"suite {NAME} needs --cases PATH: {_HINT}")
    path = Path(cases)
    content, requests = _requests(path)
    strict = Path(str(files("toolmend.evals.suites.shipped").joinpath("llmaker", "strict.yaml")))
    reader = _Strict(strict, tools)
    made = tuple(_case(request, reader, path) for request in requests)
    if unknown := sorted({request.key for request in requests} ^ set(reader.steps)):
        raise BadFile(path, f"requests and strict checks do not agree on {', '.join(unknown)}; {_HINT}")
    return Suite(
        NAME,
        1,
        tools or reader.tools,
        None,
        (Experiment(EXPERIMENT, _ABOUT, made, corrections=0, branches=()),),
        hashlib.sha256(content + strict.read_bytes()).hexdigest()[:16],
        f"{NAME}?cases={quote(cases, safe='/')}",
        about=_ABOUT,
    )


class _Strict(StepReader):
    """The strict checks and right replies, by case and number."""

    def __init__(self, path: Path, tools: str | None) -> None:
        super().__init__(path, None)
        top = self.mapping(load(path), None, "", "the file ")
        self.only(top, ("tools", "aside", "open", "shapes", "steps"))
        self.tools = self.text(top, "tools")
        self.box = Toolbox.load(tools or self.tools)
        self.aside = tuple(str(item) for item in self.items(top, "aside"))
        self.open = self.arguments(top, "open")
        self.steps = self.filled(top, "steps")

    def of(self, request: PublishedRequest) -> Step:
        """The step of a request, its check not yet beside it."""
        where = Located({"say": request.say, **self.mapping(self.steps[request.key], self.steps, request.key)})
        where.line, where.lines = self.steps[request.key].line, self.steps[request.key].lines
        return self.step(where, 0)


def _case(request: PublishedRequest, reader: _Strict, path: Path) -> Case:
    if request.key not in reader.steps:
        raise BadFile(path, f"{request.key} is none of the 50 requests that toolmend has strict checks for")
    try:
        reader.box.set_state(request.start)
    except ToolmendError as error:
        raise BadFile(path, f"{request.key}: its starting level cannot be: {error}") from error
    step = replace(reader.of(request), start=request.start, beside={PUBLISHED: request.published})
    return Case(f"{request.case}/{request.step}", request.case, (step,))


def _requests(path: Path) -> tuple[bytes, list[PublishedRequest]]:
    """The bytes of the file and its requests."""
    try:
        content = path.read_bytes()
        data = json.loads(content)
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error}); {_HINT}") from error
    except (ValueError, RecursionError) as error:
        raise BadFile(path, f"is no JSON ({error}); {_HINT}") from error
    try:
        return content, list(_each(data))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise BadFile(path, f"does not hold cases and levels as it should ({error!r}); {_HINT}") from error
    except BadOption as error:
        raise BadFile(path, str(error)) from error


def _each(data: Mapping[str, Any]) -> Iterator[PublishedRequest]:
    levels = data["levels"]
    for case in data["cases"]:
        for step in case["steps"]:
            checks = (*step["published_domain_check"], *step["published_design_check"])
            say, start = step["request"], levels[step["start_level"]]
            if not isinstance(say, str):
                raise TypeError(f"a request is text, not {say!r:.40}")
            yield PublishedRequest(str(case["case"]), int(step["step"]), say, start, PublishedCheck(checks))
