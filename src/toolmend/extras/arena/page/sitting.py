"""The chat: two talks side by side, one corrected while the other waits. Draws a desk, and does at it what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from markupsafe import escape
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from toolmend.apps.site.rendering import Parts, Site, back, form_of, has_script, stream, text_of, told
from toolmend.base.errors import BadOption
from toolmend.extras.arena import Arena, Contestant, Desk
from toolmend.extras.arena.page.people import person_of
from toolmend.extras.arena.views import SIDES

_TICK = 0.02  # seconds between two looks at what is being done


class Sitting:
    """The endpoints of one arena."""

    def __init__(self, arena: Arena, site: Site) -> None:
        self._arena, self.site = arena, site

    @told
    async def show(self, request: Request) -> Response:
        """The desk as it stands."""
        desk = await self._arena.open(person_of(request))
        return self.site.page(
            request, "chat.html", title="Chat", desk=desk.view(), parts=self._parts(desk), arena=self._arena
        )

    @told
    async def live(self, request: Request) -> Response:
        """What happens on the desk, as it happens."""
        desk = await self._arena.open(person_of(request))
        drawn: tuple[object, ...] = ()

        def look() -> Parts:
            """All of it, or where only a reply has grown that reply: talks may be long."""
            nonlocal drawn
            before, drawn = drawn, desk.stamp
            if before != drawn:
                return self._parts(desk)
            return {f"{side.which}-live": str(escape(side.partial)) for side in (desk.left, desk.right) if side.partial}

        return stream(look, lambda: (desk.stamp, desk.left.partial, desk.right.partial), lambda: desk.busy)

    @told
    async def do(self, request: Request) -> Response:
        """What a button asks for: its name says what and to which side, as in `undo left`."""
        form = await form_of(request)
        what, _, side = text_of(form, "do").partition(" ")
        if what not in _BEGUN and what not in _DONE:
            raise BadOption(f"{what[:20]!r} is nothing one can do here; known: {', '.join((*_BEGUN, *_DONE))}")
        desk = await self._arena.open(person_of(request))
        if what in _BEGUN:
            _BEGUN[what](desk, side, form)
        else:
            await _DONE[what](desk, side, form)
        if has_script(request):
            return JSONResponse(self._parts(desk))
        await settled(desk)
        return back("/")

    def _parts(self, desk: Desk) -> Parts:
        view = desk.view()
        parts: dict[str, str] = {}
        for which, side in zip(SIDES, (view.left, view.right), strict=True):
            about = self._arena.about(side.toolbox) if side.toolbox in self._arena.toolboxes else None
            parts |= {
                f"{which}-head": self.site.part("head", side, self._arena),
                f"{which}-talk": self.site.part("talk", side, about),
                f"{which}-foot": self.site.part("foot", side),
                f"{which}-world": self.site.part("world", side, about),
            }
        return parts


async def settled(desk: Desk) -> None:
    """Wait until the work is done, or nothing goes on before somebody answers."""
    while desk.busy and not desk.waits:
        await asyncio.sleep(_TICK)


async def _set(desk: Desk, side: str, form: FormData) -> None:
    here = desk.side(side).talk.setup
    model, strategy = text_of(form, "model"), text_of(form, "strategy")
    await desk.set(
        side,
        contestant=Contestant(model or here.contestant.model, strategy or here.contestant.strategy),
        toolbox=text_of(form, "toolbox") or None,
        system=text_of(form, "system").strip(),
        temperature=_real(form, "temperature"),
    )


def _number(form: FormData, name: str) -> int:
    text = text_of(form, name)
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadOption(f"{name} is a whole number, not {text[:20]!r}")
    return int(text)


def _real(form: FormData, name: str) -> float | None:
    text = text_of(form, name)
    try:
        return float(text) if text else None
    except ValueError:
        raise BadOption(f"{name} is a number, not {text[:20]!r}") from None


# What goes on after the answer, and what the answer waits for.
_BEGUN: dict[str, Callable[[Desk, str, FormData], object]] = {
    "send": lambda desk, side, form: desk.send(side, text_of(form, "text")),
    "correct": lambda desk, side, form: desk.correct(side, text_of(form, "text")),
    "retry": lambda desk, side, form: desk.retry(side),
    "edit": lambda desk, side, form: desk.edit(side, _number(form, "n"), text_of(form, "text")),
    "copy": lambda desk, side, form: desk.copy(side, text=text_of(form, "text")),
    "allow": lambda desk, side, form: desk.answer(side, text_of(form, "id"), True),
    "deny": lambda desk, side, form: desk.answer(side, text_of(form, "id"), False, text_of(form, "reason")),
}
_DONE: dict[str, Callable[[Desk, str, FormData], Awaitable[object]]] = {
    "undo": lambda desk, side, form: desk.undo(side),
    "clear": lambda desk, side, form: desk.clear(side),
    "stop": lambda desk, side, form: desk.stop(side),
    "set": _set,
}
