"""Runs and their samples, kept: every finished sample with all its events, in one SQLite file or another database.

Knows the values of layer 0 and `db`; nothing of suites, models, reports or screens.
"""

from toolmend.evals.store.place import default_place
from toolmend.evals.store.store import Store
from toolmend.evals.store.values import Counted, Run, RunConfig, Sample, StoredContestant, sample_key

__all__ = ["Counted", "Run", "RunConfig", "Sample", "Store", "StoredContestant", "default_place", "sample_key"]
