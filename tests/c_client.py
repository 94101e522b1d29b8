"""The client of the processes that tests start: `TEST_CLIENT=python pytest ...` chooses the other one.

This process itself runs controllers inside, with the client in Python.
"""

from __future__ import annotations

import os

import wbridge.hal.modes.session  # noqa: F401 # chooses that client

__all__ = ["VARIABLE", "prepare"]

VARIABLE = "TEST_CLIENT"


def prepare() -> None:
    """Give the programs that this process starts the client that the variable names."""
    if VARIABLE in os.environ:
        os.environ["WBRIDGE_CLIENT"] = os.environ[VARIABLE]
