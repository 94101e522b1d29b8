"""The beginning and the end of a controller, and its threads."""

from __future__ import annotations

import threading
from collections.abc import Callable

from hal.modes import session

__all__ = [
    "wb_robot_cleanup",
    "wb_robot_init",
    "wb_robot_init_msvc",
    "wb_robot_mutex_delete",
    "wb_robot_mutex_lock",
    "wb_robot_mutex_new",
    "wb_robot_mutex_unlock",
    "wb_robot_task_new",
]


def wb_robot_init() -> int:
    """Connect to the simulator that the environment names; must be called before all other functions.

    Returns:
        1. Without a simulator the program ends.
    """
    session.init()
    return 1


def wb_robot_init_msvc() -> int:
    """The same as `wb_robot_init`."""
    return wb_robot_init()


def wb_robot_cleanup() -> None:
    """Leave the simulation; must be the last call."""
    session.cleanup()


def wb_robot_task_new(task: Callable[[object], object], param: object) -> None:
    """Run `task(param)` in a thread of its own that ends with the program."""
    threading.Thread(target=task, args=(param,), daemon=True).start()


def wb_robot_mutex_new() -> threading.Lock:
    """A lock for threads."""
    return threading.Lock()


def wb_robot_mutex_lock(mutex: threading.Lock) -> None:
    """Wait until the lock is free, and take it."""
    mutex.acquire()


def wb_robot_mutex_unlock(mutex: threading.Lock) -> None:
    """Free the lock."""
    mutex.release()


def wb_robot_mutex_delete(mutex: threading.Lock) -> None:
    """Do nothing: Python forgets locks that nobody uses."""
