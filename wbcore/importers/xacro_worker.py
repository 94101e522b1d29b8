"""Expands a xacro file within bounds of memory and time, in a process of its own.

A xacro file is a program: its macros may double without end, and its expressions may ask for any memory. The
URDF goes to stdout; an error to stderr, with exit code 1.
"""

from __future__ import annotations

import sys
from importlib import import_module

if sys.platform != "win32":
    import resource

__all__ = ["LONGEST_S", "MOST_BYTES", "MOST_MEMORY", "main"]

LONGEST_S = 60
"""Processor time of a xacro file, and the time until it must have ended (s)."""
MOST_MEMORY = 2**29
"""Memory of a xacro file, with that of the interpreter (bytes)."""
MOST_BYTES = 64 * 1024 * 1024
"""What it expands to, and what it prints (bytes)."""


def limit() -> None:
    """Bound this process; systems without such limits have the time limit of the process that waits."""
    if sys.platform != "win32":
        bounds = {
            resource.RLIMIT_CPU: LONGEST_S,
            resource.RLIMIT_AS: MOST_MEMORY,
            resource.RLIMIT_FSIZE: MOST_BYTES,
            resource.RLIMIT_CORE: 0,
        }
        for kind, wanted in bounds.items():
            _, hard = resource.getrlimit(kind)
            resource.setrlimit(kind, (wanted if hard < 0 else min(wanted, hard), hard))


def needs_memory(error: BaseException | None) -> bool:
    """Return True if an error is, or wraps, that memory was refused."""
    return error is not None and (isinstance(error, MemoryError) or needs_memory(error.__context__))


def main(words: list[str]) -> int:
    """Expand a file; return the exit code."""
    xacro = import_module("xacro")
    limit()
    try:
        document = xacro.process_file(words[0], mappings=dict(word.split("=", 1) for word in words[1:]))
        sys.stdout.buffer.write(document.toxml(encoding="utf-8"))
        sys.stdout.flush()
    except (Exception, SystemExit) as error:
        # The library raises exceptions of all kinds for errors in a file.
        problem = str(error) or type(error).__name__
        if needs_memory(error):
            problem = f"the file needs more than the allowed {MOST_MEMORY >> 20} MB of memory"
    else:
        return 0
    sys.stderr.write(problem)
    return 1
