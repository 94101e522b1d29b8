# Commands for development. They install what they need (.venv, system packages) and skip what is up to date. `make` lists
# them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps

NATIVE := $(wildcard CMakeLists.txt wbcore/engine/CMakeLists.txt wbcore/engine/sources.cmake wbcore/engine/ode/* wbcore/engine/musl/* wbcore/engine/musl/include/* wbcore/engine/src/* wbcore/engine/src/*/* wbcore/engine/src/*/*/* libcontroller/python/* libcontroller/python/*/* libcontroller/src/*.[ch] libcontroller/src/*/*.[ch])

# Tests also wait for time-outs, processes and sockets: one worker more than there are cores.
WORKERS = $(shell expr $$(nproc) + 1)

# Tests start hundreds of Python processes: each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

# A demo needs no tools for development; everything else gets them while the engine is compiled.
TOOLS = $(if $(filter demo,$(MAKECMDGOALS)),,dev)

.DEFAULT_GOAL := help
.PHONY: help build demo test test-slow test-firmware test-languages test-ros test-training test-types test-docs test-mutants test-windows test-asan test-asan-client portable test-windows-os live test-live wheels release check format generate bench corpus missing projects reality fuzz docs clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# What is built for the tests installs all system packages at once.
$(STAMPS)/system: scripts/system_packages.sh
	@PYTHON=$(PYTHON) scripts/timed.sh "system packages" scripts/system_packages.sh $(if $(filter test,$(MAKECMDGOALS)),--tests)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/venv: $(STAMPS)/system
	@test -x $(BIN)/python || { echo "creating $(VENV)"; scripts/timed.sh $(VENV) $(PYTHON) -m scripts.make_venv $(VENV); }
	@touch $@

# An older environment has the distribution under its former name, and the package that quickjs-ng replaces. The stamp bears the
# time at which the build started: a source edited meanwhile is compiled the next time.
$(STAMPS)/engine: $(STAMPS)/venv pyproject.toml $(NATIVE)
	@echo "installing wbridge into $(VENV), compiling the engine"
	@test ! -d $(VENV)/lib/python3*/site-packages/wbridge-[0-9]*.dist-info || $(BIN)/python -m pip uninstall --quiet --yes wbridge
	@test ! -d $(VENV)/lib/python3*/site-packages/quickjs-[0-9]*.dist-info || $(BIN)/python -m pip uninstall --quiet --yes quickjs
	@touch $@.started
	@scripts/build.sh $(BIN)/python $(TOOLS)
	@mv $@.started $@
	@$(if $(TOOLS),touch $(STAMPS)/dev)

$(STAMPS)/dev: pyproject.toml | $(STAMPS)/engine
	@test $@ -nt $< || { echo "installing the tools for development into $(VENV)"; \
	  scripts/timed.sh "tools for development" scripts/install.sh $(BIN)/python dev; }
	@touch $@

build: $(STAMPS)/engine $(STAMPS)/dev ## create .venv with the tools for development and compile the engine

demo: $(STAMPS)/engine ## run a line follower and an obstacle avoider in simulated worlds
	@scripts/timed.sh demo $(BIN)/python -m scripts.demo
	@$(BIN)/python -m scripts.seconds

$(STAMPS)/tests: $(STAMPS)/engine $(STAMPS)/dev scripts/system_packages.sh
	@PYTHON=$(PYTHON) scripts/timed.sh "system packages for tests" scripts/system_packages.sh --tests
	@touch $@

test: $(STAMPS)/tests ## run the tests on all cores
	@scripts/timed.sh tests $(BIN)/python -m pytest -q --forks $(WORKERS)
	@$(BIN)/python -m scripts.seconds

test-slow: $(STAMPS)/tests ## run all tests, including slow ones
	@$(BIN)/python -m pytest -q -m "not browser and not boards and not languages and not live and not ros and not training and not types"

# Faults seeded into parts are tried by test-mutants.
test-firmware: $(STAMPS)/tests ## test firmware on all boards; installs compilers and emulators for ARM and RISC-V
	@PYTHON=$(PYTHON) scripts/system_packages.sh --boards
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/micropython @micropython/micropython-webassembly-pyscript@1.27.0
	@$(BIN)/python -m scripts.rp2040js
	@CI=1 $(BIN)/python -m pytest -q --forks $(WORKERS) -m boards tests/firmware --ignore tests/firmware/test_part_faults.py
	@$(BIN)/python -m scripts.firmware_sizes
	@$(BIN)/python -m scripts.firmware_verified

