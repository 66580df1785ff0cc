# Every target sets itself up: tools/setup makes .venv and installs into it what is missing, and only then.
# Names are relative, so the checkout may lie in a folder with spaces; targets run one after the other, also with -j.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: demo test lint bench studies docs clean help

VENV := .venv/bin/python

# How many processes run the tests.
WORKERS ?= 2

# A sourced ROS workspace puts its packages and pytest plugins on the path of every Python, ours included.
unexport PYTHONPATH PYTHONHOME

demo: ## run the design "quick", a small benchmark of two strategies, and write its report; all goes to demo/
	@tools/setup base
	$(VENV) -m expedition run quick --store demo
	$(VENV) -m expedition report demo quick --out demo/report $(if $(DISPLAY)$(WAYLAND_DISPLAY),--open)

test: lint docs ## lint, build the documentation, run all tests, also against a real browser and Slurm
	@tools/test-programs
	$(VENV) -m pytest -n $(WORKERS)

lint: ## check format, style and types
	@tools/setup dev
	$(VENV) -m ruff format --check
	$(VENV) -m ruff check
	$(VENV) -m mypy

bench: ## measure the lidar caster, the simulator and whole missions; needs a C compiler for the comparison
	@tools/setup base
	@tools/compiler
	$(VENV) -m benchmarks

studies: ## run all studies, which takes hours; what studies/results has already is not run again
	@tools/setup base
	$(VENV) -m studies

docs: ## build the documentation into docs/_build/html
	@tools/setup dev
	$(VENV) -m sphinx --quiet --fail-on-warning --keep-going -b html docs docs/_build/html
	@echo "documentation: docs/_build/html/index.html"

clean: ## remove what was built, caches and compiled kernels; keeps .venv
	rm -rf build dist demo docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . \( -name .git -o -name .venv \) -prune -o -name __pycache__ -prune -exec rm -rf {} +

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
