"""The process that runs templates, so that a runaway or hostile template harms only this process.

Run by path as `python -I -S worker.py <engine module> <folder of its package>`. It loads the engine, drops
the rights to open files, to use the network and to start processes, and then answers requests on standard
input, each a 4-byte big-endian length and JSON text; replies have the same form on standard output. It exits
at the end of its input.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any, BinaryIO

if sys.platform not in ("win32", "emscripten"):  # these have no such limits
    import resource


def main() -> None:
    """Load the engine, drop all rights, and answer requests until the input ends."""
    engine_name, package_folder = sys.argv[1:3]
    sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), "engines"), package_folder]
    engine = __import__(engine_name).Engine()
    restrict = __import__("system_calls").restrict
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    base = lock_down()
    restrict()  # where the system cannot, the limits of `lock_down` stand alone
    serve(engine, sys.stdin.buffer, sys.stdout.buffer, base)


def lock_down() -> int:
    """Permanently drop rights to files and processes; return the used address space in bytes (0: unknown)."""
    if sys.platform == "win32":
        return 0  # it has no such limits
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
    """Set a limit above the engine's own, with room for copies of the text in the reply."""
    if base and sys.platform != "win32":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = base + 2 * memory + 16 * chars
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard < 0 else min(wanted, hard), hard))


def serve(engine: Any, requests: BinaryIO, replies: BinaryIO, base: int) -> None:
    """Answer requests until the input ends."""
    engine.prepare()
    while len(head := requests.read(4)) == 4:
        request = json.loads(requests.read(int.from_bytes(head, "big")))
        limit_memory(base, request["memory"], request["chars"])
        # Engines count steps, but a single one may run forever (matching a pattern): the worker ends itself.
        limit_time(request["seconds"])
        reply = answer(engine, request)
        limit_time(0)
        replies.write(len(reply).to_bytes(4, "big") + reply)
        replies.flush()
        engine.prepare()


def limit_time(seconds: float) -> None:
    """End this process after this processor time; 0: never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def answer(engine: Any, request: dict[str, Any]) -> bytes:
    """Return the engine's reply, or a report of its failure."""
    try:
        return bytes(engine.run(request))
    except MemoryError:
        return b'{"memory": true}'
    except Exception as error:  # any exception of the engine is an error of this template only
        return json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode()


if __name__ == "__main__":
    main()
