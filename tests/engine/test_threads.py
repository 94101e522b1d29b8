"""Worlds and threads: many worlds at once, one world by one thread at a time, the interpreter not blocked."""

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.engine.helpers import free_world, unit_mass
from tests.engine.scenes import everything
from wbridge.wbcore.engine import EngineError, World


@pytest.fixture
def no_forced_switches() -> Iterator[None]:
    """Threads get the interpreter only from one that gives it away, as while it waits."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(100_000)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("no_forced_switches")
def test_the_interpreter_runs_while_a_world_steps():
    """The thread of the world waits for nothing: what else runs, runs while it steps."""
    world = everything(boxes=10)
    ran = seen = False

    def live() -> None:
        nonlocal seen
        for _ in range(5000):
            world.step(20)
            if seen := ran:
                return

    thread = threading.Thread(target=live)
    thread.start()
    ran = True
    thread.join()
    assert seen


def test_a_world_that_steps_refuses_other_threads():
    world = free_world()
    body = world.add_body(unit_mass())
    inside, leave = threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        leave.wait()

    world.before_solve = wait
    thread = threading.Thread(target=world.step)
    thread.start()
    inside.wait()
    try:
        for call in (world.step, world.state, lambda: body.position, body.remove, world.collide):
            with pytest.raises(EngineError, match="another thread"):
                call()
    finally:
        leave.set()
        thread.join()
    world.before_solve = None
    world.step()
    assert world.steps == 2


def test_many_threads_with_worlds_of_their_own():
    def live(results: list[int]) -> None:
        for _ in range(5):
            world = everything(boxes=10)
            world.step(40)
            results.append(world.hash())

    results: list[int] = []
    threads = [threading.Thread(target=live, args=(results,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 30 and len(set(results)) == 1


def test_worlds_that_change_threads_move_as_on_one_thread():
    """Worlds of a thread share the memory of their steps; here they change threads, come and go meanwhile."""
    alone = everything(boxes=10)
    alone.step(60)

    def part(world: World) -> World:
        world.step(20)
        everything(boxes=3).step(2)
        return world

    worlds = [everything(boxes=10) for _ in range(8)]
    for _ in range(3):
        with ThreadPoolExecutor(3) as pool:
            worlds = list(pool.map(part, reversed(worlds)))
    assert {world.hash() for world in worlds} == {alone.hash()}
