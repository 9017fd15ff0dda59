"""Where a world lives from talk to talk; the simplest home is a JSON file, which keeps any world with a state."""

from __future__ import annotations

import json
from pathlib import Path

from toolmend.base.atomic import written
from toolmend.base.errors import BadFile
from toolmend.tools import Toolbox


class Home:
    """A file with a world's state as JSON. `place` is told to people, and so are the `notes`: what of it cannot be
    read, and why."""

    notes: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        self.path, self.place = path, str(path)

    def load(self, box: Toolbox) -> None:
        """Make the world what is kept, if anything is. Raises BadFile, ToolError."""
        if not self.path.exists():
            return
        try:
            state = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadFile(self.path, f"cannot be read as JSON ({error}); move it away to begin anew") from error
        box.set_state(state)

    def save(self, box: Toolbox) -> None:
        """Keep the world; a file is whole or as it was. Raises BadFile, ToolError."""
        text = json.dumps(box.state(), ensure_ascii=False, indent=1, default=str)
        with written(self.path) as part:
            part.write_text(text, encoding="utf-8", newline="")
