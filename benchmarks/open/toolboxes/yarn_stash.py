# my yarn, my needles, my unfinished objects
from typing import List, Optional

stash = {}
projects = {}


def buy_yarn(name: str, colour: str, skeins: int, grams_per_skein: int = 50) -> str:
    """New yarn for the stash."""
    stash[(name, colour)] = stash.get((name, colour), 0) + skeins * grams_per_skein
    return "%d x %s %s" % (skeins, colour, name)


def use_yarn(project: str, grams: float) -> str:
    """Yarn knitted up in a project, weighed in grams."""
    projects.setdefault(project, {"grams": 0})["grams"] += grams
    return "%s: %g g" % (project, grams)


def cast_on(project: str, needle_mm: float, stitches: int, for_whom: Optional[str] = None) -> str:
    """Start a new project on needles of a size, with a number of stitches."""
    projects[project] = {"needle": needle_mm, "stitches": stitches, "for": for_whom, "grams": 0}
    return "cast on " + project


def count_rows(project: str, rows: int) -> str:
    """Add knitted rows to a project's counter."""
    projects.setdefault(project, {})["rows"] = projects.get(project, {}).get("rows", 0) + rows
    return "%s +%d" % (project, rows)


def frog(project: str, rows: int) -> str:
    """Rip back rows of a project because of a mistake."""
    projects.setdefault(project, {})["rows"] = projects.get(project, {}).get("rows", 0) - rows
    return "%s -%d" % (project, rows)


def tag(project: str, tags: List[str]) -> str:
    """Put tags on a project."""
    projects.setdefault(project, {})["tags"] = tags
    return ", ".join(tags)
