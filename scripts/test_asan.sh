#!/bin/sh
# Builds the engine with address and undefined-behavior sanitizers and runs with that build its own tests, and those
# that use it most: physics, devices, supervisors, pictures, plugins, and runs with controllers. Controllers in
# processes of their own use no engine. The memory tests stay out: sanitizers keep freed memory on purpose. So does
# the test of the installed engine, which is another build. Tests with greenlets are skipped
# (tests/engine_build.py). What a sanitizer finds is printed at the end.
set -- "${1:-.venv/bin/python}" _engine
. scripts/sanitizers.sh
tests="tests/engine tests/physics tests/devices tests/supervisor tests/visual tests/render tests/physics_plugins"
tests="$tests tests/test_simulation.py tests/test_state.py"
for name in determinism ending faults power runner server shared_memory threads; do
  tests="$tests tests/controllers/test_$name.py"
done
engine=$(ls "$PWD/$build"/wbcore/engine/_engine*.so)
export WBRIDGE_ENGINE="$engine"
LD_PRELOAD="$preload" "$python" -m pytest -q -p no:cacheprovider $tests \
  --ignore tests/engine/test_memory.py --ignore tests/engine/test_installed.py \
  --deselect tests/render/test_context.py::test_a_software_renderer_keeps_its_memory ||
  { cat "$build"/found.* 2>/dev/null || true; exit 1; }
