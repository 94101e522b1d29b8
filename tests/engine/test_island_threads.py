"""Islands on several threads: the same bits as on one, for every scene and after every failure.

The judge is the same world on one thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.engine_scenes import bipeds, boxes, chains, epucks
from tests.engine.helpers import ground, solid
from tests.engine.scenes import everything
from tests.waiting import wait_for
from wbridge.wbcore.engine import HAS_OWN_ODE, PhysicsError, Shape, World


def arms(count: int = 8) -> World:
    """Arms with 12 joints."""
    return chains(count, 12)


def piles_and_bipeds() -> World:
    """Robots for the exact solver beside a pile for the iterative one, with forces of the contacts."""
    world = bipeds(2)
    world.set_solver(400, 30)
    world.contact_feedback = True
    for i in range(30):
        solid(world, Shape.box((0.2, 0.15, 0.1)), (-3 + 0.11 * (i % 4), 0.1 * (i % 3), 0.2 + 0.12 * i))
    return world


def sleepers() -> World:
    """Bipeds of which one sleeps until something falls on it, and boxes that fall asleep."""
    world = bipeds(3)
    for i in range(21):
        world.body(i).awake = False
    solid(world, Shape.sphere(0.1), (0, 0, 2))
    for i in range(20):
        box = solid(world, Shape.box((0.1, 0.1, 0.1)), (-3, 0.3 * i, 0.05))
        box.set_auto_disable(0.2, 0.01, 0.01)
    return world


SCENES: dict[str, tuple[Callable[[], World], int]] = {
    "arms": (arms, 2000),
    "e-pucks": (lambda: epucks(20), 1000),
    "bipeds": (lambda: bipeds(2), 400),
    "falling boxes": (lambda: boxes(60), 150),
    "pile and bipeds": (piles_and_bipeds, 200),
    "sleepers": (sleepers, 300),
    "a bit of everything": (everything, 1000),
}


@pytest.mark.parametrize("share", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SCENES)
def test_the_motion_does_not_depend_on_the_number_of_threads(name: str, share: int):
    make, steps = SCENES[name][0], SCENES[name][1] // share
    results = set()
    for threads in (1, 2, 4):
        world = make()
        world.threads = threads
        world.step(steps // 2)
        for _ in range(20):
            world.step()
        world.step(steps // 2)
        forces = tuple(world.contacts(solved=True).forces.ravel()) if world.contact_feedback else ()
        results.add((world.hash(), world.fallbacks, forces))
    assert len(results) == 1


def bursting(threads: int) -> tuple[list[object], int]:
    """Two of four large islands get values that are not finite in the same step; the rest goes on."""
    world = chains(4, 20)
    world.threads = threads
    world.step(10)
    for body in (25, 65):
        world.body(body).add_torque((1e200, 0, 0))
    reports: list[object] = []
    for _ in range(20):
        try:
            world.step()
        except PhysicsError as error:
            reports.append([(p[0], p[1]) for p in error.problems])
    return reports, world.hash()


def test_a_failure_on_a_thread_arrives_as_on_one_thread():
    expected = bursting(1)
    assert expected[0]
    assert bursting(2) == expected
    assert bursting(4) == expected


def test_the_number_may_change_between_steps():
    plain, changing = arms(), arms()
    for i in range(200):
        changing.threads = 1 + i % 5
        plain.step(), changing.step()
    assert changing.hash() == plain.hash()


def count_threads() -> int:
    """Number of threads of this process, from the system."""
    return len(list(Path("/proc/self/task").iterdir()))


@pytest.mark.skipif(not HAS_OWN_ODE, reason="the installed ODE solves all islands on one thread")
def test_threads_start_with_the_first_large_step_and_end_with_the_world():
    before = count_threads()
    small = World(threads=4)
    ground(small)
    solid(small, Shape.sphere(0.1), (0, 0, 1))
    small.step(10)
    assert count_threads() == before
    large = arms()
    large.threads = 3
    assert count_threads() == before
    large.step()
    assert count_threads() == before + 2
    del large
    assert count_threads() == before


def wakes() -> dict[str, int]:
    """How often each other thread of this process has gone to sleep, of those that sleep now."""
    times = {}
    for task in Path("/proc/self/task").iterdir():
        status = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines())
        if task.name != str(threading.get_native_id()) and status["State"].startswith("S"):
            times[task.name] = int(status["voluntary_ctxt_switches"])
    return times


def test_threads_sleep_between_steps():
    """Judge: Linux, proc(5): a thread that polls is running, or wakes again and again."""
    before = {task.name for task in Path("/proc/self/task").iterdir()}
    world = arms()
    world.threads = 2
    world.step(5)
    wait_for(lambda: set(wakes()) - before)
    (helper,) = set(wakes()) - before
    asleep = wakes()[helper]
    threading.Event().wait(0.2)
    assert wakes()[helper] == asleep


def test_a_forked_process_steps_with_threads_of_its_own():
    world, plain = arms(), arms()
    world.threads = 2
    world.step(50), plain.step(60)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            world.step(10)
            os.write(writing, str(world.hash()).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reading, 100)) == plain.hash()
    os.close(reading), os.close(writing)
    world.step(10)
    assert world.hash() == plain.hash()


def test_worlds_with_threads_step_side_by_side():
    plain = arms()
    plain.step(60)
    worlds = [arms() for _ in range(3)]
    steppers = []
    for world in worlds:
        world.threads = 2
        steppers.append(threading.Thread(target=world.step, args=(60,)))
    for one in steppers:
        one.start()
    for one in steppers:
        one.join()
    assert {world.hash() for world in worlds} == {plain.hash()}


@pytest.mark.parametrize("number", [0, 257])
def test_the_number_is_checked(number: int):
    world = World()
    with pytest.raises(ValueError, match="threads must be in 1 to 256"):
        world.threads = number
    with pytest.raises(ValueError, match="threads must be in 1 to 256"):
        World(threads=number)
    assert world.threads == 1
