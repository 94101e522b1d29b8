#!/usr/bin/env bash
# build.sh PYTHON [dev]: compile the engine and install wbridge editable, and at the same time the packages that it needs
# to run, then the tools for development. Only one of the two needs the processor all the time.
set -euo pipefail
python=$1
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
scripts/timed.sh "musl's source" "$python" scripts/fetch_source.py wbcore/engine/musl/source.txt >/dev/null ||
  echo "The engine uses the C library's mathematical functions: state hashes can differ from those of other builds." >&2
if ! scripts/timed.sh "ODE's source" "$python" scripts/fetch_source.py wbcore/engine/ode/source.txt >/dev/null; then
  echo "The engine uses the installed ODE: state hashes can differ from those of other builds." >&2
  PYTHON=$python scripts/system_packages.sh --ode
fi
scripts/timed.sh "tools for building" scripts/install.sh "$python" --build
(
  scripts/timed.sh "Python packages (beside the engine)" scripts/install.sh "$python"
  [ "${2:-}" != dev ] || scripts/timed.sh "tools for development (beside the engine)" scripts/install.sh "$python" dev
) &
packages=$!
scripts/timed.sh "engine" "$python" -m pip install --quiet --disable-pip-version-check \
  --no-build-isolation --no-deps --editable .
wait "$packages"
