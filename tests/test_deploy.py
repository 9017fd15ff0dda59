"""What is in deploy/: app.py serves the arena, the Dockerfile's files exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
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


def test_the_front_matter_names_the_port_that_is_open() -> None:
    _, front, _ = (SPACE / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    about = yaml.safe_load(front)
    text = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    assert about["sdk"] == "docker" and f"EXPOSE {about['app_port']}\n" in text


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_app_py_serves_the_page_on_loopback(tmp_path: Path) -> None:
    pytest.importorskip("itsdangerous")
    told = {"HOST": "127.0.0.1", "PORT": "0", "TOOLMEND_STORE": str(tmp_path / "a.db")}
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
            assert "builtin/small" in page.text
            assert browser.get("/battle").status_code == 200
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
