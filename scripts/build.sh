#!/usr/bin/env bash
# build.sh PYTHON: compile the engine and install wbridge editable, and at the same time the packages that it needs to
# run.
set -euo pipefail
python=$1
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
scripts/timed.sh "tools for building" scripts/install.sh "$python" --build
scripts/timed.sh "Python packages (beside the engine)" scripts/install.sh "$python" &
packages=$!
scripts/timed.sh "engine" "$python" -m pip install --quiet --disable-pip-version-check \
  --no-build-isolation --no-deps --editable .
wait "$packages"
