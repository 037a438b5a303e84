# Everything runs in a local environment, .venv, which the first command creates.
#
#   make demo       grow a tree with every method on a built-in sample, compare, draw
#   make test       the whole test suite and the style checks
#   make test-sanitized  the core with the address and undefined behaviour sanitizers, under the tests of
#                   the core, the searches and hostile input (half an hour)
#   make test-browser  the page of aslant report in a real browser (Chromium); screenshots into build/screenshots
#   make test-slow  the published figures, with the papers' protocols (needs ASLANT_DATA for most)
#   make docs       the documentation as pages of HTML, in build/docs/html; the gallery is run
#   make wheel      a wheel in dist/, tried in an empty environment
#   make wheels     with cibuildwheel: wheels for every supported Python, each tried
#   make figures    the figures of docs/compare.md and the overview (needs ASLANT_DATA; takes hours)
#   make bench      speed against scikit-learn, as ratios, into benchmarks/results/
#   make bench-peers  the same against other people's trees, in environments of its own under
#                   build/peers; writes docs/performance.md (three quarters of an hour on an idle
#                   machine; with QUICK=--quick a rough picture in some minutes)
#   make format     put the code into its standard form

PYTHON ?= python3
BIN := .venv/bin
ENVIRONMENT := .venv/.environment
INSTALLED := .venv/.installed
PEERS := build/peers
SOURCES := pyproject.toml CMakeLists.txt $(shell find src/core -name '*.?pp')

.PHONY: demo docs wheel wheels test check test-browser test-sanitized test-slow test-sdist figures bench bench-peers format clean

demo: $(INSTALLED)
	$(BIN)/python examples/demo.py --out demo

test: $(INSTALLED) check
	$(BIN)/python -m pytest -n auto -q

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $$(find src/core -name '*.?pp')

test-browser: $(INSTALLED)
	ASLANT_SCREENSHOTS=build/screenshots $(BIN)/python -m pytest -q -rs tests/reporting/test_browser.py \
	  || [ $$? -eq 5 ]  # all of them skipped

test-slow: $(INSTALLED)
	$(BIN)/python -m pytest -q -s -m slow

# The same package with another core in it. Python itself is not sanitized, so the runtime is loaded
# first, and what the interpreter never frees is no leak of ours.
SANITIZED := build/sanitized
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g
test-sanitized: $(INSTALLED)
	$(BIN)/cmake -S . -B $(SANITIZED)/cmake -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	  -Dpybind11_DIR=$$($(BIN)/python -m pybind11 --cmakedir) -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
	  -DCMAKE_CXX_FLAGS="$(SANITIZERS) -O1 -DASLANT_NO_MULTIVERSION" -DCMAKE_MODULE_LINKER_FLAGS="$(SANITIZERS)"
	$(BIN)/cmake --build $(SANITIZED)/cmake
	rm -rf $(SANITIZED)/package && mkdir -p $(SANITIZED)/package
	cp -r src/aslant $(SANITIZED)/package && cp $(SANITIZED)/cmake/_core*.so $(SANITIZED)/package/aslant
	ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libstdc++.so)" \
	  $(BIN)/python -S -c "import sys; \
	  sys.path[:0] = ['$(SANITIZED)/package', '$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')']; \
	  import pytest, aslant; assert '$(SANITIZED)' in aslant.__file__; \
	  sys.exit(pytest.main(['-q', '-x', '-p', 'no:cacheprovider', *sys.argv[1:]]))" \
	  $(or $(TESTS),tests/core tests/search tests/test_core_faults.py tests/test_hostile_input.py tests/test_hostile_search.py)

# The wheel of the source distribution, in an empty environment, far from the sources.
test-sdist: $(INSTALLED)
	rm -rf build/sdist && mkdir -p build/sdist
	$(BIN)/python -m build --sdist --outdir build/sdist .
	$(PYTHON) -m venv build/sdist/venv
	build/sdist/venv/bin/pip install -q build/sdist/aslant-*.tar.gz
	cd build/sdist && venv/bin/aslant fit --method oc1 --out model.aslant && venv/bin/aslant show model.aslant

