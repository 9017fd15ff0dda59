"""What `pipx install .` and `uv tool install .` get: the wheel, built offline, with its commands, extras and data."""

from __future__ import annotations

import configparser
import email
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"

pytestmark = pytest.mark.slow
pytest.importorskip("hatchling", reason="builds the wheel")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked, as an installer does it."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("toolmend-*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def told(installed: Path, name: str) -> str:
    [path] = installed.glob(f"toolmend-*.dist-info/{name}")
    return path.read_text(encoding="utf-8")


def test_it_brings_the_command_and_the_plugin(installed: Path) -> None:
    points = configparser.ConfigParser()
    points.read_string(told(installed, "entry_points.txt"))
    assert dict(points["console_scripts"]) == {"toolmend": "toolmend.apps.cli:main"}
    assert dict(points["llm"]) == {"toolmend": "toolmend.apps.llm_plugin"}


def test_it_asks_for_nothing_heavy_unasked(installed: Path) -> None:
    about = email.message_from_string(told(installed, "METADATA"))
    assert (about["Name"], about["Requires-Python"]) == ("toolmend", ">=3.11")
    needed = {re.split(r"[<>=]", line)[0] for line in about.get_all("Requires-Dist") or () if "extra ==" not in line}
    assert "click" in needed
    assert needed & {"torch", "keras", "tensorflow", "starlette", "mcp"} == set()
    extras = {"arena", "server", "mcp", "local", "train", "calendar", "llm", "docs"}
    assert extras <= set(about.get_all("Provides-Extra") or ())


def test_its_command_runs(installed: Path, tmp_path: Path) -> None:
    paths = os.pathsep.join([str(installed), *(path for path in sys.path if path and not path.endswith("src"))])
    own = {**os.environ, "PYTHONPATH": paths, "TOOLMEND_STORE": str(tmp_path / "runs.db")}
    where = (
        "import sys, toolmend; sys.argv = sys.argv[1:]; from toolmend.apps.cli import main; print(toolmend.__file__)"
    )
    command = [sys.executable, "-c", f"{where}; main()", "toolmend", "models"]
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(installed))
    assert "builtin/small" in done.stdout
