"""What once kept a stranger from a first success, a test each; the numbers are those of the report on that walk."""

from __future__ import annotations

import datetime as dt
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import platformdirs
import pytest
from click.testing import CliRunner, Result

from arenas import LUNCH, alive, make
from toolmend import Session, Toolbox
from toolmend.apps.cli.door import cli
from toolmend.apps.cli.kit import progress
from toolmend.apps.cli.kit.progress import TrainingMeter
from toolmend.base.errors import BadOption, ModelError
from toolmend.base.http import Server, web_address
from toolmend.base.messages import Call
from toolmend.evals.running.plan import Plan
from toolmend.evals.store import RunConfig, Sample, Store
from toolmend.evals.suites.suite import load_suite
from toolmend.extras.arena.choices import usual_contestants
from toolmend.models.scripted import Scripted
from toolmend.session import ApprovalRequest, Approvals, Verdict
from toolmend.session.careful import CAREFUL, Careful
from toolmend.training.teach import teach as teaching

ROOT = Path(__file__).parents[2]
HOME = ROOT / "examples" / "home.py"
ECHO = ("chat", "--model", "scripted/echo")


def said(*words: str, stdin: str = "") -> Result:
    """A command, in this process."""
    return CliRunner().invoke(cli, words, input=stdin, prog_name="toolmend")


@pytest.mark.parametrize("on_path", [True, False])
def test_1_the_shell_finds_the_command_or_is_told_its_path(tmp_path: Path, on_path: bool) -> None:
    program = tmp_path / ".venv" / "bin" / "toolmend"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    installed = tmp_path / ".venv" / ".core-installed"
    installed.touch()
    path = f"{tmp_path / '.local/bin'}:/usr/bin:/bin" if on_path else "/usr/bin:/bin"
    command = ["make", "-s", "-f", str(ROOT / "Makefile"), "-o", ".venv/.core-installed", "launcher"]
    own = {"HOME": str(tmp_path), "PATH": path}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=True)
    assert (tmp_path / ".local/bin/toolmend").is_symlink() is on_path
    assert done.stderr.startswith("toolmend: type it as .venv/bin/toolmend") is not on_path


def test_2_own_tools_without_a_model_are_told_what_brings_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda app: tmp_path / app)
    result = said("chat", "--tools", str(HOME))
    assert result.exit_code == 2
    assert "`toolmend models get smollm2` (93 MB, once) brings one" in result.stderr


def test_3_tomorrow_is_the_day_after_today() -> None:
    before = dt.date.today()
    box = Toolbox.load("calendar")
    said_ = 'add_calendar_entry(title="Lunch", date="tomorrow", time="noon")'
    answer = Session("scripted/echo", box, "spoken").say(said_)
    assert answer.calls[0].arguments["date"] in {str(day + dt.timedelta(1)) for day in (before, dt.date.today())}


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        ("Cancel the call with the accountant", 'action.remove_calendar_entry("Call Mum", "2031-05-06", "16:00")'),
        ("Cancel the meeting with Zoe", 'action.add_calendar_entry("Meeting with Zoe", "2031-05-06", "16:00")'),
    ],
)
def test_4_what_destroys_or_adds_against_the_words_is_asked_about(request_: str, reply: str) -> None:
    box, questions = Toolbox.load("calendar"), list[ApprovalRequest]()
    mum = {"title": "Call Mum", "date": "2031-05-06", "time": "16:00"}
    box.run_sync(Call("action.add_calendar_entry", mum, "c0"))
    before = box.state()

    async def no(question: ApprovalRequest) -> Verdict:
        questions.append(question)
        return Verdict(False)

    careful = Careful(no, lambda: session)
    approvals = Approvals(CAREFUL, careful.ask)
    session = Session(Scripted([reply]), box, "oneline", approve=approvals, sink=careful.hear, review=careful.review)
    session.say(request_)
    assert questions[0].doubts
    assert box.state() == before


def test_5_what_readmes_commands_import_is_what_make_run_installs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["server"], *extras["arena"], *extras["mcp"]]
    listed = re.findall(r"^[\w.-]+", (ROOT / "requirements" / "app.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert {re.match(r"[\w.-]+", line)[0] for line in wanted} <= set(listed)  # type: ignore[index]


def test_5_teach_says_what_torch_weighs_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teaching, "TRAINING", ("teaching", "train", "no_module_of_this_name"))
    tools = tmp_path / "home.py"
    tools.write_bytes(HOME.read_bytes())
    result = said("teach", str(tools), "--yes")
    assert (result.exit_code, [path.name for path in tmp_path.iterdir()]) == (2, ["home.py"])
    assert "torch: 3 GB with its libraries for GPUs; without a GPU install its CPU build first, 0.2 GB" in result.stderr


def test_6_teach_says_at_once_what_time_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list[str]()

    def train(_asked: Any, _tell: Any, say: Any, _stop: Any) -> None:
        say("begun")

    monkeypatch.setattr(teaching, "TRAINING", ("teaching", "train", "json"))
    fake = SimpleNamespace(AdapterAsked=lambda **_: None, train_adapter=train)
    monkeypatch.setitem(sys.modules, "toolmend.training.adapter.teaching", fake)
    course = SimpleNamespace(Taught=lambda *_: SimpleNamespace(name="own 1"))
    monkeypatch.setitem(sys.modules, "toolmend.training.teach.course", course)
    kit: Any = None
    how: dict[str, Any] = {"minutes": 13, "threads": 0, "tell": print, "say": lines.append, "stop": lambda: False}
    teaching.teach(kit, "home.py", tmp_path / "out", tmp_path / "work", start="none", **how)
    assert lines[0].startswith("training takes 13 min at most (--minutes), less where ")
    assert lines[1:] == ["begun"]


def test_6_a_training_is_never_silent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.0)
    TrainingMeter(str).beat()
    assert capsys.readouterr().err == "toolmend: still at it, 0 s so far ...\n"


