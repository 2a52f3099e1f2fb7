# make serve      build the page and serve it (prebuilt wheel; needs Python, Node, npm)
# make compile    FILE=kernel.py TARGET=cuda:80 [EMIT=ptx] [KERNEL=name] [ARGS='…']: print one stage's text
# make test       every check there is
# make screenshots  pictures of the page, in build/screenshots/
# make lint       the checks that read source only;  make format mends layout
#
# From sources, each step making what it needs of the steps before it (docs/building.md):
# make fetch      bring the pinned sources into the build cache
# make toolchain  find or make the compilers, and print them
# make llvm       LLVM and MLIR for wasm32
# make module     patched Triton and our C++ for wasm32
# make link       the side module, Full LTO
# make optimise   Binaryen over it
# make wheel      the wheel and its manifest, in wasm/prebuilt/
# make golden     native reference texts;  make golden-check compares instead of writing
# make verify     every comparison and judge, and docs/verification.md;  make verify-NAME: one alone
# make bench      measure, and write docs/benchmarks.md
# make clean      remove what was built in the checkout (the build cache stays)

PYTHON ?= python3
NPM    ?= npm
NODE   ?= node

VENV        := build/venv
VENV_PYTHON := $(VENV)/bin/python
VENV_READY  := $(VENV)/.ready
WEB_READY   := web/node_modules/.package-lock.json
CLI         := web/dist-cli/main.js

TARGET ?= cuda:80
EMIT   ?=
KERNEL ?=
ARGS   ?=

MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help serve compile test screenshots lint format fetch toolchain llvm module link optimise \
        wheel golden golden-check verify bench clean venv web cli

help:
	@sed -n '/^#/!q;s/^# \{0,1\}//p' Makefile

# --- what a machine with Python, Node and npm needs -----------------------------------------

serve: $(WEB_READY)
	@$(PYTHON) -m scripts.serve $(ARGS)

# Standard output carries the stage's text and nothing else.
compile: $(CLI)
	@test -n "$(FILE)" || { echo 'error: say which file: make compile FILE=kernel.py TARGET=cuda:80 EMIT=ptx' >&2; exit 2; }
	@$(NODE) $(CLI) compile "$(FILE)" --target "$(TARGET)" \
	  $(if $(EMIT),--emit "$(EMIT)") $(if $(KERNEL),--kernel "$(KERNEL)") $(ARGS)

$(CLI): $(WEB_READY) $(wildcard web/*.ts) $(shell find web/cli web/src -name '*.ts' 2>/dev/null)
	@$(NPM) --prefix web run --silent build:cli >&2

web: $(WEB_READY)

cli: $(CLI)

$(WEB_READY): web/package.json web/package-lock.json
	@command -v $(NPM) >/dev/null || { echo 'error: npm is missing: install Node 20.19 or newer with npm' >&2; exit 1; }
	@$(NPM) --prefix web ci --no-progress >&2
	@touch $@

venv: $(VENV_READY)

$(VENV_READY): requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo 'error: $(PYTHON) is older than 3.11: install a newer Python, or name one with PYTHON=' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo 'error: Python cannot make a virtual environment: on Debian, apt install python3-venv' >&2; exit 1; }
	@$(VENV_PYTHON) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt >&2
	@touch $@

# --- checks ----------------------------------------------------------------------------------

test: $(VENV_READY)
	@$(VENV_PYTHON) -m scripts.check all

screenshots: $(VENV_READY) $(WEB_READY)
	@CHROMIUM="$$($(VENV_PYTHON) -m scripts.chromium)" PYTHON=$(VENV_PYTHON) $(NODE) tests/browser/screenshot.mjs

lint: $(VENV_READY)
	@$(VENV_PYTHON) -m scripts.check lint

# One check alone, by the name that `make test` prints: make check-vitest
check-%: $(VENV_READY)
	@$(VENV_PYTHON) -m scripts.check $*

format: $(VENV_READY) $(WEB_READY)
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .
	@$(VENV_PYTHON) -m scripts.clang_format --fix
	@$(NPM) --prefix web run --silent format

# --- from sources ----------------------------------------------------------------------------

fetch: $(VENV_READY)
	@$(VENV_PYTHON) -m scripts.fetch all

toolchain:
	@$(PYTHON) -m scripts.toolchain

llvm: $(VENV_READY)
	@$(VENV_PYTHON) -m scripts.build_llvm $(ARGS)

module: $(VENV_READY)
	@$(VENV_PYTHON) -m scripts.build_module

link: module
	@$(VENV_PYTHON) -m scripts.link

optimise: link
	@$(VENV_PYTHON) -m scripts.optimise

wheel: optimise
	@$(VENV_PYTHON) -m scripts.package

golden: $(VENV_READY)
	@$(VENV_PYTHON) -m scripts.golden $(ARGS)

golden-check: $(VENV_READY) $(CLI)
	@$(VENV_PYTHON) -m scripts.golden --check $(ARGS)

verify: $(VENV_READY) $(CLI)
	@$(VENV_PYTHON) -m scripts.verify

verify-%: $(VENV_READY) $(CLI)
	@$(VENV_PYTHON) -m scripts.verify $*

bench: $(VENV_READY) $(CLI)
	@$(VENV_PYTHON) -m scripts.bench $(ARGS)

clean:
	rm -rf build web/dist web/dist-cli web/node_modules .mypy_cache .ruff_cache .pytest_cache
	@echo 'sources, toolchain and objects stay in $${TRITON_PLAYGROUND_CACHE:-~/.cache/triton-playground}'
