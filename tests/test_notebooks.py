"""The notebooks run from the first cell to the last, and show what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def run(name: str) -> dict[str, Any]:
    """The names that the code cells leave behind, run as one program."""
    cells = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "notebook"}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{name}:{cell['id']}", "exec"), names)
    return names


def test_published_intervals_are_order_noise() -> None:
    names = run("ratings.ipynb")
    widths = names["widths"]
    assert abs(widths["Elo, K = 32"] / widths["published"] - 1) < 0.15
    assert names["tighter"] > 3
    assert names["share"] > 0.8
    assert names["shrinking"][3000][0] > 0.8 * names["shrinking"][100][0]
    assert names["shrinking"][3000][1] < 0.25 * names["shrinking"][100][1]
    assert 0.87 < names["coverage"] < 0.93


def test_a_judges_habits_are_found_and_its_weight_follows() -> None:
    names = run("judges.ipynb")
    found, calibration = names["found"], names["calibration"]
    assert found.first.low > 0.6
    assert found.longer.low > 0.5
    assert names["order"][0] == names["order"][1]
    assert 0.1 < calibration.weight < 0.35
    assert calibration.judge.correlation.value < names["calibrated"]["a judge without habits"].judge.correlation.value
    assert names["results"]["mixed"][0] < names["results"]["people, 40 prompts"][0]
    for row in names["people"].rows:
        assert names["tables"]["human_no_ties"][row.contestant.lower()].low - 1 < row.rating


def test_the_net_of_digits_reads_what_it_never_saw() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    names = run("digits.ipynb")
    assert min(names["shares"].values()) > 0.95
    assert names["moved_far"] < names["shares"]["drawn"] - 0.2
    assert names["lengths"][1] < 0.1 * names["lengths"][0]
    assert names["curve"][-1][1] > 0.8


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.filterwarnings("ignore")  # of libraries that run notebooks
@pytest.mark.parametrize("name", sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")))
def test_it_runs_in_a_kernel(name: str) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code" and cell.source)
