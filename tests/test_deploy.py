"""What is in deploy/: app.py serves the arena, its lists agree with the package, the Dockerfile's files exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx2
import pytest
import yaml

ROOT = Path(__file__).parents[1]
SPACE = ROOT / "deploy" / "space"


def test_the_dockerfile_names_files_that_exist() -> None:
    text = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    copied = [name for line in re.findall(r"^COPY (.+)$", text, re.MULTILINE) for name in line.split()[:-1]]
    assert "src" in copied and "deploy/space/app.py" in copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert re.findall(r"^FROM (\S+)$", text, re.MULTILINE) == ["python:3.11-slim"]


def test_the_requirements_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {*project["dependencies"], *project["optional-dependencies"]["arena"]}
    lines = (SPACE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert {line for line in lines if not line.startswith("#")} == wanted


def test_the_front_matter_names_the_app_and_a_pinned_gradio() -> None:
    _, front, _ = (SPACE / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    about = yaml.safe_load(front)
    assert about["sdk"] == "gradio" and (SPACE / about["app_file"]).is_file()
    pinned = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8").splitlines()
    assert f"gradio=={about['sdk_version']}" in pinned


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_app_py_serves_the_page_on_loopback(tmp_path: Path) -> None:
    pytest.importorskip("gradio")
    pytest.importorskip("itsdangerous")
    told = {"GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": "0", "TOOLMEND_STORE": str(tmp_path / "a.db")}
    environment = {**os.environ, **told, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(SPACE / "app.py")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path)
    try:
        assert process.stdout is not None
        found = re.search(r"open (\S+)", process.stdout.readline())
        assert found is not None
        with httpx2.Client(base_url=found[1], timeout=60) as browser:
            page = browser.get("/")
            assert page.status_code == 200 and "toolmend arena" in page.text
            assert "builtin/small" in browser.get("/plain").text
            assert browser.get("/battle/").status_code == 200
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
