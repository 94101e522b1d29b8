#!/bin/sh
# Builds the client for Python, with the C library in it, with address and undefined-behavior sanitizers, and runs
# tests of the API with it (tests/sanitized). Runs with greenlets stay out, which copy stacks: a sanitizer takes that
# for an error. What it finds is printed at the end. The tests in tests/c that sanitize the library itself need none
# of this.
set -eu
python=${1:-.venv/bin/python}
build=build/asan
cmake -S . -B "$build" -DPython_EXECUTABLE="$("$python" -c 'import sys; print(sys.executable)')" -DCMAKE_BUILD_TYPE=Debug -DWBRIDGE_SANITIZE=ON
cmake --build "$build" --target wbridge_client --parallel "$(nproc)"
preload=""
rm -f "$build"/found.*
for library in libasan.so libubsan.so libstdc++.so; do
  preload="$preload $(c++ -print-file-name=$library)"
done
tests="tests/c/test_calls.py tests/c/test_null.py tests/c/test_supervisor.py tests/c/test_vehicle_calls.py"
tests="$tests tests/c/test_held_pictures.py tests/c/test_pictures.py tests/remote/test_hosted.py"
tests="$tests tests/controllers/test_threads.py"
WBRIDGE_SANITIZED_CLIENT="$PWD/$build/libcontroller/python/_native.abi3.so" PYTHONPATH="$PWD/tests/sanitized" \
  WBRIDGE_SANITIZERS="$preload" ASAN_OPTIONS=detect_leaks=0:log_path="$PWD/$build/found" \
  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:log_path="$PWD/$build/found" \
  "$python" -m pytest -q -p no:cacheprovider -k "not inline" $tests && status=0 || status=$?
cat "$build"/found.* 2>/dev/null && status=1
exit "$status"
