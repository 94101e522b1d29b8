"""Report errors at the lines of the user's program rather than inside the library."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # start-up: signal takes 1 ms to load its enumerations
import os
import sys

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from types import FrameType, TracebackType

__all__ = ["place", "print_fault", "tell_faults", "tell_stop", "trim"]

OURS = frozenset({"controller", "vehicle", "wbridge"})
"""Packages whose frames are hidden."""
_LIBRARY = os.path.dirname(os.__file__)


def place(frame: FrameType | None = None) -> str:
    """The innermost running line of the user's program as file:line, or "".

    Args:
        frame: the innermost frame to examine; None: the caller's.
    """
    at: FrameType | None = frame or sys._getframe()
    while at is not None:
        if not (_is_ours(at) or _is_library(at)):
            return f"{os.path.basename(at.f_code.co_filename)}:{at.f_lineno}"
        at = at.f_back
    return ""


def trim(error: BaseException) -> None:
    """Cut the traceback of an error, and of its causes, after the last line of the user's program.

    Errors without such a line stay unchanged, as do all errors with `python -X dev`.
    """
    seen: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in seen and not sys.flags.dev_mode:
        seen.append(one)
        last = _last_of_user(one.__traceback__)
        if last is not None:
            last.tb_next = None
        one = one.__cause__ or one.__context__


def print_fault(error: BaseException) -> None:
    """Print the trimmed traceback of an error on stderr."""
    _told(type(error), error, error.__traceback__)


def tell_faults() -> None:
    """Print uncaught exceptions with `print_fault`, unless another `sys.excepthook` is installed."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _told


def tell_stop() -> None:
    """Print the current line of the program on SIGTERM, which then ends the program as usual."""
    if _signal.getsignal(_signal.SIGTERM) != _signal.SIG_DFL:
        return
    own = os.getpid()

    def stopped(number: int, frame: FrameType | None) -> None:
        at = place(frame)
        if at and os.getpid() == own:  # not in forked processes
            os.write(2, f"The program was stopped at {at}\n".encode("utf-8", "replace"))
        _signal.signal(number, _signal.SIG_DFL)
        os.kill(os.getpid(), number)

    try:
        _signal.signal(_signal.SIGTERM, stopped)
    except ValueError:
        return  # allowed only in the main thread


def _told(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    trim(error)
    sys.__excepthook__(kind, error, error.__traceback__)


def _last_of_user(trace: TracebackType | None) -> TracebackType | None:
    """The last entry of the user's program before the library's, or None if nothing has to be cut."""
    user: TracebackType | None = None
    cut: TracebackType | None = None
    while trace is not None:
        if _is_ours(trace.tb_frame):
            cut = user
        elif not (
            cut is not None and _is_library(trace.tb_frame)
        ):  # code called by the library is not the user's
            user, cut = trace, None
        trace = trace.tb_next
    return cut


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in OURS


def _is_library(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith("<frozen") or (file.startswith(_LIBRARY) and "-packages" not in file)