def test_7_what_a_model_cannot_keep_to_is_said() -> None:
    result = said(*ECHO, "--strategy", "oneline?structured=true", stdin="hello\n")
    assert "  not kept to: constraint: lark asked, this kind of model has none\n" in result.stdout


def test_8_a_list_of_nothing_names_the_namespaces_that_hold_something(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "m.db"))
    said(*ECHO, "--memory", "me", *store, stdin="meetings are 45 minutes\ny\n")
    result = said("memory", "list", *store)
    assert result.stderr == (
        "toolmend: nothing is remembered in the namespace default; there are: me (--namespace me)\n"
    )


@alive
async def test_9_a_mistake_is_given_with_words_about_it_or_not_at_all(tmp_path: Path) -> None:
    arena = make(tmp_path / "arena.db")
    desk = await arena.open("ann")
    await desk.send("both", LUNCH)
    with pytest.raises(BadOption, match="say what is wrong with that reply"):
        desk.copy("left", text="  ")
    assert len(desk.view().right.turns) == 1
    arena.close()


def test_10_votes_and_runs_name_a_contestant_alike() -> None:
    models = ["smol/calendar", "builtin/small"]
    played = Plan.make(load_suite("calendar"), models, []).players
    assert [each.name for each in usual_contestants(models)] == [f"{each.models} · {each.way}" for each in played]


def test_11_a_dry_run_wants_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    result = said("run", "calendar_dev", "--model", "openai/gpt-4o-mini", "--dry-run")
    assert (result.exit_code, "nothing was asked" in result.stdout) == (0, True)


def test_12_a_server_that_is_not_there_is_asked_once() -> None:
    server = Server(web_address("http://127.0.0.1:1", "base_url"), "ollama/absent")
    with pytest.raises(ModelError, match="nobody answers at"):
        anyio.run(server.post, "chat", {}, lambda _: True)
    assert server.retried == 0


def test_12_a_run_of_nothing_but_errors_is_not_the_last_one(tmp_path: Path) -> None:
    with Store(tmp_path / "s.db") as store:
        good, bad = store.open_run(RunConfig("calendar")), store.open_run(RunConfig("dungeon"))
        store.commit(good, Sample("dialogue", "m", "s"))
        store.commit(bad, Sample("gatehouse", "m", "s", status="error", detail="down"))
        last = store.last_run()
    assert last and last.id == good


def test_13_the_signs_of_a_text_report_are_explained(tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    said("run", "calendar", "--model", "scripted/echo", "--attempts", "1", "--store", store)
    assert "✔ 🍄 one that had to be corrected" in " ".join(said("show", "--store", store).stdout.split())


def test_14_a_request_goes_without_comment_and_exit_leaves() -> None:
    result = said(*ECHO, stdin='action.add_calendar_entry("Tea", "2031-05-06", "16:00")\nexit\nhello\n')
    assert "taken as" not in result.stdout
    assert "hello" not in result.stdout


def test_15_a_name_stays_whole(tmp_path: Path) -> None:
    tools = tmp_path / "music.py"
    tools.write_text('def play(artist: str) -> str:\n    """Play music."""\n    return artist\n', encoding="utf-8")
    answer = Session("scripted/echo", str(tools), "spoken").say('play(artist="Björk")')
    assert answer.calls[0].arguments == {"artist": "Björk"}


def test_15_a_model_that_knew_only_calendars_is_gone() -> None:
    result = said(*ECHO[:1], "--model", "builtin/schema", "--tools", "shop")
    assert (result.exit_code, "smol/tools calls any tools that it is shown" in result.stderr) == (2, True)


def test_an_approved_call_stands_once_on_the_screen() -> None:
    result = said(*ECHO, "--tools", str(HOME), stdin='heat("bath", degrees=22)\ny\n')
    assert result.stdout == '  heat("bath", degrees=22)  [write]\n  c1 ran: "bath: 22.0 °C"\n'


def test_a_misspelt_command_is_told_the_nearest() -> None:
    assert "Did you mean chat?" in said("chta").stderr
