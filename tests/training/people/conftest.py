"""A tiny base on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tiny_llama import write_base


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_base(tmp_path_factory.mktemp("base") / "tiny.gguf")
