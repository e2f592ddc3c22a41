# make demo: see it work.  make test: all tests.  Both set up .venv by themselves.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: setup demo test lint bench clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    see it work: equations checked, a small corpus made and looked at (a minute or two)"
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

DEMO := demo
demo: setup
	@echo; echo "1. Is it true?"
	$(BIN)/treesmu verify "sin(x)^2 + cos(x)^2 = 1" "\tanh(x) = \frac{e^{2x} - 1}{e^{2x} + 1}" "sin(2x) = 2 sin(x)" "sqrt(x^2) = x" "sin(2.5) = 0.6"
	@echo; echo "2. A small corpus of checked equations"
	@rm -rf $(DEMO)/corpus && mkdir -p $(DEMO)
	$(BIN)/treesmu generate $(DEMO)/corpus --preset quick --train-size 4000 --validation-size 400 --per-depth 60
	@echo; echo "3. Some of it"
	$(BIN)/treesmu data show $(DEMO)/corpus --depths 4-9 --count 12
	@echo; echo "4. Can its labels be guessed without understanding? (50% is chance)"
	$(BIN)/treesmu data stats $(DEMO)/corpus --probe --figures $(DEMO)/figures | tail -n 8
	@echo; echo "5. The labels checked again, by mpmath and SymPy at other points"
	$(BIN)/treesmu data audit $(DEMO)/corpus --rows 500
	@echo; echo "figures: $(DEMO)/figures     next: $(BIN)/treesmu --help"

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/verdicts.py
	$(BIN)/python benchmarks/generation.py
	$(BIN)/python benchmarks/planning.py
	$(BIN)/python benchmarks/batching.py --quick

clean:
	rm -rf $(VENV) demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
