"""No test is decided by a clock: it counts work, or waits for events with a guard far above what they take.

Judge: a walk through the syntax of all tests and fuzzers. It follows what clocks return through names, lists,
arithmetic and functions of the same file to assertions. Clocks of pages are found in the scripts themselves.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from tests.project.files import CHECKOUT

CLOCKS = {
    name + unit
    for name in ("monotonic", "perf_counter", "process_time", "thread_time", "time", "clock_gettime")
    for unit in ("", "_ns")
}
"""Functions of the module `time`."""

PAGE_CLOCK = re.compile(r"performance\.now\(|Date\.now\(")
PROCESSOR_TIMES = ("ru_utime", "ru_stime")
CALLS = re.compile(
    rf"\b(?:time\.(?:{'|'.join(CLOCKS)})|{'|'.join(CLOCKS - {'time'})}|os\.times|(?:performance|Date)\.now)\("
    r"|ru_utime"
)
"""Only texts with one of these can have a test that a clock decides: the others need no walk."""
GUARDS = """
tests/firmware/test_rover.py::test_a_board_with_many_devices_does_what_the_desktop_does
tests/firmware/test_unchanged_controllers.py::test_an_obstacle_avoider_in_c
tests/firmware/test_unchanged_controllers.py::until
tests/hal/link/broker.py::start
tests/hal/remote/test_wblink.py::test_steps_of_a_simulated_robot_take_no_longer_than_it_needs
tests/remote/test_garbage.py::test_a_robot_that_babbles_from_the_start_is_none
tests/remote/test_garbage.py::test_a_robot_that_babbles_is_given_up_in_time
tests/remote/test_garbage.py::test_steps_keep_their_time_while_a_lost_robot_is_looked_for
tests/remote/test_guard.py::test_a_gateway_outlives_the_processes_that_are_killed_with_its_controller
tests/waiting.py::wait_for
tests/windows/test_server.py::test_a_page_that_reads_nothing_slows_nobody
tests/windows/test_window_process.py::test_a_process_that_stands_still_keeps_nobody_waiting
tests/windows/visit.py::until
tests/windows/visit.py::until_drawn
""".split()
"""At least 20 times what is waited for; only what hangs takes longer."""
SPANS = """
tests/hal/api/test_import_time.py::test_the_client_starts_fast
tests/scene/test_fuzz_regressions.py::test_a_long_word_among_allowed_values_is_read_in_linear_time
tests/scene/test_fuzz_regressions.py::test_a_string_that_never_ends_is_read_in_linear_time
tests/engine/test_sample_pass.py::test_timed_samples_are_those_of_plain_ones
tests/hal/protocol/test_low_latency.py::test_waiting_in_real_time_takes_hardly_any_processor_time
tests/hal/remote/test_standalone.py::test_its_clock_is_that_of_the_wall_though_readings_come_late
tests/profiling/test_profile.py::profiled
""".split()
"""Two measurements of the same run: one lies within the other, or their ratio is wide."""
KEPT = """
tests/firmware/test_wifi_mqtt.py::test_after_a_restart_of_the_broker_the_controller_goes_on
tests/firmware/test_wifi_tcp.py::test_a_connection_that_closes_stops_the_motor_at_once
tests/hal/remote/test_wblink.py::test_steps_take_real_time
tests/remote/test_camera.py::test_wheels_and_camera_of_two_plugins_are_one_robot
""".split()
"""Clocks are the subject: what must not end sooner, or must not wait for a watchdog."""


def is_clock(node: ast.AST, helpers: frozenset[str] = frozenset()) -> bool:
    """Does it read a clock, as time.monotonic(), os.times() and `performance.now()` of a page do, or call a
    function of the file that returns such a value?"""
    if isinstance(node, ast.Attribute):
        return node.attr in PROCESSOR_TIMES
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Attribute):
        if function.attr == "evaluate":
            return bool(PAGE_CLOCK.search(ast.unparse(node)))
        return isinstance(function.value, ast.Name) and (
            (function.value.id == "time" and function.attr in CLOCKS)
            or (function.value.id, function.attr) == ("os", "times")
        )
    return isinstance(function, ast.Name) and function.id in (CLOCKS - {"time"}) | helpers


def names_in(target: ast.AST) -> set[str]:
    """Names that an assignment binds or extends."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def depends(node: ast.AST, timed: set[str], helpers: frozenset[str]) -> bool:
    """Does an expression contain a clock, or a name whose value comes from it?"""
    return any(
        is_clock(part, helpers) or (isinstance(part, ast.Name) and part.id in timed)
        for part in ast.walk(node)
    )


