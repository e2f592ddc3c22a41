# make demo: a tour in a few minutes.  make test: all tests.  Both create .venv if it is missing.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: help setup demo notebook screenshots test slow browser faults audit lint docs bench wheel smoke clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    verify, complete and trace equations, train a model, run all studies, write a report (minutes)"
	@echo "make test    run the tests, all but the few slow ones"
	@echo "make slow    run the few tests that take long and are left out of make test"
	@echo "make browser  run only the tests of the explorer's page in Chromium"
	@echo "make faults  run only the tests that kill commands, fill disks and damage files"
	@echo "make audit   look for known vulnerabilities of the locked versions, with pip-audit (asks its databases)"
	@echo "make lint    run ruff and mypy"
	@echo "make docs    build the documentation site in site/"
	@echo "make notebook  execute examples/tour.ipynb and keep its outputs"
	@echo "make screenshots  make the pictures of the explorer for the documentation (needs Chromium)"
	@echo "make bench   measure speed, as ratios to other software"
	@echo "make wheel   build the wheel and the source archive in dist/"
	@echo "make smoke   install the wheel into an empty environment, and do the main job there"
	@echo "make setup   create .venv and install"

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
	@echo; echo "1. Is an equation correct? The numeric check, and the Tree-SMU that is shipped with treesmu"
	$(BIN)/treesmu verify "sin(x)^2 + cos(x)^2 = 1" "\tanh(x) = \frac{e^{2x} - 1}{e^{2x} + 1}" "sin(2x) = 2 sin(x)" "sqrt(x^2) = x"
	@echo; echo "2. Which expression fills the blank?"
	$(BIN)/treesmu complete "sin(x)^2 + _ = 1" --top 4
	@echo; echo "3. What does the model compute at every node, and what is on its stacks?"
	$(BIN)/treesmu trace "sin(2x) = 2 sin(x) cos(x)"
	@echo; echo "4. A model of your own: a corpus of shallow equations, and a Tree-SMU that learns to verify them (under a minute)"
	test -d $(DEMO)-first/equations || $(BIN)/treesmu generate $(DEMO)-first/equations --train-size 8000 --validation-size 400 --depths 1-4 --test-depths 1-5 --per-depth 100 --seed 1
	$(BIN)/treesmu train $(DEMO)-first/equations --recipe treesmu --epochs 12 --out $(DEMO)-first/tree-smu --resume
	@echo; echo "5. Every study of the paper at a small scale: corpora, Tree-SMU and baselines, analyses, report (some minutes)"
	$(BIN)/treesmu reproduce --preset quick --out $(DEMO) --resume
	@echo; echo "6. Some of the equations, and a re-check of their labels with mpmath and SymPy"
	$(BIN)/treesmu data show $(DEMO)/corpora/hard --depths 4-9 --count 8
	$(BIN)/treesmu data audit $(DEMO)/corpora/hard --rows 100
	@echo; echo "the report: $(DEMO)/report.html     next: $(BIN)/treesmu --help"

test: setup
	$(BIN)/python -m pytest

slow: setup
	$(BIN)/python -m pytest -m slow

browser: setup
	$(BIN)/python -m pytest tests/web/browser

faults: setup
	$(BIN)/python -m pytest -n0 tests/faults

audit: setup
	$(PYTHON) -m venv $(VENV)/audit
	$(VENV)/audit/bin/python -m pip install --disable-pip-version-check -q pip-audit
	$(VENV)/audit/bin/pip-audit --strict --disable-pip --no-deps --requirement requirements.lock

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: setup
	$(BIN)/python docs/make/pages.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "the documentation: site/index.html (open it in a browser, or serve the folder site/)"

notebook: setup
	$(BIN)/python docs/make/notebook.py

screenshots: setup
	$(BIN)/python docs/make/screenshots.py

bench: setup
	$(BIN)/python benchmarks/verdicts.py
	$(BIN)/python benchmarks/generation.py
	$(BIN)/python benchmarks/planning.py
	$(BIN)/python benchmarks/batching.py --quick
	$(BIN)/python benchmarks/completion.py --quick

wheel: setup
	$(BIN)/python -m build --no-isolation --outdir dist .

smoke: setup
	PYTHONPATH=tests/helpers $(BIN)/python tests/helpers/installed_wheel.py

clean:
	rm -rf $(VENV) demo demo-first dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
