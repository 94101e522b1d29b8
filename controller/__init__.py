"""The face under which Webots controllers import the object API: `from controller import Robot`."""

from __future__ import annotations

from wbridge.hal import controller as _controller

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from wbridge.hal.controller import *  # noqa: F403 (all of them are public)

__all__ = _controller.__all__


def __getattr__(name: str) -> object:
    """A class of the object API, whose module is loaded when it is first used."""
    return getattr(_controller, name)
