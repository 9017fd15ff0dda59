"""A suite as tasks of Inspect AI: a Python file, its dataset as JSON Lines, and the suite's own file beside them.

The Python file is a door to apps/inspect_task.py and says in its head what is equal to `toolmend run` and what is not.
Knows no inspect-ai.
"""

from __future__ import annotations

import json
import keyword
import re
import shutil
from pathlib import Path

from toolmend.errors import BadFile, BadOption
from toolmend.evals.suites.suite import Experiment, Suite

_HEAD = '''\
"""The suite `{suite}` of toolmend {version} as Inspect AI tasks, one for each experiment.

    pip install inspect-ai toolmend{tools}
    inspect eval {file}.py --model openai/gpt-4o-mini
    inspect eval {file}.py@{first} --model … -T temperature=0       one experiment, one setting changed

Equal to `toolmend run {suite}`: toolmend itself plays. Its strategy writes the prompts and reads the replies, its
toolbox runs the calls and takes them back, its simulated user corrects, its grade() marks every reply. An attempt is an
epoch. The scores are toolmend's: first_right (share of requests right at once), fix_at_1 (share of mistakes gone after
one correction; not scored where there was none), done (everything right in the end). docs/measures.md defines them.

Not equal: Inspect asks the model, with its own client, retries and limits, and without tools of its own. Temperature,
seed and the length of a reply are toolmend's (-T temperature=…), not those of Inspect's options. The branches are not
played, so that there is no control, no net fix and no groundless correction. Inspect averages over samples, toolmend
over replies, with intervals clustered by case.

Written by `toolmend export suite`; suite hash {hash}.
"""

from pathlib import Path

from inspect_ai import Task, task

from toolmend.apps.inspect_task import suite_task

SUITE = Path(__file__).with_suffix(".yaml")
TOOLS = {toolbox}
'''

_TASK = '''

@task
def {name}(strategy: str = "oneline", temperature: float | None = None) -> Task:
    """{about}"""
    return suite_task(SUITE, {experiment}, strategy, temperature, TOOLS)
'''

_QUIET = str.maketrans({"\\": "/", '"': "'"})


def write_tasks(suite: Suite, folder: Path) -> list[Path]:
    """Write the three files; where they are. Raises BadFile where they cannot be written, BadOption for a suite that is
    no file."""
    from toolmend import __version__

    if not Path(suite.path).is_file() or suite.path.endswith(".jsonl"):
        raise BadOption(f"suite '{suite.name}' is no YAML file that could go along: it cannot be exported")

    file = f"toolmend_{identifier(suite.name)}"
    paths = [folder / f"{file}{suffix}" for suffix in (".py", ".jsonl", ".yaml")]
    names = {experiment.id: identifier(experiment.id) for experiment in suite.experiments}
    head = _HEAD.format(
        suite=_plain(suite.name),
        version=__version__,
        tools=f"       # and {_plain(suite.tools.partition(':')[0])}, on the path" if ":" in suite.tools else "",
        file=file,
        first=next(iter(names.values())),
        hash=suite.hash,
        toolbox=json.dumps(suite.tools),
    )
    tasks = [
        _TASK.format(name=names[each.id], about=_about(each), experiment=json.dumps(each.id))
        for each in suite.experiments
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths[0].write_text(head + "".join(tasks), encoding="utf-8")
        paths[1].write_text("".join(f"{json.dumps(row)}\n" for row in rows(suite)), encoding="ascii")
        shutil.copyfile(suite.path, paths[2])
    except OSError as error:
        raise BadFile(folder, f"cannot be written ({error.strerror or error})") from error
    return paths


def rows(suite: Suite) -> list[dict[str, object]]:
    """The dataset: a row for each case of each experiment, its steps in the metadata for a reader."""
    return [
        {
            "id": f"{experiment.id}/{case.id}",
            "input": case.steps[0].say,
            "target": [step.reference for step in case.steps],
            "metadata": {
                "experiment": experiment.id,
                "steps": [
                    {"say": step.say, "expect": step.reference, **({"given": step.given} if step.given else {})}
                    for step in case.steps
                ],
            },
        }
        for experiment in suite.experiments
        for case in experiment.cases
    ]


def identifier(name: str) -> str:
    """A name as Python takes it: `wrong time` is wrong_time."""
    made = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "suite"
    return f"x_{made}" if made[0].isdigit() or keyword.iskeyword(made) else made


def _plain(text: str) -> str:
    """Text that may stand in a docstring: one line, no quotes, no backslashes."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split()).translate(_QUIET)


def _about(experiment: Experiment) -> str:
    text = _plain(experiment.about or experiment.id)
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
