"""Initialization and cleanup of a controller, and its threads."""

from __future__ import annotations

import threading
from collections.abc import Callable

from wbridge.hal.client import session
from wbridge.hal.client.arguments import needs


def wb_robot_init() -> int:
    """Connect to the simulator that the environment variables name; call this before all other functions.

    Returns:
        1. The program ends if no simulator is found.
    """
    session.init()
    return 1


def wb_robot_init_msvc() -> int:
    """Alias of `wb_robot_init`."""
    return wb_robot_init()


def wb_robot_cleanup() -> None:
    """Disconnect from the simulation; must be the last call."""
    session.cleanup()


@needs("task")
def wb_robot_task_new(task: Callable[[object], object], param: object) -> None:
    """Run `task(param)` in a new thread that ends with the program."""
    threading.Thread(target=task, args=(param,), daemon=True).start()


def wb_robot_mutex_new() -> threading.Lock:
    """Create a mutex."""
    return threading.Lock()


@needs("mutex")
def wb_robot_mutex_lock(mutex: threading.Lock) -> None:
    """Wait until the mutex is free, and lock it."""
    mutex.acquire()


@needs("mutex")
def wb_robot_mutex_unlock(mutex: threading.Lock) -> None:
    """Unlock the mutex."""
    mutex.release()


@needs("mutex")
def wb_robot_mutex_delete(mutex: threading.Lock) -> None:
    """Delete a mutex; no effect in Python."""
