# Each target sets up what it needs in .venv; PYTHON is the interpreter that makes it.
PYTHON ?= python3
REFERENCE ?=
ARGS ?=
BIN := .venv/bin
RUN := $(BIN)/python
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help demo test check format vectors mutants oracle corpus hostile derive roundtrip fuzz bench pages clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

demo: .venv/base  ## one conversation, rendered by all five formats, coloured by who wrote each part
	@$(RUN) tools/demo.py

test: .venv/test  ## every test; with REFERENCE=DIR also against the reference templates, where transformers is installed
	REFERENCE="$(REFERENCE)" $(RUN) -m pytest

check: .venv/test  ## lint, types, import contracts, layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(RUN) -m pytest -q tests/test_layout.py

format: .venv/test  ## rewrite the sources in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pages: .venv/base  ## write docs/formats/ anew from the formats
	$(RUN) tools/pages.py

vectors: reference .venv/bench  ## write the outputs of vectors/ anew from the templates in REFERENCE=DIR
	$(RUN) tools/vectors.py "$(REFERENCE)"
	$(RUN) tools/cards.py "$(REFERENCE)"
	$(RUN) tools/parse_vectors.py
	$(RUN) tools/jinja_vectors.py

mutants: reference .venv/bench  ## force every branch of the templates in REFERENCE=DIR: a vector must notice
	$(RUN) tools/mutants.py "$(REFERENCE)"

oracle: reference .venv/bench  ## vectors, and 100,000 random chats a format, against transformers and the templates in REFERENCE=DIR
	$(RUN) tools/vectors.py --check "$(REFERENCE)"
	$(RUN) tools/oracle.py "$(REFERENCE)"
	$(RUN) tools/twins.py "$(REFERENCE)"
	$(RUN) tools/claim.py
	$(RUN) tools/cards.py --check "$(REFERENCE)"
	$(RUN) tools/parse_vectors.py --check
	$(RUN) tools/jinja_vectors.py --check

corpus: .venv/bench  ## 786 public templates against transformers, texts and spans; ARGS=--record writes down what is better
	$(RUN) tools/corpus.py $(ARGS)

derive: .venv/bench  ## pieces read off 786 public templates and, with REFERENCE=DIR, the references; ARGS=--record as for corpus
	$(RUN) tools/derive.py $(if $(REFERENCE),--reference "$(REFERENCE)") $(ARGS)

hostile: .venv/test  ## templates that take too much or reach too far: each is refused in time
	$(RUN) tools/hostile.py

bench: reference .venv/bench  ## speed as ratios to transformers and minijinja, with the templates in REFERENCE=DIR, and to SGLang's parsers
	$(RUN) benchmarks/bench.py "$(REFERENCE)"
	$(RUN) benchmarks/read.py
	$(RUN) benchmarks/templates.py "$(REFERENCE)"
	$(RUN) benchmarks/public.py
	$(RUN) benchmarks/describe.py

roundtrip: .venv/test  ## 20,000 random turns a format, rendered and read back: what comes back is what tools/canon.py says
	$(RUN) tools/canon_vectors.py --check
	$(RUN) tools/roundtrip.py

fuzz: .venv/test  ## 100,000 inputs a format that no model should write: nothing raises, nothing is lost
	$(RUN) tools/fuzz.py

.PHONY: reference
reference:
	@test -d "$(REFERENCE)" || { echo "say where the reference templates are: make TARGET REFERENCE=DIR" >&2; exit 2; }

clean:  ## remove .venv and what the tools leave behind
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; say make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/base: .venv/made pyproject.toml
	$(PIP) install --editable .
	@touch $@

.venv/test: .venv/made pyproject.toml
	$(PIP) install --editable '.[test]'
	@touch $@

.venv/bench: .venv/made pyproject.toml
	$(PIP) install --editable '.[bench,test]'
	$(PIP) install --no-deps llm-router-utils==0.8.1
	@touch $@
