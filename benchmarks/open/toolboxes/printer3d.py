"""The 3D printers of our makerspace."""

from typing import Literal

QUEUE: list[dict] = []
PRINTERS: dict[str, dict] = {"Prusa": {}, "Ender": {}, "Big Bertha": {}}
SPOOLS: dict[str, int] = {}


def queue_print(model: str, printer: Literal["Prusa", "Ender", "Big Bertha"], copies: int = 1) -> str:
    """Queue a model on one of the printers."""
    QUEUE.append({"model": model, "printer": printer, "copies": copies})
    return f"{copies} x {model} on {printer}"


def drop_print(model: str) -> str:
    """Take a model out of the queue."""
    QUEUE[:] = [job for job in QUEUE if job["model"] != model]
    return f"{model} gone"


def heat_bed(printer: Literal["Prusa", "Ender", "Big Bertha"], degrees: int) -> str:
    """Heat the bed of a printer, in degrees Celsius."""
    PRINTERS[printer]["bed"] = degrees
    return f"{printer} bed {degrees} °C"


def load_filament(
    printer: Literal["Prusa", "Ender", "Big Bertha"], material: Literal["PLA", "PETG", "ABS", "TPU"], colour: str
) -> str:
    """Note which filament is loaded."""
    PRINTERS[printer].update(material=material, colour=colour)
    return f"{printer}: {colour} {material}"


def buy_spools(material: Literal["PLA", "PETG", "ABS", "TPU"], count: int) -> str:
    """Put spools on the shopping list."""
    SPOOLS[material] = SPOOLS.get(material, 0) + count
    return f"{SPOOLS[material]} {material}"