# Offline; a warning is an error. Only examples that changed are run again.
docs: $(INSTALLED)
	$(BIN)/sphinx-build -q -W --keep-going -d build/docs/doctrees docs build/docs/html
	@echo "The documentation is in build/docs/html/index.html"

# What is installed is the wheel alone, with what it depends on, far from the sources.
wheel: $(INSTALLED)
	rm -rf build/wheel dist/*.whl && mkdir -p build/wheel
	$(BIN)/python -m build --wheel --outdir dist .
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip install -q dist/aslant-*.whl
	cd build/wheel && venv/bin/python $(CURDIR)/tests/try_installed.py

# The wheels of this platform for every supported Python, as pyproject.toml says it; each is tried.
wheels:
	$(PYTHON) -m pip install -q cibuildwheel
	$(PYTHON) -m cibuildwheel --output-dir dist

figures: $(INSTALLED)
	$(BIN)/aslant compare $(ASLANT_DATA)/pima_diabetes.csv --target class --budget 150 --plot docs/figures/accuracy_and_leaves.png
	$(BIN)/aslant curves $(ASLANT_DATA)/letter.csv --target class --drop split --budget 300 --plot docs/figures/learning_curves.png
	$(BIN)/aslant overview --format md --out docs/reproduction/overview.md --plot docs/figures/critical_difference.png

# Linear algebra on one thread: what others spin would count as our CPU time.
bench bench-peers: export OPENBLAS_NUM_THREADS = 1

bench: $(INSTALLED)
	$(BIN)/python benchmarks/targets.py
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/sampling.py
	$(BIN)/python benchmarks/hhcart.py
	$(BIN)/python benchmarks/pole_pair.py
	$(BIN)/python benchmarks/mml.py
	$(BIN)/python benchmarks/multivariate.py
	$(BIN)/python benchmarks/auto.py

bench-peers: $(PEERS)/.installed
	$(PEERS)/venv/bin/python benchmarks/targets.py $(QUICK)
	$(PEERS)/venv/bin/python benchmarks/peers.py --treeple $(PEERS)/venv-treeple/bin/python $(QUICK)
	$(PEERS)/venv/bin/python benchmarks/page.py

# One wheel of ours in two environments, because treeple needs an old scikit-learn.
$(PEERS)/.installed: $(PEERS)/.environments $(SOURCES) $(shell find src/aslant -name '*.py')
	rm -f $(PEERS)/*.whl
	$(PEERS)/venv/bin/pip wheel -q --no-deps --wheel-dir $(PEERS) .
	for venv in venv venv-treeple; do \
	  $(PEERS)/$$venv/bin/pip install -q --force-reinstall --no-deps $(PEERS)/aslant-*.whl || exit 1; \
	  $(PEERS)/$$venv/bin/pip install -q $(PEERS)/aslant-*.whl matplotlib || exit 1; \
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
$(INSTALLED): $(ENVIRONMENT) $(SOURCES)
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation --no-index \
	  --config-settings=cmake.define.ASLANT_WARNINGS_AS_ERRORS=ON -e .
	@touch $@

$(ENVIRONMENT): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "aslant needs Python 3.11 or later; set PYTHON=... to name one"; exit 1; }
	@command -v $${CXX:-c++} > /dev/null \
	  || { echo "aslant needs a C++17 compiler: none found as '$${CXX:-c++}' (Debian: apt install g++; macOS: xcode-select --install)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb")); \
	  extra = project["project"]["optional-dependencies"]; \
	  print(*project["build-system"]["requires"], *project["project"]["dependencies"], \
	  *(one for name in extra for one in extra[name] if "aslant" not in one), \
	  sep="\n")' > .venv/requirements.txt
	$(BIN)/python -m pip install -q -r .venv/requirements.txt
	@touch $@
