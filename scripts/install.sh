#!/usr/bin/env bash
# install.sh PYTHON [--build | EXTRA...]: install requirements of pyproject.toml (scripts/requirements.py). Modules are
# compiled when they are first imported: most never are.
set -euo pipefail
python=$1
shift
exec "$python" -m pip install --quiet --disable-pip-version-check --no-compile \
  --requirement <("$python" -m scripts.requirements "$@")
