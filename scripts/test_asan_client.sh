#!/bin/sh
# Builds the client for Python, with the C library in it, with address and undefined-behavior sanitizers, and runs
# tests of the API with it (tests/sanitized). Runs with greenlets stay out, which copy stacks: a sanitizer takes that
# for an error. What it finds is printed at the end. The tests in tests/c that sanitize the library itself need none
# of this.
set -- "${1:-.venv/bin/python}" wbridge_client
. scripts/sanitizers.sh
tests="tests/c/test_calls.py tests/c/test_null.py tests/c/test_supervisor.py tests/c/test_vehicle_calls.py"
tests="$tests tests/c/test_held_pictures.py tests/c/test_pictures.py tests/remote/test_hosted.py"
tests="$tests tests/controllers/test_threads.py"
WBRIDGE_SANITIZED_CLIENT="$PWD/$build/libcontroller/python/_native.abi3.so" PYTHONPATH="$PWD/tests/sanitized" \
  WBRIDGE_SANITIZERS="$preload" "$python" -m pytest -q -p no:cacheprovider -k "not inline" $tests && status=0 || status=$?
cat "$build"/found.* 2>/dev/null && status=1
exit "$status"