test-languages: $(STAMPS)/tests ## test controllers in Java and Octave; installs a JDK, SWIG and Octave
	@PYTHON=$(PYTHON) scripts/system_packages.sh --languages
	@CI=1 $(BIN)/python -m pytest -q -m "languages" tests/languages

test-ros: $(STAMPS)/tests ## test the bridge to ROS 2 with rclpy; installs ROS 2 for Python
	@test -x $(VENV)/ros/bin/python || $(PYTHON) -m venv $(VENV)/ros
	@$(VENV)/ros/bin/python -m pip install --quiet --disable-pip-version-check "ros-rclpy[fastrtps]==9.1.2" \
		ros-geometry-msgs ros-rosgraph-msgs ros-sensor-msgs ros-std-msgs ros-std-srvs
	@CI=1 $(BIN)/python -m pytest -q -m "ros" tests/ros

test-training: $(STAMPS)/tests ## train robots to given returns, check policies and tables by other programs; installs PyTorch
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 "stable-baselines3>=2.6" onnx onnxruntime pandas pyarrow \
	  mujoco pybullet matplotlib imageio imageio-ffmpeg
	@CI=1 $(BIN)/python -m pytest -q -m "training" tests/fleet tests/project/test_ten_tasks.py

test-types: $(STAMPS)/tests ## let pyright and mypy read a project that imports every public name; installs Node.js and pyright
	@PYTHON=$(PYTHON) scripts/system_packages.sh --types
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "pyright>=1.1.400"
	@CI=1 $(BIN)/python -m pytest -q -m "types" tests/project

test-mutants: $(STAMPS)/tests ## check that verification detects faults seeded into firmware
	@$(BIN)/python -m tests.firmware.mutants
	@$(BIN)/python -m tests.firmware.mutants.catalogue --record catalogue.toml outsider.toml outsider_stm32.toml reviewer.toml
	@$(BIN)/python -m scripts.generate_tried_faults
	@$(BIN)/python -m pytest -q -n auto -m boards tests/firmware/test_part_faults.py

test-windows: build ## test the robot windows in Chromium, and timelines in Chrome's trace engine; installs both
	@PYTHON=$(PYTHON) scripts/system_packages.sh chromium nodejs npm
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "playwright>=1.40"
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/axe axe-core@4.11.0
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/trace_engine @paulirish/trace_engine@0.0.65
	@$(BIN)/python -m pytest -q -m browser tests/windows tests/profiling

test-asan: build ## test the engine and what runs on it with address and undefined-behavior sanitizers
	@scripts/test_asan.sh $(BIN)/python

test-asan-client: build ## test the client of controllers in Python with address and undefined-behavior sanitizers
	@scripts/test_asan_client.sh $(BIN)/python

live: build ## build the site on which worlds run in the browser; needs 1 GB in build/
	@PYTHON=$(PYTHON) scripts/system_packages.sh nodejs npm cmake ninja-build
	@$(BIN)/python -m scripts.live

test-live: live ## run the sample worlds in Chromium and Firefox, and compare their hashes; installs both
	@PYTHON=$(PYTHON) scripts/system_packages.sh firefox-esr chromium nodejs libsimavr-dev arduino-core-avr
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "playwright>=1.40"
	@CI=1 $(BIN)/python -m pytest -q -s -m live tests/live tests/firmware/test_stk500.py

portable: build ## compare state hashes of compilers, processors and systems; needs 4 GB in build/
	@PYTHON=$(PYTHON) scripts/system_packages.sh nodejs ninja-build
	@$(BIN)/python -m scripts.portable

test-windows-os: build ## run sample worlds and tests as on Windows, under Wine; needs 5 GB in build/
	@$(BIN)/python -m scripts.windows
	@$(BIN)/python -m scripts.windows.suite

wheels: build ## build the wheels of all systems into dist/; needs 3 GB in build/
	@$(BIN)/python -m scripts.wheels
	@$(BIN)/python -m scripts.windows.wheel
	@$(BIN)/python -m scripts.macos.wheel
	@$(BIN)/python -m scripts.controller_wheel dist x86_64 aarch64

