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
WINDOW = "plugins of robot windows in the controller's process need the client in Python"
LEFT = {
    f"tests/windows/test_window_plugin.py::{test}": WINDOW
    for test in (
        "test_the_order_of_calls_is_that_of_the_manual[process]",
        "test_a_window_that_shall_be_shown_is_shown_first[process]",
        "test_the_functions_of_html_windows_are_called_too[process]",
        "test_what_a_plugin_says_of_actuators_counts[process]",
        "test_begin_and_end_of_a_step_are_a_step[process]",
        "test_the_gui_is_updated_while_the_simulator_computes",
        "test_a_mistake_of_a_plugin_is_told_once_and_the_controller_goes_on[process]",
        "test_a_plugin_makes_no_steps[process]",
        "test_a_plugin_that_cannot_be_used_leaves_the_controller_alone[process",
        "test_the_sample_shows_values_once_somebody_looks_and_switches_leds",
    )
}
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
