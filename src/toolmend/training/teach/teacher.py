"""More wordings of the examples, from any model: asked once per example, kept only where every value survived.

What came is kept in a file, so that the same model is not asked twice. Knows no tokens and no net.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolmend.errors import BudgetSpent
from toolmend.messages import Message, Options, Request, ToolSpec
from toolmend.models import Model
from toolmend.models.budget import Budget, Budgeted
from toolmend.portal import run_sync
from toolmend.training.teach.examples import Example
from toolmend.training.teach.templates import Slot, Template, template_of

WAYS = 6
_ASK = """Here is a sentence that somebody says to a program:

{said}

Write {ways} other sentences that ask for exactly the same, as different people would say it. Keep every name, number,
date and code exactly as it is written. One sentence per line, nothing else."""
_LISTED = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")


def reworded(
    examples: Sequence[Example],
    specs: Mapping[str, ToolSpec],
    model: Model,
    cache: Path,
    *,
    max_tokens: int | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> tuple[Template, ...]:
    """Further templates, each under the name of its example. Stops asking where `max_tokens` are spent.

    Raises ModelError where the model cannot answer.
    """
    known = _read(cache)
    asked = Budgeted(model, Budget(max_tokens=max_tokens))
    made: list[Template] = []
    firsts = [each for each in examples if each.calls and each.amends is None]
    for number, example in enumerate(firsts, 1):
        key = f"{model.name} {example.said}"
        if key not in known:
            try:
                reply = run_sync(asked.reply, _request(example.said))
            except BudgetSpent as error:
                report(f"teacher: {error}; {len(firsts) - number + 1} examples are left as they are")
                break
            known[key] = [line for line in map(_bare, reply.text.splitlines()) if line]
            with cache.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "lines": known[key]}, ensure_ascii=False) + "\n")
        made += kept(example, known[key], specs)
    report(f"teacher: {len(made)} more wordings of {len(firsts)} examples")
    return tuple(made)


def kept(example: Example, lines: Sequence[str], specs: Mapping[str, ToolSpec]) -> list[Template]:
    """The lines that say every value that the example says, and no sentence twice, as templates."""
    own = template_of(example, specs)
    said = {example.said.casefold()}
    found = []
    for line in lines:
        template = template_of(replace(example, said=line), specs)
        if line.casefold() not in said and _slots(template) == _slots(own):
            said.add(line.casefold())
            found.append(template)
    return found


def _slots(template: Template) -> list[tuple[int, tuple[str | int, ...]]]:
    """What the template's words say."""
    return sorted(
        ((part.call, part.path) for part in template.parts if not isinstance(part, str)),
        key=lambda slot: (slot[0], *map(str, slot[1])),
    ) + [(-1, ())] * sum(not isinstance(part, str | Slot) and len(part.items) for part in template.parts)


def _request(said: str) -> Request:
    text = _ASK.format(said=said, ways=WAYS)
    return Request((Message("user", text),), options=Options(temperature=0.0, max_tokens=400))


def _bare(line: str) -> str:
    """A line without its bullet, quotes and blanks."""
    return _LISTED.sub("", line).strip().strip('"“”').strip()


def _read(cache: Path) -> dict[str, list[str]]:
    if not cache.exists():
        return {}
    rows = [json.loads(line) for line in cache.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
    return {row["key"]: row["lines"] for row in rows}
