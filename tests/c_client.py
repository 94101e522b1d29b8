"""The suite with the C library in the processes that tests start: `TEST_CLIENT=c pytest ...`.

`LEFT` lists what does not pass yet. These tests are expected to fail, and one that passes fails the run: the
list may only become shorter.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest

__all__ = ["LEFT", "VARIABLE", "expect_failures", "prepare"]

VARIABLE = "TEST_CLIENT"
LEFT: dict[str, str] = {}
"""Reasons by test, without its parameters, or with the first of them."""


def prepare() -> None:
    """Give this process the client in Python, and the programs that it starts the one that is wanted."""
    if VARIABLE in os.environ:
        import hal.modes.session  # noqa: F401 # start-up: only with the variable

        os.environ["WBRIDGE_CLIENT"] = os.environ[VARIABLE]


def expect_failures(items: Iterable[pytest.Item]) -> None:
    """Mark the tests of the list."""
    if os.environ.get(VARIABLE) != "c":
        return
    for item in items:
        for test, reason in LEFT.items():
            if item.nodeid.startswith(test) and item.nodeid[len(test) :][:1] in ("", "[", "-"):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
