"""Published benchmarks: their data as suites, their own rules beside ours, their tables beside a run."""
