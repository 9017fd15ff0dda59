"""Where the store is when nobody says, and what lies beside it: TOOLMEND_STORE, else the user's data folder. Opens
nothing.
"""

from __future__ import annotations

import os
from pathlib import Path


def default_place() -> str:
    """The URL or path in the environment variable TOOLMEND_STORE, else `toolmend.db` in the user's data folder."""
    named = os.environ.get("TOOLMEND_STORE")
    if named:
        return named
    from platformdirs import user_data_dir

    return str(Path(user_data_dir("toolmend")) / "toolmend.db")


def beside(name: str) -> Path:
    """The file of that name in the folder of the store; in the user's data folder where the store is no file."""
    place = default_place()
    if "://" in place or place == ":memory:":
        from platformdirs import user_data_dir

        return Path(user_data_dir("toolmend")) / name
    return Path(place).expanduser().with_name(name)
