"""A run of the suite `town` as one HTML file that needs nothing else: the days again, as a map with what was said.

Its own policy forbids it to ask for anything, and what a model said is never markup. Plays nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from toolmend.base.errors import BadOption
from toolmend.base.events import Looked
from toolmend.evals.store import Store
from toolmend.extras.agents.worlds.party import Party, replay_of

if TYPE_CHECKING:
    from toolmend.apps.cli.kit.form import Form


def write_town(store: Store, run_id: str, form: Form) -> None:
    """Every town that was lived in, to be chosen from. Raises BadOption for a run of another system."""
    run, tasks = store.run(run_id), {task.id: task for task in Party().tasks()}
    if run.config.suite != Party.name:
        raise BadOption(
            f"the report of {run.config.suite} comes as text, markdown or json; html shows runs of {Party.name}"
        )
    replays = []
    for sample in store.samples(run_id, status="ok"):
        lived = next(event.now for event in reversed(sample.events) if isinstance(event, Looked))
        name = f"{sample.case} · {sample.model}"
        replays.append({**replay_of(tasks[sample.case], lived), "id": name})
    if not replays:
        raise BadOption(f"run {run_id} has no town that was lived in to its end")
    environment = Environment(loader=PackageLoader("toolmend.apps.site"), autoescape=True, undefined=StrictUndefined)
    script, style = (_asset(f"town.{kind}") for kind in ("js", "css"))
    style = files("toolmend.evals.reports").joinpath("templates", "colours.css").read_text(encoding="utf-8") + style
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'"
    data = json.dumps(replays, ensure_ascii=False).replace("<", "\\u003c")
    page = environment.get_template("town.html")
    with form.opened() as stream:
        stream.write(page.render(script=script, style=style, policy=policy, data=data, replays=replays))


def _asset(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
