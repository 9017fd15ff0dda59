"""Which version a copy of a public repository is: the commit that git checked out there, else a digest of the files
read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def version_of(folder: Path, files: Iterable[Path]) -> str:
    """`commit 90fdbf364994`, or `files 3bb6dfa5f0c6` where git does not say."""
    commit = _head(folder / ".git")
    if commit:
        return f"commit {commit[:12]}"
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + path.read_bytes())
    return f"files {digest.hexdigest()[:12]}"


def _head(git: Path) -> str:
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        name = head.removeprefix("ref: ")
        if name == head:
            return head
        if (git / name).is_file():
            return (git / name).read_text(encoding="utf-8").strip()
        packed = (git / "packed-refs").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    return next((line.split()[0] for line in packed if line.endswith(f" {name}")), "")
