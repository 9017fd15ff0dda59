"""Templates to answers, and errors to pages of one line. Everything is escaped; nothing here knows what a page says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache, wraps
from importlib.resources import files
from typing import Any, TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from toolmend.errors import ToolmendError, UnknownName

S = TypeVar("S")
Answer = Callable[[S, Request], Awaitable[Response]]

# No script, no other host: what a model wrote cannot do anything here even if it got through the escaping.
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
_HEADERS = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}


def page(request: Request, template: str, status: int = 200, **about: Any) -> HTMLResponse:
    """A page of a template."""
    text = _environment().get_template(template).render(path=request.url.path, **about)
    return HTMLResponse(text, status, _HEADERS)


def style() -> str:
    """The pages' style sheet."""
    return files("toolmend.apps.arena.pages").joinpath("style.css").read_text(encoding="utf-8")


def back(to: str) -> Response:
    """See there: a reload after a form must not send it again."""
    return RedirectResponse(to, 303)


async def form_of(request: Request) -> FormData:
    """The fields of a form, texts only."""
    return await request.form(max_files=0, max_fields=100)


def text_of(form: FormData, name: str) -> str:
    """A field as text, "" where it is not there."""
    value = form.get(name, "")
    return value if isinstance(value, str) else ""


def told(function: Answer[S]) -> Answer[S]:
    """An endpoint whose errors become a page of one line: 404 for what is not there, 400 else."""

    @wraps(function)
    async def telling(self: S, request: Request) -> Response:
        try:
            return await function(self, request)
        except ToolmendError as error:
            status = 404 if isinstance(error, UnknownName) else 400
            return page(request, "error.html", status, title="Not possible", why=str(error))

    return telling


@cache
def _environment() -> Environment:
    loader = PackageLoader("toolmend.apps.arena.pages", "templates")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["percent"] = _percent
    environment.filters["day"] = lambda made: str(made)[:16].replace("T", " ")
    return environment


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %".replace("-", "−")
