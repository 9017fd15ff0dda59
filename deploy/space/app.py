"""The arena as a Space: embedded models alone, no key, nothing fetched. `python app.py` serves it anywhere else, too.

Reads HOST and PORT (default 0.0.0.0 and 7860) and TOOLMEND_STORE (default: `arena.db` in /data, where a Space has
storage that stays, else beside this file).
"""

from __future__ import annotations

import os
from pathlib import Path

from toolmend.apps.site.serving import is_local, serve
from toolmend.extras.arena import Arena
from toolmend.extras.arena.choices import usual_contestants
from toolmend.extras.arena.page.app import make_app

KEPT = Path("/data")


def store() -> str:
    """Where talks and votes are kept."""
    stays = KEPT.is_dir() and os.access(KEPT, os.W_OK)
    return os.environ.get("TOOLMEND_STORE") or str((KEPT if stays else Path(__file__).parent) / "arena.db")


def main() -> None:
    """Serve until told to stop."""
    arena = Arena(store(), usual_contestants())
    host, port = os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "7860"))
    try:
        serve(make_app(arena, local=is_local(host)), host, port, lambda url: print(f"open {url}", flush=True))
    finally:
        arena.close()


if __name__ == "__main__":
    main()
