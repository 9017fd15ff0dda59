"""How `toolmend chat` shows answers, the router's verdicts, the chain of calls and the world. Decides nothing."""

from __future__ import annotations

import datetime as dt
import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console

from toolmend.apps.cli.kit.screen import hang, plain
from toolmend.base.errors import BadOption
from toolmend.base.events import Asked, Guarded
from toolmend.base.messages import Call, CallResult
from toolmend.reading import render
from toolmend.reading.origins import origins
from toolmend.session import Answer, Session
from toolmend.session.careful import Careful, spec_of
from toolmend.session.mend.grounds import grounds
from toolmend.strategies.signature import signature
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes.homes import Home

_LONGEST = 400
_STAYS = "cannot be undone and stays"
_MOST = 8  # tools that are shown at the beginning
_SHORT = 12  # lines of a world that is shown whole


def greet(session: Session, tools: str, console: Console, home: Home | None) -> None:
    """The first lines at a terminal: model, tools, clock, where the world lives; and how to leave."""
    specs, now = session.tools.specs, session.tools.clock
    zone = (now if now.tzinfo else dt.datetime.now().astimezone()).tzname()
    hang(console, "model", f"{session.model.name}, strategy {session.strategy.name}", indent=5)
    hang(console, "tools", tools + (f", kept in {home.place}" if home else ""), indent=5)
    for note in home.notes[:_MOST] if home else ():
        hang(console, "", f"kept, and cannot be read: {note}", indent=7)
    for spec in specs[:_MOST]:
        hang(console, "", signature(spec), indent=7)
    if len(specs) > _MOST:
        hang(console, "", f"… {len(specs) - _MOST} more", indent=7)
    hang(console, "today", f"{now:%A}, {now.day} {now:%B %Y, %H:%M} ({zone})", indent=5)
    said = next((f": “{text}”" for text in session.tools.openings()), "")
    hang(console, "", f"Say it{said}, then say what is wrong. /why, /undo; /help, or Ctrl-D to leave.", indent=5)


def world(box: Toolbox) -> str | None:
    """The world as text: its own if it has one, else its state as JSON; None where there is no world."""
    if type(box).__str__ is not object.__str__:
        return str(box)
    state = box.state()
    return None if state is None else json.dumps(state, ensure_ascii=False, indent=1, default=str)


def print_world(name: str, text: str, console: Console) -> None:
    """The world under its name."""
    _print(console, f"  {name}", "bold")
    for line in text.splitlines():
        _print(console, f"    {line}")


def print_change(name: str, was: str, now: str, console: Console) -> None:
    """The world as it is now; of a long one only the lines that came and went."""
    if len(now.splitlines()) <= _SHORT:
        print_world(name, now, console)
        return
    changes = [line for line in difflib.ndiff(was.splitlines(), now.splitlines()) if line[:2] in ("+ ", "- ")]
    print_world(name, "\n".join(changes), console)


def print_verdict(event: Asked, session: Session, console: Console) -> None:
    """That the router took a sentence for a correction, and how to say that it is none. A new request goes without."""
    if event.amends is not None:
        ids = _listed(call.id for call in session.answers[event.amends].standing) or "what was said before"
        _print(console, f"  taken as a correction of {ids} (/new if it is a new request)", "dim")


def print_notice(event: Guarded, console: Console) -> None:
    """What a guard or the strategy did: `auto: freyr: 79% done …`. A tool that failed is told with its call."""
    if event.guard != "tool_failed":
        _print(console, f"  {event.guard.replace('_', ' ')}{': ' + event.detail if event.detail else ''}", "dim")


def print_told(text: str, console: Console) -> None:
    """What toolmend itself has to say, in lines."""
    for line in text.splitlines():
        _print(console, f"  {line}")


def print_answer(
    answer: Answer, session: Session, careful: Careful, console: Console, asked: Sequence[Call] = ()
) -> None:
    """The raw reply, what was read in it, where its values came from, what each call did and how it differs from the
    one it amends, what of it was not said, and what became of the calls it amends. Calls that were `asked` about stand
    on the screen already."""
    shown = {_rendered(call, session) for call in asked}
    if answer.text not in shown:
        for line in (answer.text or "(nothing)").splitlines():
            _print(console, f"  {line}", "cyan")
    reading = answer.reading
    plainly = len(answer.calls) == 1 and not (reading.rest or reading.leniencies or reading.problem)
    for call, result in zip(answer.calls, answer.results, strict=True):
        if not plainly and _rendered(call, session) not in shown:
            _print(console, f"  read as {_rendered(call, session)}", "dim")
        for line in origins(call):
            _print(console, f"  {line}", "dim")
        _print_result(call, result, console)
        if result.ok and (changed := _changed(call, session)):
            _print(console, f"  changed: {changed}", "bold")
        if result.ok and _rendered(call, session) not in shown:  # what was asked about was shown before
            for ground in grounds(call, spec_of(session, call), careful.heard(call, answer.turn)):
                if ground.problem:
                    _print(console, f"  ? {ground.name} {ground.value!r} {ground.problem}", "yellow")
    wordless = session.strategy.bare and not getattr(session.strategy, "computes", False)
    if not answer.calls and (wordless or reading.detail):  # others may answer in words
        _print(console, f"  no call in it{': ' + reading.detail if reading.detail else ''}", "red")
    if answer.truncated:
        _print(console, "  (the talk is longer than the model's window: it no longer reads the beginning)", "dim")
    if answer.undone:
        again = "is back: nothing came that could be called" if answer.redone else "undone"
        _print(console, f"  {_listed(reversed(answer.undone))} {again}", "dim")
    alive = {call.id for call in session.standing}
    replaced = [call.amends for call, result in zip(answer.calls, answer.results, strict=True) if result.ok]
    if stays := dict.fromkeys([*reversed(answer.kept), *(old for old in replaced if old in alive)]):
        _print(console, f"  {_listed(stays)} {_STAYS}", "red")


