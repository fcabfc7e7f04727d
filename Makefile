# Everything sets itself up: `make vectors` and `make test` need Python 3.11 or later, make and a package registry.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup vectors check-vectors test lint types kill coverage bench docs docs-serve ci clean

help: ## show the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

setup: $(STAMP) ## make the virtual environment

$(STAMP): pyproject.toml tools/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint tools/constraints.txt --editable '.[test,docs]'
	@touch $@

vectors: $(STAMP) ## generate and validate the vectors, and print the coverage table
	$(BIN)/python tools/generate.py

check-vectors: $(STAMP) ## compare the vectors with what the model emits, under two hash seeds
	PYTHONHASHSEED=0 $(BIN)/python tools/generate.py --check
	PYTHONHASHSEED=4242 $(BIN)/python tools/generate.py --check
	$(BIN)/mcp-spec vectors verify vectors

test: $(STAMP) ## run the tests
	$(BIN)/pytest -n auto

lint: $(STAMP) ## ruff and the layers of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(STAMP) ## mypy, strict
	$(BIN)/mypy

kill: $(STAMP) ## run the mutants of the rules against the vectors
	$(BIN)/mcp-spec kill

coverage: $(STAMP) ## what the vectors cover of the catalogue
	$(BIN)/mcp-spec coverage

bench: $(STAMP) ## speed and size, as ratios within one run
	$(BIN)/python tools/bench.py

docs: $(STAMP) ## build the documentation, strictly
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --config-file tools/mkdocs.yml

docs-serve: $(STAMP) ## show the documentation
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --config-file tools/mkdocs.yml

ci: ## what runs before a change lands
	bash .ci/run

clean: ## remove what the other targets made
	rm -rf $(VENV) .sdk-venv site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
