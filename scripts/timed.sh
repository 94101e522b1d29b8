#!/usr/bin/env bash
# timed.sh PART COMMAND...: run a command, and note how long it took for the end of `make demo` and `make test`.
set -euo pipefail
part=$1
shift
start=$(date +%s%N)
"$@"
mkdir -p .venv/stamps
echo "$part $(((($(date +%s%N) - start) + 500000000) / 1000000000))" >>.venv/stamps/seconds
