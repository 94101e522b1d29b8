"""A process that carries out work: a JSON line for each on standard input, one per result on standard output.

What controllers print goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys

from wbridge.wbfleet.sweeps.job import failure
from wbridge.wbfleet.sweeps.work import carry_out_work

__all__ = ["main"]


def main() -> None:
    """Carry out work until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # controllers print to standard output, which carries the answers
    for line in sys.stdin:
        try:
            result = carry_out_work(json.loads(line))
        except KeyboardInterrupt:
            return
        except Exception as problem:  # a run that fails in an unforeseen way does not end the sweep
            result = failure(f"{type(problem).__name__}: {problem}")
        answers.write(json.dumps(result) + "\n")
        answers.flush()
