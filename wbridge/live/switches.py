"""Greenlets of a page switch without the event loop of Python.

greenlet-pyodide parks a greenlet at a future of the event loop. Such a future calls back through the loop,
twice at each switch; a place that calls back at once saves that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator

import greenlet

__all__ = ["Place", "use_places"]


def use_places() -> None:
    """Let greenlets wait at places; call it before the first switch."""
    loop = Loop()
    greenlet._get_loop = lambda: loop


class Place:
    """Where a greenlet waits: what `pyodide.ffi.run_sync` needs of an `asyncio.Future`."""

    __slots__ = ("_callbacks", "_is_done")
    _asyncio_future_blocking = False
    """By this attribute `asyncio.isfuture` knows a future."""

    def __init__(self) -> None:
        self._is_done = False
        self._callbacks: list[Callable[[Place], object]] = []

    def __await__(self) -> Generator[Place, None, None]:
        """Is only looked for: `run_sync` sees that it can be waited for."""
        yield self

    def done(self) -> bool:
        """Return True if the greenlet may go on."""
        return self._is_done

    def result(self) -> None:
        """Nothing: greenlet keeps what a switch gives."""

    def set_result(self, _value: None) -> None:
        """Let the greenlet go on as soon as this one waits."""
        self._is_done = True
        for callback in self._callbacks:
            callback(self)

    def add_done_callback(self, callback: Callable[[Place], object]) -> None:
        """Call a function as soon as the greenlet may go on."""
        if self._is_done:
            callback(self)
        else:
            self._callbacks.append(callback)


class Loop:
    """What greenlet-pyodide needs of an event loop."""

    @staticmethod
    def create_future() -> Place:
        """Return a place for a greenlet that is about to wait."""
        return Place()

    @staticmethod
    def create_task(work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Start a greenlet."""
        return asyncio.get_event_loop().create_task(work)
