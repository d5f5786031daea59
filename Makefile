# Every target works alone on a machine that has Python 3.11 or newer and make.
PYTHON ?= python3
VENV ?= .venv
# What Python compiles of the tests is kept, whatever it is told elsewhere: compiling them takes each worker nine seconds.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# A lock file names all that is needed, so nothing is resolved anew; pip compiles on one processor, and the tests of others as well.
LOCKED = $(BIN)/python -m pip install --quiet --no-compile --no-deps --disable-pip-version-check --require-hashes --requirement
COMPILE = $(BIN)/python -m compileall -q -j 0 -x /tests/
SPARK_STAMP := $(VENV)/.installed-spark
COMPILED := $(VENV)/.compiled

.PHONY: demo test tests test-pythons spark test-spark thorough check types style imports documents fuzz fuzz-atheris audit faults format docs site lock bench clean

demo: $(COMPILED)
	$(BIN)/tabchat ask examples/data/sales.csv "average revenue by region"

test: check
	@$(MAKE) --no-print-directory tests

# The tests alone.
tests: $(COMPILED)
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The tests with each of these that the machine has, each in an environment of its own.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
test-pythons:
	for python in $(PYTHONS); do \
		$$python --version >/dev/null 2>&1 || { echo "$$python: not on this machine, not tried"; continue; }; \
		$(MAKE) test PYTHON=$$python VENV=.venv-$$(basename $$python) || exit 1; \
	done

# The same tests with far more examples of each law, all that an ordinary run tries in part, and every gold answer judged
# anew: for hours of quiet.
thorough: $(STAMP) check
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n 2 --dist worksteal

# PySpark where there is a Java for it, half a gigabyte, within SPARK_SECONDS if that is given. Where both are, `make test` runs
# the tests of the engine Spark, too; else it skips them and says why.
FITS := from tabchat.engine.backends.spark.java import find_java; java = find_java(); raise SystemExit(not (java and java.will_do))
spark: $(STAMP)
	@if ! $(BIN)/python -c "$(FITS)"; then echo "spark: no Java 17 or 21 here, so the tests of Spark will be skipped"; \
	elif ! $(if $(SPARK_SECONDS),timeout $(SPARK_SECONDS)) $(MAKE) $(SPARK_STAMP); then \
		rm -rf $(VENV)/lib/python*/site-packages/pyspark; \
		echo "spark: PySpark cannot be installed (see above), or not in time, so the tests of Spark will be skipped"; fi

# The engine Spark against DuckDB alone: a real Spark, and a real server of Spark Connect; also what takes minutes.
test-spark: $(SPARK_STAMP)
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest tests/spark

# Each alone, so that several run beside one another: the types take two minutes, the rest less than one.
check: types style imports documents

types: $(STAMP)
	$(BIN)/mypy

style: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

imports: $(STAMP)
	$(BIN)/lint-imports --no-cache

documents: $(STAMP)
	$(BIN)/python docs/generate.py --check

# Damages a million replies of the sandbox and reads each; the tests do the same with a few thousand.
fuzz: $(STAMP)
	$(BIN)/python -m tests.sandbox.mutations 1000000 $(SEED)

# Looks for inputs that break what reads hostile text, some minutes a target: make fuzz-atheris TARGETS=sql SECONDS_EACH=600
TARGETS ?= csv json plan sql expression edit template terminal
SECONDS_EACH ?= 120
fuzz-atheris: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-fuzz.lock
	mkdir -p .fuzz
	for target in $(TARGETS); do \
		$(BIN)/python -m tests.fuzz $$target -max_total_time=$(SECONDS_EACH) -rss_limit_mb=4096 -artifact_prefix=.fuzz/$$target- || exit 1; \
	done

# Asks PyPI for known vulnerabilities of all that is locked; pip-audit has an environment of its own.
AUDIT ?= $(VENV)-audit
audit:
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-audit.lock
	for lock in requirements.lock requirements-fuzz.lock requirements-spark.lock; do \
		$(AUDIT)/bin/pip-audit --strict --require-hashes --disable-pip --requirement $$lock || exit 1; \
	done

# Kills commands at fifty moments of each kind and damages every file that tabchat keeps; the tests do a few.
faults: $(STAMP)
	$(BIN)/python -m tests.faults 50 $(SEED)

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP)
	$(BIN)/python -m tests.documents
	$(BIN)/python -m tests.screens --write
	$(BIN)/python docs/generate.py

# The documentation as pages that need no server, in site/.
site: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Resolves for every supported Python and platform at once.
lock: $(STAMP)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --upgrade \
		--no-emit-index-url --custom-compile-command "make lock" \
		--group dev --extra stats --extra charts --extra mcp --extra docs pyproject.toml --output-file requirements.lock
	for tool in fuzz audit vectors; do \
		$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --upgrade \
			--no-emit-index-url --custom-compile-command "make lock" --group $$tool --output-file requirements-$$tool.lock \
			|| exit 1; \
	done
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --upgrade \
		--no-emit-index-url --custom-compile-command "make lock" --constraint requirements.lock \
		--extra spark pyproject.toml --output-file requirements-spark.lock

clean:
	find tabchat -name "*.compiled" -delete
	rm -rf $(VENV) $(AUDIT) .fuzz site .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tabchat needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(LOCKED) requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(COMPILE) tabchat $(VENV)/lib/python*/site-packages
	touch $@

# What the planner's data files come to, beside them: an installation makes it, a change of theirs makes it anew.
$(COMPILED): $(STAMP) $(shell find tabchat/planner -name "*.py" -o -name "*.toml" -o -name "*.txt" -o -name "*.json")
	$(BIN)/python -m tabchat.planner.compiling
	touch $@

# Beside the rest: PySpark is as large as all of it.
$(SPARK_STAMP): requirements-spark.lock $(STAMP)
	$(LOCKED) requirements-spark.lock
	$(COMPILE) $(VENV)/lib/python*/site-packages/pyspark
	touch $@
