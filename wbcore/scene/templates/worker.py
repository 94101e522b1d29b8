"""The process that runs templates, so that a runaway or hostile template harms nothing but itself.

Run by path as `python -I -S worker.py <engine module> <folder of its package>`. It loads the engine, gives up
the right to open files, write files or start processes, and then answers requests: each a 4-byte big-endian
length and JSON text, on standard input; replies the same way on standard output. It ends when its input does.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from typing import Any, BinaryIO

# Engines look at the time between two instructions, but one may last for ever (matching a pattern): the
# worker ends itself when it has computed for this much longer.
GRACE_S = 0.5


def main() -> None:
    """Load the engine, give up all rights, answer requests until the input ends."""
    engine_name, package_folder = sys.argv[1:3]
    sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), "engines"), package_folder]
    engine = __import__(engine_name).Engine()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    base = lock_down()
    serve(engine, sys.stdin.buffer, sys.stdout.buffer, base)


def lock_down() -> int:
    """Give up files and processes for good; the address space in use, in bytes (0 if unknown)."""
    base = 0
    if os.path.exists("/proc/self/statm"):
        with open("/proc/self/statm") as file:
            base = int(file.read().split()[0]) * resource.getpagesize()
    os.chdir("/")
    for name in ("RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_MEMLOCK"):
        if hasattr(resource, name):
            resource.setrlimit(getattr(resource, name), (0, 0))
    return base


def limit_memory(base: int, memory: int, chars: int) -> None:
    """A ceiling above the engine's own limit, with room for the copies of the text on its way out."""
    if base:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = base + 2 * memory + 16 * chars
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def serve(engine: Any, requests: BinaryIO, replies: BinaryIO, base: int) -> None:
    """Answer requests until the input ends."""
    while len(head := requests.read(4)) == 4:
        request = json.loads(requests.read(int.from_bytes(head, "big")))
        limit_memory(base, request["memory"], request["chars"])
        signal.setitimer(signal.ITIMER_PROF, request["seconds"] + GRACE_S)
        reply = answer(engine, request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        replies.write(len(reply).to_bytes(4, "big") + reply)
        replies.flush()


def answer(engine: Any, request: dict[str, Any]) -> bytes:
    """The engine's reply, or the report of what stopped it."""
    try:
        return bytes(engine.run(request))
    except MemoryError:
        return b'{"memory": true}'
    except Exception as error:  # whatever the engine raises is a fault of this template, not of the next one
        return json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode()


if __name__ == "__main__":
    main()
