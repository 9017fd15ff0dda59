"""Inspect AI itself plays an exported suite and reads an exported run. Skipped where inspect-ai is not installed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.evals.inspect_ai.log import write_logs
from toolmend.evals.inspect_ai.tasks import write_tasks
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.models.scripted import Scripted
from toolmend.store import Store

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(importlib.util.find_spec("inspect_ai") is None, reason="needs inspect-ai, which is in no lock"),
]

SUITE = """\
suite: lunch
tools: calendar
experiments:
  main:
    about: the whole of it
    cases: [talk]
    attempts: 2
cases:
  talk:
    - steps:
        - say: Lunch on 3 May 2024 at noon
          expect: action.add_calendar_entry("Lunch", "2024-05-03", "12:00")
        - say: And tea on the same day at four in the afternoon
          expect: action.add_calendar_entry("Tea", "2024-05-03", "16:00")
"""

# What the model of both says: lunch is right at once, tea when corrected.
SAYS = """\
def says(talk):
    wrong = 'action.add_calendar_entry("Tea", date="2024-05-03", time="04:00")'
    if len(talk) < 4:
        return 'action.add_calendar_entry("Lunch", date="2024-05-03", time="12:00")'
    return wrong if len(talk) < 6 else wrong.replace("04:00", "16:00")
"""

PLAY = (
    SAYS
    + """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def reply(input, tools, tool_choice, config):
    output = ModelOutput.from_content("mockllm/model", says([message.text for message in input]))
    output.usage = ModelUsage(input_tokens=30, output_tokens=10, total_tokens=40)  # else it counts with tiktoken
    return output

model = get_model("mockllm/model", custom_outputs=reply)
(log,) = eval(sys.argv[1], model=model, log_dir="logs", log_format="json", display="none")
scores = {score.name: score.metrics["mean"].value for score in log.results.scores}
sample = log.samples[0]
print(json.dumps([log.status, len(log.samples), scores, [m.role for m in sample.messages], sample.output.completion]))
"""
)

READ = """\
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries, write_eval_log

(info,) = list_eval_logs(sys.argv[1])
log = read_eval_log(info)
write_eval_log(log, "copy.eval")
again = read_eval_log("copy.eval")
assert [sample.scores for sample in again.samples] == [sample.scores for sample in log.samples]
assert len(read_eval_log_sample_summaries(info)) == len(log.samples)
scores = {score.name: score.metrics["mean"].value for score in log.results.scores}
sample = log.samples[0]
inputs = [len(event.input) for event in sample.events if event.event == "model"]
kinds = sorted({event.event for event in sample.events})
usage = log.stats.model_usage[log.eval.model].total_tokens
roles = [message.role for message in sample.messages]
print(json.dumps([log.status, len(log.samples), scores, roles, kinds, info.task, usage, inputs]))
"""

SCORES = {"first_right": 0.5, "fix_at_1": 1.0, "done": 1.0}
ROLES = ["user", "assistant"] * 3


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "lunch.yaml").write_text(SUITE, encoding="utf-8")
    return read_suite(tmp_path / "lunch.yaml")


def ran(code: str, argument: Path, folder: Path) -> Any:
    """The JSON that a program prints last."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(argument)], capture_output=True, text=True, env=environment, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_inspect_plays_a_suite(suite: Suite, tmp_path: Path) -> None:
    python, _, _ = write_tasks(suite, tmp_path / "tasks")
    status, samples, scores, roles, last = ran(
        PLAY, python.relative_to(tmp_path), tmp_path
    )  # Inspect takes no absolute path
    assert (status, samples, scores, roles) == ("success", 2, SCORES, ROLES)
    assert last == 'action.add_calendar_entry("Tea", date="2024-05-03", time="16:00")'


def test_inspect_reads_a_run(suite: Suite, tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    exec(SAYS, names)
    model = Scripted(lambda request: names["says"]([message.content for message in request.messages]))
    with Store(tmp_path / "runs.db") as store:
        played = anyio.run(run, Plan.make(suite, [model], ["oneline"]), store)
        write_logs(played, store.samples(played.id), suite.cases(), tmp_path / "logs")
    status, samples, scores, roles, kinds, task, usage, inputs = ran(READ, tmp_path / "logs", tmp_path)
    assert (status, samples, scores, roles) == ("success", 2, SCORES, ROLES)
    assert (kinds, task) == (["info", "model", "score", "tool"], "lunch-main")
    assert usage > 0
    assert inputs == [1, 3, 5]
