# Everything a fresh machine with Python 3.11+ and make needs:
#   make demo   the main job on the example table
#   make test   the fast tests
# The environment in .venv is made on first use and kept until the dependencies change.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test test-full lint types doctest bench smoke clean

help:
	@sed -n 's/^#   //p' Makefile
	@echo "make test-full  slow statistical and fault tests too; make lint types doctest smoke  what CI adds; make bench  the board"

.venv/base: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("understudy needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install -c constraints.txt -e '.[all]'
	touch $@

.venv/dev: .venv/base
	$(PIP) install -c constraints.txt -e '.[dev]'
	touch $@

demo: .venv/base
	$(BIN)/python examples/clinic/make.py
	rm -rf .demo && mkdir -p .demo
	$(BIN)/understudy plan --schema examples/clinic/clinic.toml --epsilon 1 --delta 1e-6
	$(BIN)/understudy release examples/clinic/clinic.csv --schema examples/clinic/clinic.toml \
		--epsilon 1 --delta 1e-6 --format csv --out .demo/clinic
	$(BIN)/understudy verify .demo/clinic
	@echo
	@echo "The stand-in for the example clinic lies in .demo/clinic: read its README.md first."

test: .venv/dev
	$(BIN)/python -m pytest -n $(WORKERS) -m "not full" tests

test-full: .venv/dev
	$(BIN)/python -m pytest -n $(WORKERS) tests

lint: .venv/dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

doctest: .venv/dev
	$(BIN)/python -m pytest --doctest-modules -p no:cacheprovider src/understudy

smoke: .venv/dev
	$(BIN)/python benchmarks/road.py --smoke

DATA ?= ../shared/data

PEERS ?=

bench: .venv/dev
	$(PIP) install -c constraints.txt -e '.[bench]'
	$(BIN)/python benchmarks/board.py --data $(DATA) $(if $(PEERS),--peers)

clean:
	rm -rf .venv .demo build src/*.egg-info
