"""Measures one case in this process, for `python -m benchmarks --against`.

    python benchmarks/worker.py FILE [CASE]

Prints a JSON object: the reading of the case, or `absent` or `error` with the reason. Without CASE: `names`
of the cases of the file. `benchmarks` and the measured packages are those that the variable PYTHONPATH leads
to, which may be those of a former version.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any


def answer(file: str, name: str | None) -> dict[str, Any]:
    """Measure a case, or list the cases of a file."""
    cases = {case.name: case for case in import_module(f"benchmarks.bench_{file}").cases()}
    if name is None:
        return {"names": list(cases)}
    if name not in cases:
        return {"error": "it has no such case"}
    case = cases[name]
    reading = case.measure()
    if not hasattr(reading, "own"):
        return {"error": "its benchmarks give no cost and yardstick"}
    return {"own": reading.own, "yardstick": reading.yardstick, "ratio": reading.ratio, "unit": case.unit}


def main(file: str, name: str | None = None) -> None:
    """Print the answer; what the case itself prints goes to stderr."""
    with redirect_stdout(sys.stderr):
        try:
            result = answer(file, name)
        except Exception as problem:
            kind = "absent" if type(problem).__name__ == "Unavailable" else "error"
            reason = f"{type(problem).__name__}: {problem}" if kind == "error" else str(problem)
            result = {kind: reason.strip().splitlines()[0]}
    print(json.dumps(result))


if __name__ == "__main__":
    del sys.path[0]  # this folder: a former version may have a package `benchmarks` of its own
    main(*sys.argv[1:])
