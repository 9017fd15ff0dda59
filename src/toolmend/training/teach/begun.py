"""The first example sentences for a toolbox, out of a talk: what a person had to correct, and what came of it.

They are lines as examples.py reads them. Knows no screen and trains nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import Call
from toolmend.reading import render
from toolmend.session import Answer, Session
from toolmend.session.careful import Careful, spec_of
from toolmend.session.mend.asking import picks
from toolmend.session.mend.doubts import doubts
from toolmend.training.teach.examples import examples_file


def write_begun(session: Session, careful: Careful, tools: str) -> tuple[Path, int]:
    """Put the sentences of a talk at the end of that file; how many were not in it yet.

    Raises BadOption where nothing was corrected, BadFile for a file that cannot be written.
    """
    lines = begun(session, careful)
    if not lines:
        raise BadOption("nothing was corrected yet, or nothing came of it; say what is wrong, then /teach")
    path = examples_file(tools)
    try:
        there = path.read_text(encoding="utf-8") if path.exists() else ""
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
    new = [line for line in lines if line.splitlines()[0] not in there.splitlines()]
    with written(path) as part:
        part.write_text(there + ("" if not there or there.endswith("\n") else "\n") + "".join(new), encoding="utf-8")
    return path, len(new)


def begun(session: Session, careful: Careful) -> list[str]:
    """`what was said => the call`, where the first words give the call that stands in the end; else that which was made
    at first, with the correction below it, where the words give that. Nothing of what neither fits."""
    lines, stands = [], {call.id for call in session.standing}
    for answer in session.answers:
        chain = list(_chain(answer, session.answers))
        if answer.amends is None or not answer.standing or not stands.issuperset(call.id for call in answer.standing):
            continue
        root = chain[-1]
        said, calls = session.messages[2 * root.turn].content, answer.standing
        second = _said(session, answer)
        if _fit(calls, careful, session, root):
            lines.append(_line(said, calls, session))
        elif (
            root.calls and not root.results[0].error and not picks(second) and _fit(root.calls, careful, session, root)
        ):
            lines.append(f"{_line(said, root.calls, session)}    {_line(second, calls, session)}")
    return lines


def _fit(calls: tuple[Call, ...], careful: Careful, session: Session, root: Answer) -> bool:
    """Whether the first words alone give these calls."""
    return not any(doubts(call, spec_of(session, call), careful.heard(call, root.turn)) for call in calls)


def corrected_times(answer: Answer, session: Session) -> int:
    """How many corrections led to this answer."""
    return sum(before.amends is not None for before in _chain(answer, session.answers))


def _chain(answer: Answer, answers: list[Answer]) -> Iterator[Answer]:
    yield answer
    while answer.amends is not None:
        answer = answers[answer.amends]
        yield answer


def _said(session: Session, answer: Answer) -> str:
    return session.messages[2 * answer.turn].content


def _line(said: str, calls: tuple[Call, ...], session: Session) -> str:
    written = " => ".join(render(call, spec_of(session, call)) for call in calls)
    return f"{' '.join(said.replace('=>', '->').split())} => {written}\n"
