"""The kept preset in its place, with a card that says what it came from and what was measured before and after."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from toolmend.errors import BadFile
from toolmend.evals.comparing.figures import BY_NAME, amount, chance, change
from toolmend.training.improve.report import report

if TYPE_CHECKING:
    from toolmend.training.improve.improve import Improved, Round
    from toolmend.training.improve.measured import Ends, Moved

ABOUT = "improved.json"


def put_out(found: Improved) -> None:
    """Copy the last preset that was kept to its place, whole or not at all. Raises BadFile."""
    assert found.out is not None
    best = [each for each in found.rounds if each.kept][-1]
    made = found.out.with_name(f".{found.out.name}.part")
    try:
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(_folder(best.preset), made)
        text = json.dumps(report(found), indent=1, ensure_ascii=False) + "\n"
        (made / ABOUT).write_text(text, encoding="utf-8")
        card = made / "README.md"
        kept = card.read_text(encoding="utf-8") if card.is_file() else ""
        card.write_text(f"{kept.rstrip()}\n\n{improved_card(found)}", encoding="utf-8")
        _put(made, found.out)
    except OSError as error:
        raise BadFile(
            found.out, f"cannot be written ({error.strerror or error}); it is kept in {best.preset}"
        ) from error


def improved_card(found: Improved) -> str:
    """What is added to the card of the training."""
    asked = found.checked.asked
    lines = [
        f"## Improved on `{found.checked.suite.name}`",
        "",
        f"From `{asked.model}` by `{asked.command or 'toolmend improve'}`. Every figure is of requests that both",
        "models were asked, with the same seeds; intervals are 95 %, clustered by case, p after Holm.",
        "",
    ]
    for each in found.rounds:
        lines += _round(each)
    lines += [f"- {note}" for note in found.checked.notes]
    return "\n".join(lines).rstrip() + "\n"


def _round(each: Round) -> Iterator[str]:
    yield f"### Round {each.number}: {'kept' if each.kept else 'not kept'}"
    yield ""
    yield "; ".join(each.verdict.why if each.verdict else ("no mistake was left to learn from",)) + "."
    yield ""
    for part in each.parts:
        before, after = part.runs
        role = "decides" if part.decides else "must not be worse"
        yield f"**{part.name}** ({role}; {part.cases} cases; runs {before} and {after})"
        yield ""
        yield "| | before | after | after − before | p |"
        yield "|---|---:|---:|---:|---:|"
        for moved in part.moved:
            if moved.pairs:
                yield f"| {' | '.join(cells(moved))} |"
        yield ""


def cells(moved: Moved) -> tuple[str, str, str, str, str]:
    """A rate as five texts: its name, before, after, the difference, p."""
    figure = BY_NAME[moved.figure]
    low, high = moved.ends or (None, None)

    def side(value: float | None, ends: Ends | None) -> str:
        return amount(value, figure) + (f" ({100 * ends[0]:.0f}…{100 * ends[1]:.0f})".replace("-", "−") if ends else "")

    shown = change(moved.difference, low, high, figure)
    return figure.label, side(moved.a, moved.a_ends), side(moved.b, moved.b_ends), shown, chance(moved.p_holm)


def _put(made: Path, out: Path) -> None:
    """In place of what was there, which is deleted last."""
    old = out.with_name(f".{out.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    made.rename(out)
    shutil.rmtree(old, ignore_errors=True)


def _folder(name: str) -> Path:
    return Path(name.removeprefix("keras/"))
