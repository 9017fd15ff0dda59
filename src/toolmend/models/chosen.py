"""Which model suits a toolbox where nobody names one, and why: what was taught it, what reads any tools, what is here.

Also short names: `small` for builtin/small, `calendar` for smol/calendar, `smollm2` for gguf/smollm2. Loads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.models import builtin, smol
from toolmend.models.gguf.fetch import SHIPPED, place
from toolmend.registry import models

BASE = "smollm2"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model by name, the strategy that holds it to the tools' schema ("": the model's own), and why it."""

    model: str
    strategy: str = ""
    why: str = ""


def chosen(toolbox: str) -> Chosen:
    """The model for a toolbox of that name: a file, `package.module:name` or a registered one.

    In this order: the adapter that was taught it and lies beside it, one that ships for it, the one for any tools, the
    adapters' base, an embedded model. Raises BadOption where not even that ships.
    """
    if taught := _taught(toolbox):
        return Chosen(taught, why=f"taught on these tools ({taught})")
    fetched = place(SHIPPED[BASE]).is_file()
    own, any_tools = _adapters(toolbox)
    if fetched and (own or any_tools):
        if own:
            return Chosen(f"smol/{own}", why=f"it was taught {toolbox}")
        return Chosen(f"smol/{any_tools}", why="it was taught to call tools it has never seen")
    if fetched:
        return Chosen(f"gguf/{BASE}", "oneline?structured=true", "it reads any tools, and was taught none: look twice")
    if not (embedded := builtin.trained_for(toolbox)):
        raise BadOption(
            f"no model is here that reads these tools; `toolmend models get {BASE}` (93 MB, once) brings one, "
            "--model names another"
        )
    why = f"a toy that ships; `toolmend models get {BASE}` (93 MB, once) brings a real one"
    return Chosen(f"builtin/{embedded[0]}", why=why)


def contestants(toolbox: str) -> tuple[tuple[str, ...], str]:
    """The models here that are measured on a toolbox where nobody names any, those that were taught it first; and, in a
    line, which is left out because its base is not here, "" where none is. Raises BadOption where none is left."""
    own, any_tools = _adapters(toolbox)
    adapter = _taught(toolbox) or (f"smol/{own or any_tools}" if own or any_tools else "")
    embedded = tuple(f"builtin/{name}" for name in builtin.trained_for(toolbox))
    if not adapter or place(SHIPPED[BASE]).is_file():
        adapters, lacking = (adapter,) if adapter else (), ""
    else:
        adapters, lacking = (), f"without {adapter}, which needs `toolmend models get {BASE}` (93 MB, once)"
    if not (adapters or embedded):
        raise BadOption(f"no model is here for these tools: {lacking or '--model names one'}")
    return (*adapters, *embedded), lacking


def _adapters(toolbox: str) -> tuple[str, str]:
    """The adapter that ships for this toolbox, and the one for any; "" where there is none."""
    from toolmend.models.smol.preset import SmolPreset

    own, any_tools = "", ""
    for name in smol.names():
        try:
            known = SmolPreset.about(smol.SHELF / name).toolboxes
        except BadFile:  # made by another version: it cannot be used
            continue
        own = own or (name if known and toolbox in known else "")
        any_tools = any_tools or (name if known is None else "")
    return own, any_tools


def _taught(toolbox: str) -> str:
    """The adapter that `toolmend teach` wrote beside a file of tools, or here, "" where there is none."""
    stem = Path(toolbox.replace(":", ".")).stem
    for folder in (Path(toolbox).parent, Path()):
        adapter = folder / f"{stem}_smol"
        if (adapter / "toolmend.json").is_file():
            return f"smol/{adapter}" if adapter.is_absolute() else f"smol/./{adapter}"
    return ""


def full_name(name: str) -> str:
    """A model's name with its family: of a bare word, the one model here of that name.

    Raises UnknownName with what it could be; a name with a family, or a folder, stays as it is.
    """
    if "/" in name or name.startswith((".", "~")):
        return name
    short = short_names()
    if name in short:
        return short[name]
    known = [*short, *(f"{family}/" for family in models.names())]
    raise UnknownName("model", name, known, "else a model is named FAMILY/NAME: see `toolmend models`")


def short_names() -> dict[str, str]:
    """Bare words that name a model here, by what they stand for."""
    made = {name: f"smol/{name}" for name in smol.names()}
    return made | {name: f"gguf/{name}" for name in SHIPPED} | {name: f"builtin/{name}" for name in builtin.names()}
