"""The HTML report of a large run: its size, the time to write it, and the time until a browser has it ready.

    python benchmarks/html_report.py [SAMPLES ...]        default: 10000

A real run (the calendar suite on every model that ships) is played once and copied: each copy has names, titles, days,
times, figures and every fifth reply's chatter of its own, and stands for another attempt or contestant. Ready is when
the page's script is through, as the page's own clock has it from the start of the navigation (headless Chromium, if it
is installed; median and worst of five). The floor beside it is an empty page in the same browser.
"""

from __future__ import annotations

import json
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio

from toolmend.base.events import from_json, to_json
from toolmend.evals.reports.html import write_html
from toolmend.evals.reports.report import build_report, played_suite
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Sample, Store, StoredContestant
from toolmend.evals.suites.suite import load_suite
from toolmend.models import builtin

EMPTY = "<!doctype html><title>empty</title><script>document.documentElement.dataset.ready=performance.now()</script>"
NAMES = (
    "Ada Bo Cleo Dmitri Eszter Farid Gwen Hiro Imani Jonas Kim Lupe Mira Noor Olga Pavel Quinn Rosa Sven Tariq".split()
)
TITLES = (
    "Rock Concert|Jazz Night|Dentist|Team Lunch|Yoga Class|Parents Evening|Book Club|Chess Match|Car Service".split("|")
)
WORDS = Path(__file__).read_text(encoding="utf-8").split() + NAMES


def copies(real: list[Sample], count: int) -> Iterator[Sample]:
    """`count` samples, each a real one with words and figures of its own."""
    draw = random.Random(7)
    for number in range(count):
        sample, copy = real[number % len(real)], number // len(real)
        words = {"Fred": draw.choice(NAMES), "Paul": draw.choice(NAMES), "Rock Concert": draw.choice(TITLES)}
        words["rock concert"] = words["Rock Concert"].lower()
        words |= {"17:00": _time(draw), "20:00": _time(draw), "08:00": _time(draw)}
        words |= {f"2024-11-{day}": f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}" for day in (11, 12)}
        pattern = re.compile("|".join(map(re.escape, words)))
        text = pattern.sub(lambda found, words=words: words[found[0]], json.dumps([to_json(e) for e in sample.events]))  # type: ignore[misc]
        events = tuple(from_json(_figures(data, draw)) for data in json.loads(text))
        model = f"{sample.model}-{copy % 4}"
        attempt = sample.attempt + 5 * (copy // 4)
        yield replace(
            sample, model=model, attempt=attempt, events=events, seconds=sample.seconds * draw.uniform(0.5, 2)
        )


def _time(draw: random.Random) -> str:
    return f"{draw.randint(6, 22):02}:{draw.choice((0, 15, 30, 45)):02}"


def _figures(data: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """An event with seconds of its own, and chatter after every fifth reply."""
    if "usage" in data:
        data["usage"]["seconds"] = draw.uniform(0.02, 4)
        if draw.random() < 0.2:
            data["text"] += "\n" + " ".join(draw.choices(WORDS, k=draw.randint(5, 40)))
    return data


def large_run(folder: Path, count: int) -> tuple[Path, str]:
    """A store with a run of that many samples; the run's id."""
    suite = load_suite("calendar")
    plan = Plan.make(suite, [f"builtin/{name}" for name in builtin.names()], ["oneline"])
    with Store(folder / "real.db") as store:
        found = anyio.run(run, plan, store)
        real = list(store.samples(found.id))
    models = [f"{each.model}-{n}" for each in found.config.contestants for n in range(4)]
    config = replace(found.config, contestants=tuple(StoredContestant(model, "oneline") for model in models))
    with Store(folder / "large.db") as store:
        run_id = store.open_run(config)
        for sample in copies(real, count):
            store.commit(run_id, sample)
        assert sum(store.counts(run_id).values()) == count, "two copies had the same key"
        store.finish(run_id)
    return folder / "large.db", run_id


def write(place: Path, run_id: str, target: Path) -> tuple[float, float]:
    """CPU seconds for the figures, and for the page."""
    with Store(place) as store:
        began = time.process_time()
        report, found = build_report(store, run_id), store.run(run_id)
        built = time.process_time()
        with open(target, "w", encoding="utf-8") as file:
            write_html(file, found, store.samples(run_id), report, suite=played_suite(found, []))
        return built - began, time.process_time() - built


def ready(browser: str, page: Path) -> list[float]:
    """Seconds from the start of the navigation until the page was ready, five times."""
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    found = []
    for _ in range(5):
        dom = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
        told = re.search(r'<html[^>]* data-ready="([\d.]+)"', dom)
        assert told, "the page did not say that it was ready"
        found.append(float(told[1]) / 1000)
    return found


def main(counts: list[int]) -> None:
    """Print a row per size."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
    head = f"{'samples':>8} {'store MB':>9} {'figures CPU s':>14} {'page CPU s':>11} {'peak MB':>8} {'page MB':>8}"
    print(f"{head}  ready s (worst)")
    with tempfile.TemporaryDirectory() as made:
        folder, empty = Path(made), Path(made, "empty.html")
        empty.write_text(EMPTY, encoding="utf-8")
        for count in counts:
            place, run_id = large_run(folder, count)
            page = folder / f"{count}.html"
            figures, written = write(place, run_id, page)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            sizes = f"{place.stat().st_size / 1e6:>9.1f} {figures:>14.1f} {written:>11.1f} {peak:>8.0f}"
            print(f"{count:>8,} {sizes} {page.stat().st_size / 1e6:>8.2f}  {_told(browser, page)}", flush=True)
            place.unlink()
        print(f"empty page in the same browser: {_told(browser, empty)}")


def _told(browser: str | None, page: Path) -> str:
    if browser is None:
        return "no Chromium here"
    seconds = ready(browser, page)
    return f"{statistics.median(seconds):.2f} ({max(seconds):.2f})"


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [10_000])
