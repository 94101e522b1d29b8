"""A process that carries out work: a JSON line for each comes by a socket, and one per result goes back."""

from __future__ import annotations

import json
import sys
from contextlib import suppress

from wbridge.hal.heirs import taken_socket
from wbridge.wbfleet.sweeps.job import failure
from wbridge.wbfleet.sweeps.work import carry_out_work


def main() -> None:
    """Carry out work until there is no more."""
    with taken_socket(sys.argv[1]) as wire, wire.makefile("r", encoding="utf-8") as lines, suppress(OSError):
        for line in lines:
            try:
                result = carry_out_work(json.loads(line))
            except KeyboardInterrupt:
                return
            except Exception as problem:  # a run that fails in an unforeseen way does not end the sweep
                result = failure(f"{type(problem).__name__}: {problem}")
            wire.sendall(json.dumps(result).encode() + b"\n")
