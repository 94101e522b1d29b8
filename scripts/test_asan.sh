#!/bin/sh
# Builds the engine with address and undefined-behavior sanitizers and runs its tests with that build.
# The memory tests stay out: sanitizers keep freed memory on purpose.
set -eu
python=${1:-.venv/bin/python}
build=build/asan
cmake -S . -B "$build" -DPython_EXECUTABLE="$(command -v "$python")" -DCMAKE_BUILD_TYPE=Debug -DWBRIDGE_SANITIZE=ON
cmake --build "$build" --target _engine
preload=""
for library in libasan.so libubsan.so libstdc++.so; do
  preload="$preload $(c++ -print-file-name=$library)"
done
engine=$(ls "$PWD/$build"/wbcore/engine/_engine*.so)
WBRIDGE_ENGINE="$engine" LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0 \
  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
  "$python" -m pytest -q -p no:cacheprovider tests/engine --ignore tests/engine/test_memory.py
