# Read by test_asan.sh and test_asan_client.sh: builds a target with address and undefined-behavior sanitizers. Programs
# with the libraries in `preload` write what they find into $build/found.*. Arguments: the Python, and the target.
set -eu
python=$1
build=build/asan
cmake -S . -B "$build" -DPython_EXECUTABLE="$("$python" -c 'import sys; print(sys.executable)')" -DCMAKE_BUILD_TYPE=Debug -DWBRIDGE_SANITIZE=ON
cmake --build "$build" --target "$2" --parallel "$(nproc)"
preload=""
rm -f "$build"/found.*
for library in libasan.so libubsan.so libstdc++.so; do
  preload="$preload $(c++ -print-file-name=$library)"
done
export ASAN_OPTIONS=detect_leaks=0:log_path="$PWD/$build/found"
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:log_path="$PWD/$build/found"
