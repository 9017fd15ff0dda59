"""Templates to answers, errors to pages of one line, and streams of what changes. Nothing here knows what a page says.

A page works without a script. With `site.js` a form is answered by the parts that changed, and what happens later
comes as lines of JSON, `{"id of an element": "its new inside"}`, for as long as something is being written.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import cache, wraps
from importlib.resources import files
from typing import Any, TypeVar
from unicodedata import category

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from toolmend.base.errors import ToolmendError, UnknownName

Endpoint = TypeVar("Endpoint")
Answering = Callable[[Endpoint, Request], Awaitable[Response]]
Parts = Mapping[str, str]

# One script, from here, and no other host: what a model wrote cannot do anything even if it got through the escaping.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
_HEADERS = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
# Signs that turn the direction of a line around, and would let a reply reach beyond itself.
_TURNING = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
_TICK = 0.05  # seconds: twenty pictures of a reply that is being written are enough to read along


class Site:
    """The pages of a package: its `templates` beside those all sites share. `places` are the ways at the top: address
    and name."""

    def __init__(self, package: str, title: str, places: Mapping[str, str]) -> None:
        loader = ChoiceLoader([PackageLoader(package), PackageLoader("toolmend.apps.site")])
        self._environment = Environment(
            loader=loader,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_shown,
        )
        self._environment.filters |= {"percent": _percent, "day": lambda made: str(made)[:16].replace("T", " ")}
        self._environment.globals |= {"site": title, "places": places}

    def page(self, request: Request, template: str, status: int = 200, **about: Any) -> HTMLResponse:
        """A page of a template."""
        text = self._environment.get_template(template).render(path=request.url.path, **about)
        return HTMLResponse(text, status, _HEADERS)

    def part(self, macro: str, *given: Any) -> str:
        """A part of a page: a macro of parts.html."""
        return str(getattr(self._environment.get_template("parts.html").module, macro)(*given))

    def refused(self, request: Request, error: ToolmendError) -> Response:
        """What was wrong, in one line: 404 for what is not there, 400 else."""
        status = 404 if isinstance(error, UnknownName) else 400
        if has_script(request):
            return JSONResponse({"wrong": str(error)}, status)
        return self.page(request, "error.html", status, title="Not possible", why=str(error))


def told(function: Answering[Any]) -> Answering[Any]:
    """An endpoint of something that has a `site`: its errors become a line of that site."""

    @wraps(function)
    async def telling(self: Any, request: Request) -> Response:
        try:
            return await function(self, request)
        except ToolmendError as error:
            site: Site = self.site
            return site.refused(request, error)

    return telling


def has_script(request: Request) -> bool:
    """Whether the page's script asks, which takes parts instead of a page."""
    return request.headers.get("x-parts") == "1"


def stream(look: Callable[[], Parts], stamp: Callable[[], object], busy: Callable[[], bool]) -> Response:
    """What changes, as it changes, until nothing is under way; `stamp` is another one whenever it is worth a look."""

    async def lines() -> AsyncIterator[str]:
        sent: dict[str, str] = {}
        seen: object = None
        while True:
            going = busy()
            if (now := stamp()) != seen:
                seen, parts = now, look()
                news = {name: text for name, text in parts.items() if sent.get(name) != text}
                sent |= news
                if news:
                    yield json.dumps(news) + "\n"
            if not going:
                return
            await asyncio.sleep(_TICK)

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


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


def assets() -> list[Route]:
    """The style sheet and the script."""
    return [Route("/site.css", _css), Route("/site.js", _js)]


@cache
def style() -> str:
    """The style sheet: the colours of reports, and what is made of them."""
    colours = files("toolmend.evals.reports").joinpath("templates", "colours.css").read_text(encoding="utf-8")
    return colours + files(__package__).joinpath("site.css").read_text(encoding="utf-8")


async def _css(_request: Request) -> Response:
    return Response(style(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


async def _js(_request: Request) -> Response:
    text = files(__package__).joinpath("site.js").read_text(encoding="utf-8")
    return Response(text, media_type="text/javascript", headers={"Cache-Control": "max-age=3600"})


def _shown(value: Any) -> Any:
    """Text of others with its control characters shown; what is markup already stays."""
    if not isinstance(value, str) or isinstance(value, Markup) or value.isprintable():
        return value
    return "".join(map(_printable, value))


def _printable(sign: str) -> str:
    if sign in "\n\t":
        return sign
    return "\N{REPLACEMENT CHARACTER}" if sign in _TURNING or category(sign) in ("Cc", "Cs") else sign


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %".replace("-", "−")
