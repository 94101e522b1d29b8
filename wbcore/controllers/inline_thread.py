"""The thread of inline controllers.

They share modules, arguments, the current folder and the robot of the API with the whole process, and each is
a greenlet of its thread. So all inline runs that are open at the same time belong to a single thread.
"""

from __future__ import annotations

from threading import Lock, Thread, current_thread
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from wbridge.hal.client.session import host_controllers

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.inline import InlineControllers

ADVICE = "use one thread for all inline runs, or run the controllers as processes (without `inline`)"
_lock = Lock()
_threads: WeakKeyDictionary[InlineControllers, Thread] = WeakKeyDictionary()
"""The runs whose inline controllers have not been closed, with their threads."""


class InlineThreadError(RuntimeError):
    """Inline controllers would run in two threads of a process."""


def enter(controllers: InlineControllers) -> None:
    """Note that the controllers of a run belong to this thread.

    Raises:
        InlineThreadError: another thread has an open run with inline controllers.
    """
    own = current_thread()
    with _lock:
        others = {one for one in _threads.values() if one is not own and one.is_alive()}
        if others:
            name = next(iter(others)).name
            raise InlineThreadError(
                f'inline controllers of another run are active in the thread "{name}" and cannot run in '
                f'"{own.name}" at the same time: {ADVICE}'
            )
        _threads[controllers] = own
    host_controllers((own.ident, own.name))


def require_own(controllers: InlineControllers) -> None:
    """Check that the controllers of a run belong to this thread.

    Raises:
        InlineThreadError: they belong to another one.
    """
    own, owner = current_thread(), _threads.get(controllers)
    if owner is not None and owner is not own:
        raise InlineThreadError(
            f'the inline controllers of this run belong to the thread "{owner.name}" and cannot run in '
            f'"{own.name}": {ADVICE}'
        )


def leave(controllers: InlineControllers) -> None:
    """Note that the controllers of a run were closed."""
    with _lock:
        _threads.pop(controllers, None)
        is_last = not _threads
    if is_last:
        host_controllers(None)
