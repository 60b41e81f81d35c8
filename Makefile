# Countersign. `make demo` and `make test` need Python 3.11 or newer and make, nothing else.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
UV ?= uv
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check --no-input
PYTEST_ARGS ?=
BENCH_ARGS ?=
FUZZ_ARGS ?= --inputs 200000

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-long formats lint format bench lighthouse fuzz self-test site lock clean

help: ## this list
	@echo "make demo   the whole road on the embedded default: play, publish, check, site (no key)"
	@echo "make test   lint, then every test but the long ones; make test-long: those, some minutes"
	@echo "make lint   ruff, mypy --strict over checker/ and runners/, import-linter"
	@echo "make bench  the measurements of DESIGN.md, as ratios"
	@echo "make fuzz   200,000 damaged lines and worlds for the checker; make self-test: its mutation score into tables/"
	@echo "make site   the static site into build/html; make lighthouse: Lighthouse over each kind of page (needs Node)"
	@echo "make venv   .venv/ with everything, from requirements.lock; make formats: the tools of citation formats, for test-long"
	@echo "make format ruff's formatter and safe fixes; make lock: requirements*.lock anew, with uv; make clean: no .venv, no build/"

venv: $(VENV)/.installed
	@:

demo: venv
	@$(BIN)/countersign demo

test: lint
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "not long" $(PYTEST_ARGS)

test-long: venv formats
	@$(BIN)/python -m pytest -n 2 -m long $(PYTEST_ARGS)

# The tools of citation formats want older packages than ours, so they have an environment of their own.
formats: $(VENV)/formats/.installed
	@:

$(VENV)/formats/.installed: tests/formats/requirements.lock $(VENV)/.packages
	@echo "Installing the tools of the citation formats into $(VENV)/formats/"
	@$(BIN)/python -m venv --clear $(VENV)/formats
	@$(VENV)/formats/bin/python -m pip --quiet --quiet --disable-pip-version-check --no-input install --require-hashes \
		--requirement tests/formats/requirements.lock
	@touch $@

lint: venv
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: venv
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format --quiet .

bench: venv
	@$(BIN)/python -m tests.bench $(BENCH_ARGS)

lighthouse: venv
	@$(BIN)/python -m tests.bench.lighthouse $(BENCH_ARGS)

fuzz: venv
	@$(BIN)/python -m tests.fuzz $(FUZZ_ARGS)

self-test: venv
	@$(BIN)/countersign-check --self-test --out tables

site: venv
	@$(BIN)/countersign site

# Packages are installed anew only when a lock changed, the project only when its metadata did. The checker's packages
# are compiled here, since its sandbox mounts them read-only, and those of the command line, so that --help is quick where
# Python may write no bytecode; it compiles the others when they are first imported.
$(VENV)/.packages: requirements.lock requirements-check.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and was not found; name one with: make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "Installing the packages of requirements.lock into $(VENV)/ ($$($(PYTHON) -V))"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --require-hashes --requirement requirements-check.lock
	@$(PIP) install --no-compile --require-hashes --requirement requirements.lock
	@for package in typer rich markdown_it pygments; do \
		$(BIN)/python -m compileall -q $(VENV)/lib/python3.*/site-packages/$$package; done
	@touch $@

$(VENV)/.installed: $(VENV)/.packages pyproject.toml hatch_build.py
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# One version of each package for every Python and system that is supported: numbers must not depend on either.
LOCK = $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-header --no-emit-index-url --no-emit-find-links

lock:
	@$(LOCK) --extra all --extra dev --output-file requirements.lock
	@$(LOCK) --extra check --constraint requirements.lock --no-annotate --output-file requirements-check.lock
	@$(UV) pip compile tests/formats/requirements.in --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--no-emit-index-url --no-emit-find-links --no-annotate --output-file tests/formats/requirements.lock

clean:
	rm -rf $(VENV) build
