# make demo: see it work.  make test: all tests.  Both set up .venv by themselves.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: setup demo test lint bench clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    see it work: a few equations checked"
	@echo "make test    run all tests"
	@echo "make lint    ruff and mypy"
	@echo "make bench   speed against the peers, as ratios"
	@echo "make setup   only make .venv and install"

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "treesmu needs Python 3.11 or newer (set PYTHON=...)"; exit 2; }
	@echo "setting up $(VENV) (a few minutes the first time: PyTorch is large)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -q -r requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check -q --no-deps --no-build-isolation -e .
	@touch $(STAMP)

demo: setup
	@echo '$$ treesmu verify "sin(x)^2 + cos(x)^2 = 1" ...'
	@$(BIN)/treesmu verify "sin(x)^2 + cos(x)^2 = 1" "\tanh(x) = \frac{e^{2x} - 1}{e^{2x} + 1}" "sin(2x) = 2 sin(x)" "sqrt(x^2) = x" "sin(2.5) = 0.6"

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/verdicts.py

clean:
	rm -rf $(VENV) demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
