"""What can go wrong that is not a model's mistake (a model's mistake is a value, see mistakes.py).

ToolmendError            everything below; the command line prints it as one line and exits with 2
├── UnknownName          a model, suite, tool, strategy … that nobody registered; says what is known
├── MissingExtra         a part needs an optional install; says which
├── BadFile              a suite, preset, line of data or store that cannot be read; says where
├── BadOption            an option or argument with a value that makes no sense
├── BudgetSpent          a limit of tokens or money is reached: the run stops, what is finished is kept
├── ModelError           the model could not answer: transport, server, timeout. A sample becomes `error`
└── ToolError            raised by a tool: goes back to the model as text, the world unchanged
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from importlib.util import find_spec

_SMALL = "builtin/small is what ships without a download, smol/calendar what is better"
_ADAPTERS = (
    "adapters over SmolLM2 (`toolmend train adapter`) are what other programs load: convert smol/NAME or ./FOLDER"
)
GONE = {
    "embedded model 'early'": _SMALL,
    "embedded model 'plain'": _SMALL,
    "embedded model 'schema'": "smol/tools calls any tools that it is shown",
    "command 'train builtin'": "`toolmend train adapter` teaches SmolLM2 in its place; builtin/small stays as it is",
    "command 'train tune'": "`toolmend train adapter --data FOLDER` learns from the same data",
    "command 'data show'": "the card in its README.md says what a data folder holds; its lines are JSON",
    "command 'study'": "what it found stands in docs/log.md; `toolmend compare` puts two runs to the same test",
    "command 'regrade'": "`toolmend run SUITE --cache` grades anew what was asked before; then `toolmend compare`",
    "command 'judge marks'": "`toolmend judge calibrate` holds votes against votes",
    "command 'judge report'": "`toolmend judge run` with the same --out asks nothing again and prints it",
    "command 'judge unblind'": "`toolmend arena queue --pairs` asks people and writes their votes",
    "command 'creativity'": "`toolmend pairs --table` shows what was made up; people say what is better",
    "command 'export'": "`toolmend gate RUN --save FILE.jsonl` writes a run; `toolmend view` and `show` draw its talks",
    "command 'completion'": "`_TOOLMEND_COMPLETE=bash_source toolmend` prints it (zsh_source, fish_source)",
    "command 'config'": "every command that reads a file of settings says what is wrong in it, with its line",
    "command 'know bench'": "benchmarks/families.py in the project compares them",
    "command 'know index'": "`toolmend know ask` indexes what is new",
    "model to convert 'builtin/small'": _ADAPTERS,
    "format 'keras'": f"hf and gguf stay; {_ADAPTERS}",
    "format 'preset'": f"hf and gguf stay; {_ADAPTERS}",
}
"""What earlier versions had, by kind and name, and what took its place."""


class ToolmendError(Exception):
    """The root of everything toolmend raises on purpose; its text is fit to be shown to a person."""


class UnknownName(ToolmendError):
    """A name nobody registered. The text names the nearest, or all, that are known, or what took its place."""

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        if successor := GONE.get(f"{kind} {name!r}"):
            super().__init__(f"{kind} {name!r} is gone: {successor}")
            return
        near = get_close_matches(name, self.known, n=3, cutoff=0.6)
        meant = f" (did you mean {' or '.join(near)}?)" if near else ""
        listed = f"; known: {', '.join(self.known)}" if self.known else ""
        super().__init__(f"unknown {kind} {name!r}{meant}{listed}{'; ' + hint if hint else ''}")


_WEIGHS = {
    "train": " (torch: 3 GB with its libraries for GPUs; without a GPU install its CPU build first, 0.2 GB: "
    "pytorch.org/get-started says how)"
}


class MissingExtra(ToolmendError):
    """Something optional is not installed; says what installs it into this environment, and what weighs much."""

    def __init__(self, what: str, extra: str, lacks: str = "") -> None:
        """`lacks` is the package that was not found, where the extra has many."""
        self.extra, self.lacks = extra, lacks
        pip = f"{sys.executable} -m pip install" if find_spec("pip") else f"uv pip install --python {sys.executable}"
        lack = f" (no {lacks} here)" if lacks else ""
        super().__init__(f"{what} needs the extra '{extra}'{lack}: {pip} {_source(extra)}{_WEIGHS.get(extra, '')}")


def lacking(error: ImportError) -> str:
    """The package that an import did not find, by its name on the index where the error tells it."""
    told = re.search(r"\b(\w+) directly", str(error))  # "… Install lxml[html_clean] or lxml_html_clean directly."
    return told[1] if told else (error.name or "").partition(".")[0]


def needs(what: str, extra: str, *modules: str) -> None:
    """Raise MissingExtra where one of these modules of an extra is not installed."""
    if not all(map(find_spec, modules)):
        raise MissingExtra(what, extra)


def _source(extra: str) -> str:
    """What this was installed from, with an extra, as pip takes it: a folder (editable as it was), else a name."""
    import json
    from importlib import metadata
    from urllib.parse import unquote, urlsplit

    try:
        told = json.loads(metadata.distribution("toolmend").read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        told = {}
    place = unquote(urlsplit(told.get("url", "")).path) or "toolmend"
    return f"{'-e ' if told.get('dir_info', {}).get('editable') else ''}'{place}[{extra}]'"


class BadFile(ToolmendError):
    """A file that cannot be used: says file, line where there is one, what is wrong and what to do."""

    def __init__(self, path: object, what: str, line: int | None = None) -> None:
        self.path, self.line, self.what = str(path), line, what
        super().__init__(f"{path}{f':{line}' if line else ''}: {what}")


class BadOption(ToolmendError):
    """An option or argument whose value makes no sense here."""


class BudgetSpent(ToolmendError):
    """What a run may spend is spent; the next request was not sent."""


class ModelError(ToolmendError):
    """The model could not answer. `retryable` says whether trying again could help."""

    def __init__(self, text: str, *, retryable: bool = False) -> None:
        self.retryable = retryable
        super().__init__(text)


class ToolError(ToolmendError):
    """Raised inside a tool: the message goes to the model, the world stays as it was."""