release: wheels ## build the wheels twice and the source distribution, and try the wheels in empty roots
	@$(BIN)/python -m scripts.wheels.source
	@$(BIN)/python -m scripts.wheels.again
	@PYTHON=$(PYTHON) scripts/system_packages.sh debootstrap
	@$(BIN)/python -m scripts.wheels.rooms
	@$(BIN)/python -m scripts.windows.room
	@$(BIN)/python -m scripts.wheels.record

check: $(STAMPS)/tests ## run linters, type checks, import checks, the budget of lines and the limits of figures
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/oxlint --deny-warnings --ignore-pattern '**/vendor/**' robot_windows/pages plugins
	@$(BIN)/lint-imports
	@$(BIN)/python -m scripts.lint_c
	@$(BIN)/python -m scripts.size --check
	@$(BIN)/python -m scripts.figures --check
	@$(BIN)/python -m scripts.commits
	@$(BIN)/python -m scripts.changes --check

format: build ## format the Python, C and C++
	@$(BIN)/ruff format .
	@$(BIN)/python -m scripts.lint_c --fix

generate: build ## regenerate all generated files
	@for each in scripts/generate_node_types.py scripts/generate_schema.py scripts/generate_*.py; do $(BIN)/python $$each || exit 1; done

bench: build ## measure speed and memory against their limits; installs peers and Chromium
	@PYTHON=$(PYTHON) scripts/system_packages.sh --ode chromium
	@for each in mujoco pybullet "playwright>=1.40"; do \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check "$$each" || true; done
	@$(BIN)/python -m benchmarks

corpus: build ## fetch public worlds and animations, and test loading them
	@$(BIN)/python -m scripts.corpus
	@$(BIN)/python -m scripts.corpus --list tests/importers/samples.toml
	@$(BIN)/python -m scripts.corpus --list tests/recordings/animations.toml
	@$(BIN)/python -m pytest -q tests/corpus tests/importers tests/recordings

missing: build ## count the models that the public worlds of the corpus miss
	@$(BIN)/python -m scripts.missing_models

projects: build ## fetch public projects, and run their worlds with their controllers
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check scipy matplotlib \
	  "simple-pid>=2.0" "gym==0.23.1" ikpy scikit-fuzzy networkx pytransform3d
	@$(BIN)/python -m scripts.corpus --list tests/projects/projects.toml
	@$(BIN)/python -m scripts.corpus --list tests/windows/projects.toml
	@PYTHON=$(PYTHON) scripts/system_packages.sh --languages
	@$(BIN)/python -m pytest -q -m "languages or not languages" tests/projects

reality: build ## compare the physics with recordings of real motions; installs MuJoCo and PyBullet
	@for each in mujoco pybullet; do $(BIN)/python -m pip install --quiet --disable-pip-version-check $$each || true; done
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check scipy
	@$(BIN)/python -m scripts.reality $(if $(MIRROR),--mirror $(MIRROR)) --pictures docs/pictures

# mkdocstrings reads the sources: neither the engine nor packages of this environment are needed.
docs: $(STAMPS)/venv ## build the documentation as a site in build/site, and check its links; installs MkDocs
	@$(BIN)/python scripts/generate_gallery_doc.py
	@test -x $(VENV)/docs/bin/python || $(PYTHON) -m venv $(VENV)/docs
	@$(BIN)/python -m scripts.requirements docs > $(STAMPS)/docs.txt
	@$(VENV)/docs/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(STAMPS)/docs.txt
	@NO_MKDOCS_2_WARNING=1 $(VENV)/docs/bin/mkdocs build --strict --quiet
	@echo "open build/site/index.html"

test-docs: build docs ## look at each page of the documentation in Chromium; installs Chromium
	@PYTHON=$(PYTHON) scripts/system_packages.sh chromium nodejs npm
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "playwright>=1.40"
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/axe axe-core@4.11.0
	@CI=1 $(BIN)/python -m pytest -q -m browser tests/site

fuzz: build ## fuzz wbridge with damaged inputs for SECONDS=60
	@$(BIN)/python -m fuzz --seconds $(or $(SECONDS),60)

clean: ## remove files made by the build and the tools
	rm -rf $(VENV) build dist wbcore/engine/include wbcore/engine/*.so hal/client/*.so hal/startup/*.so .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
