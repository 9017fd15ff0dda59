"""The desk in forms: two talks side by side without JavaScript. What the Gradio page does, a page at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from toolmend.apps.arena.pages.rendering import back, form_of, page, text_of, told
from toolmend.apps.arena.people import person_of
from toolmend.apps.arena.question import EFFECTS
from toolmend.arena import Arena, Contestant, Desk
from toolmend.errors import BadOption

Deed = Callable[[Desk, str, FormData], Awaitable[object]]


class Sitting:
    """The endpoints of one arena."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    @told
    async def show(self, request: Request) -> Response:
        """The desk as it stands."""
        desk = await self._arena.open(person_of(request))
        return page(
            request,
            "desk.html",
            title="Side by side",
            desk=desk.view(),
            suggestions={"left": desk.suggestions("left"), "right": desk.suggestions("right")},
            contestants=self._arena.contestants,
            toolboxes=self._arena.toolboxes,
            cases=self._arena.cases,
            effects=EFFECTS,
        )

    @told
    async def do(self, request: Request) -> Response:
        """What a button asks for: its name says what and to which side, as in `undo left`."""
        form = await form_of(request)
        what, _, side = text_of(form, "do").partition(" ")
        deed = _DEEDS.get(what)
        if deed is None:
            raise BadOption(f"{what[:20]!r} is nothing one can do here; known: {', '.join(_DEEDS)}")
        await deed(await self._arena.open(person_of(request)), side, form)
        return back("/plain")


async def _send(desk: Desk, side: str, form: FormData) -> None:
    desk.send(side, text_of(form, "text"))  # type: ignore[arg-type]  # checked there
    await _settled(desk)


async def _correct(desk: Desk, side: str, form: FormData) -> None:
    desk.correct(side, text_of(form, "text"))  # type: ignore[arg-type]
    await _settled(desk)


async def _retry(desk: Desk, side: str, form: FormData) -> None:
    desk.retry(side)  # type: ignore[arg-type]
    await _settled(desk)


async def _edit(desk: Desk, side: str, form: FormData) -> None:
    desk.edit(side, _number(form, "n"), text_of(form, "text"))  # type: ignore[arg-type]
    await _settled(desk)


async def _copy(desk: Desk, side: str, form: FormData) -> None:
    desk.copy(side, _number(form, "k"))  # type: ignore[arg-type]
    await _settled(desk)


async def _undo(desk: Desk, side: str, form: FormData) -> None:
    await desk.undo(side)  # type: ignore[arg-type]


async def _clear(desk: Desk, side: str, form: FormData) -> None:
    await desk.clear(side)  # type: ignore[arg-type]


async def _allow(desk: Desk, side: str, form: FormData) -> None:
    desk.answer(side, text_of(form, "id"), True)  # type: ignore[arg-type]
    await _settled(desk)


async def _deny(desk: Desk, side: str, form: FormData) -> None:
    desk.answer(side, text_of(form, "id"), False, text_of(form, "reason"))  # type: ignore[arg-type]
    await _settled(desk)


async def _stop(desk: Desk, side: str, form: FormData) -> None:
    await desk.stop(side)  # type: ignore[arg-type]


async def _set(desk: Desk, side: str, form: FormData) -> None:
    contestant = text_of(form, "contestant")
    await desk.set(
        side,  # type: ignore[arg-type]
        contestant=Contestant.of(contestant) if contestant else None,
        toolbox=text_of(form, "toolbox") or None,
        case=text_of(form, "case") or None,
        system=text_of(form, "system").strip(),
    )


async def _settled(desk: Desk) -> None:
    """Wait until the work is done, or nothing goes on before somebody answers."""
    flow = None if desk.waits else desk.flow
    if flow is not None:
        async for _ in flow:
            if desk.waits:
                return


def _number(form: FormData, name: str) -> int:
    text = text_of(form, name)
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise BadOption(f"{name} is a number, not {text[:20]!r}")
    return int(text)


_DEEDS: dict[str, Deed] = {
    "send": _send,
    "correct": _correct,
    "retry": _retry,
    "edit": _edit,
    "copy": _copy,
    "undo": _undo,
    "clear": _clear,
    "stop": _stop,
    "allow": _allow,
    "deny": _deny,
    "set": _set,
}
