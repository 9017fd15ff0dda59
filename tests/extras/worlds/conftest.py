"""A store for suites that are played."""

from samples import store  # noqa: F401
