"""`breakpoint()` in a controller that a run has started: Python's debugger, at the terminal of the run.

The standard input of such a controller is empty, and its output is collected line by line, so the debugger
would neither read a command nor show its prompt. The run passes the name of its terminal instead.
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from contextlib import suppress

__all__ = ["TERMINAL", "set_variables", "stop"]

TERMINAL = "WBRIDGE_TERMINAL"
"""Environment variable of controllers: the file name of the run's terminal."""
_refused: set[str] = set()


def set_variables(environment: MutableMapping[str, str]) -> None:
    """Let `breakpoint()` in a controller use this process's terminal, if it has one.

    Args:
        environment: of the controller; a debugger that the user has chosen there stays.
    """
    environment.setdefault("PYTHONBREAKPOINT", f"{__name__}.{stop.__name__}")
    environment.pop(TERMINAL, None)
    with suppress(OSError, AttributeError):  # not a terminal, or one without a name: those of Windows
        environment[TERMINAL] = os.ttyname(0)


def stop() -> None:
    """Start the debugger in the caller; `breakpoint()` calls this. The world waits meanwhile."""
    from wbridge.hal.terminal_debugger import TerminalDebugger  # start-up: 10 ms, only for breakpoints

    frame = sys._getframe(1)
    try:
        debugger = TerminalDebugger(os.environ.get(TERMINAL, ""))
    except OSError:
        _refuse(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}")
    else:
        debugger.set_trace(frame)


def _refuse(place: str) -> None:
    """Print, once for each place, that there is no terminal."""
    if place in _refused:
        return
    _refused.add(place)
    print(
        "Warning: breakpoint() ignored: the run has no terminal. Start it in a terminal, or debug the "
        f"controller as described in docs/debugging.md. ({place})",
        file=sys.stderr,
    )