def _print_result(call: Call, result: CallResult, console: Console) -> None:
    if result.fault == "refused" and result.error and result.error.startswith("not run: "):
        _print(console, f"  {call.id} not run{_reason(result.error)}")
        return
    if result.error is not None:
        dry = result.error.startswith("dry run")  # its lines are what would change
        told = result.error if dry else " ".join(result.error.split())
        _print(console, f"  {call.id} ✘ tool error: {told}", "red")
        return
    value = json.dumps(result.value, ensure_ascii=False, default=str)
    shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"
    told = "" if result.value is None else f": {shown}"
    _print(console, f"  {call.id} ran{told}" + (f" ({'; '.join(result.coerced)})" if result.coerced else ""))


def _reason(told: str) -> str:
    """Why nobody let it run, where it was not the person who sits here: what a model is told is not for people."""
    why = told.removeprefix("not run: ").removesuffix(". Do not make this call again.")
    return "" if why.startswith("the user did not allow it") and "nobody" not in why else f": {why}"


def _changed(call: Call, session: Session) -> str:
    """What is other than in the call that this one amends: `degrees 22 → 21`."""
    old = next((other for answer in session.answers for other in answer.calls if other.id == call.amends), None)
    if old is None or old.tool != call.tool:
        return f"{old.tool} → {call.tool}" if old else ""
    names = dict.fromkeys((*old.arguments, *call.arguments))
    pairs = [(name, old.arguments.get(name, "—"), call.arguments.get(name, "—")) for name in names]
    return ", ".join(f"{name} {was} → {now}" for name, was, now in pairs if was != now)


def print_why(session: Session, careful: Careful, console: Console) -> None:
    """What each value of the last calls stands on: the words, the rule that read them, a default, or nothing said."""
    answer = next((answer for answer in reversed(session.answers) if answer.calls), None)
    if answer is None:
        _print(console, "  no call was made yet", "dim")
        return
    for call in answer.calls:
        _print(console, f"  {call.id} {_rendered(call, session)}")
        for ground in grounds(call, spec_of(session, call), careful.heard(call, answer.turn)):
            rule = call.rules.get(ground.name, "")
            told = str(ground) if not rule or rule in str(ground) else f"{ground} ({rule})"
            _print(console, f"    {told}", "yellow" if ground.problem else "dim")


def print_taken_back(answer: Answer, session: Session, console: Console) -> None:
    """What `/undo` did, and what it could not."""
    alive = {call.id for call in session.standing}
    gone = _listed(call.id for call in answer.standing if call.id not in alive)
    back = _listed(reversed(answer.undone)) if answer.undone and not answer.redone else ""
    stays = _listed(call.id for call in answer.standing if call.id in alive)
    if gone or back or not stays:
        _print(console, f"  taken back{': ' + gone if gone else ''}{'; ' + back + ' is back' if back else ''}", "dim")
    if stays:
        _print(console, f"  {stays} {_STAYS}", "red")


def print_calls(session: Session, console: Console) -> None:
    """Each call with its fate; below it the correction and the call that came of it."""
    alive = {call.id for call in session.standing}
    lines = dict[str, list[str]]()
    for number, answer in enumerate(session.answers):
        said = session.messages[2 * number].content
        for call, result in zip(answer.calls, answer.results, strict=True):
            error = " ".join((result.error or "").split())
            fate = f"failed: {error}" if error else "stands" if call.id in alive else "undone"
            chain = lines.get(call.amends or "", [])
            if chain:
                chain.append(f"     ← {said}")
            chain.append(f"{call.id:>4} {_rendered(call, session)}  [{fate}]")
            lines[call.id] = chain
    shown: list[list[str]] = []
    for chain in lines.values():
        if not any(chain is other for other in shown):
            shown.append(chain)
    for chain in shown:
        for line in chain:
            _print(console, line)
    if not shown:
        _print(console, "  no call was made yet", "dim")


def print_help(rows: Mapping[str, str], console: Console) -> None:
    """Each name with what it does."""
    for name, text in rows.items():
        hang(console, f"  {name}", text, indent=2 + max(map(len, rows)))


def _rendered(call: Call, session: Session) -> str:
    return written(call, session.tools)


def written(call: Call, box: Toolbox) -> str:
    """The call in Python's notation; as JSON where a model made up a name that Python cannot write."""
    try:
        return render(call, next((spec for spec in box.specs if spec.full_name == call.tool), None))
    except BadOption:
        return json.dumps({"tool": call.tool, "arguments": dict(call.arguments)}, ensure_ascii=False, default=str)


def _listed(ids: Iterable[str | None]) -> str:
    return ", ".join(filter(None, ids))


def _print(console: Console, line: str, style: Any = None) -> None:
    """One line, wrapped on a terminal only: a pipe gets it whole."""
    console.print(plain(line), style=style, soft_wrap=not console.is_terminal)