def appends(node: ast.AST) -> TypeGuard[ast.Call]:
    """Is it a call that adds to a list?"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"


def timed_names(function: ast.AST, helpers: frozenset[str]) -> set[str]:
    """Names inside of a function whose values depend on a clock."""
    timed: set[str] = set()
    while True:
        before = len(timed)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if depends(node.value, timed, helpers):
                    timed |= {name for target in targets for name in names_in(target)} - {"self"}
            elif appends(node) and any(depends(argument, timed, helpers) for argument in node.args):
                timed |= names_in(node.func)
        if len(timed) == before:
            return timed


def functions_in(tree: ast.AST) -> list[ast.FunctionDef]:
    """All functions of a file, those in others too."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def timing_functions(tree: ast.AST) -> frozenset[str]:
    """Names of functions that return what depends on a clock."""
    helpers: frozenset[str] = frozenset()
    while True:
        more = {
            function.name
            for function in functions_in(tree)
            for timed in [timed_names(function, helpers)]
            for node in ast.walk(function)
            if isinstance(node, ast.Return) and node.value and depends(node.value, timed, helpers)
        }
        if more <= helpers:
            return helpers
        helpers |= more


def judged_by_clocks(tree: ast.AST) -> Iterator[str]:
    """Names of functions with an assertion that depends on a clock."""
    helpers = timing_functions(tree)
    for function in functions_in(tree):
        timed = timed_names(function, helpers)
        tests = [node.test for node in ast.walk(function) if isinstance(node, ast.Assert)]
        if any(depends(test, timed, helpers) for test in tests):
            yield function.name


def sources() -> list[Path]:
    """Tests and fuzzers."""
    return sorted(path for folder in ("tests", "fuzz") for path in (CHECKOUT / folder).rglob("*.py"))


def test_assertions_do_not_depend_on_clocks():
    judged = {
        f"{path.relative_to(CHECKOUT)}::{name}"
        for path in sources()
        if CALLS.search(text := path.read_text("utf-8"))
        for name in judged_by_clocks(ast.parse(text))
    }
    allowed = {*GUARDS, *SPANS, *KEPT}
    assert sorted(judged - allowed) == [], (
        "count calls (tests/work.py) or wait for an event (tests/waiting.py)"
    )
    assert sorted(allowed - judged) == [], "these need no exception"


@pytest.mark.parametrize(
    ("body", "is_judged"),
    [
        ("start = time.monotonic()\n    assert time.monotonic() - start < 5", True),
        ("a = perf_counter()\n    b = perf_counter() - a\n    c = [b]\n    assert max(c) < 5", True),
        ("taken = []\n    taken.append(time.process_time())\n    assert sum(taken) < 5", True),
        ("end = time.time_ns() + 5\n    used = end\n    used += 1\n    assert used", True),
        ("start = time.monotonic()\n    print(start)\n    assert len('a') == 1", False),
        ("now = simulation.time()\n    assert now == 5", False),
        ("start = os.times()\n    assert start.user < 5", True),
        ("assert page.evaluate('performance.now()') < 5000", True),
        ("assert getrusage(RUSAGE_SELF).ru_utime < 5", True),
        ("def seconds():\n        return time.monotonic()\n    assert seconds() < 5", True),
        ("assert getrusage(RUSAGE_SELF).ru_minflt < 5", False),
    ],
)
def test_assertions_by_clocks_are_seen(body: str, is_judged: bool):
    assert bool(list(judged_by_clocks(ast.parse(f"def test_it():\n    {body}")))) is is_judged
