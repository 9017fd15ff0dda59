"""Files of JSON Lines, read line by line: pairs and their keys, judgements, saved runs. Knows no field of theirs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolmend.base.errors import BadFile


def json_objects(path: str | Path, *, whole: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and object of each line that is not blank; with `whole` a last line without its end is left out.

    Raises BadFile with the line for anything else.
    """
    number = 0
    try:
        with Path(path).expanduser().open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.strip() or (whole and not line.endswith(b"\n")):
                    continue
                data = json.loads(line.decode("utf-8-sig"))
                if not isinstance(data, dict):
                    raise BadFile(path, "a line is one JSON object", number)
                yield number, data
    except OSError as error:
        raise BadFile(path, f"cannot be read ({error.strerror or error})") from error
    except (ValueError, RecursionError) as error:
        raise BadFile(path, f"no JSON ({error})", number) from error
