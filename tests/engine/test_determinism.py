"""The same world makes the same bits: twice, in a fresh process, from a saved state, in two threads."""

import subprocess
import sys
import threading

import pytest

from tests.engine.scenes import everything

PRINT_HASH = "from tests.engine.scenes import everything; w = everything(); w.step({}); print(w.hash())"


@pytest.fixture(scope="module", params=[2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def steps(request: pytest.FixtureRequest) -> int:
    """How far the world runs."""
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def reference(steps: int) -> int:
    """Hash after all steps."""
    world = everything()
    world.step(steps)
    return world.hash()


def test_the_scene_uses_both_solvers():
    world = everything()
    used = set()
    for _ in range(200):
        world.step()
        used.add((world.statistics["quick_islands"] > 0, world.statistics["islands"] > 1))
    assert (True, True) in used


def test_a_second_run_step_by_step(steps: int, reference: int):
    world = everything()
    for _ in range(steps):
        world.step()
    assert world.hash() == reference


def test_a_fresh_process(steps: int, reference: int):
    command = [sys.executable, "-c", PRINT_HASH.format(steps)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) == reference


def test_from_a_state_in_the_middle_in_another_world(steps: int, reference: int):
    first = everything()
    first.step(steps // 2)
    state = first.state()
    first.step(100)
    second = everything(seed=99)
    second.step(37)
    for world in (first, second):
        world.restore(state)
        world.step(steps - steps // 2)
        assert world.hash() == reference


def test_two_threads_side_by_side(steps: int, reference: int):
    worlds = [everything(), everything()]
    threads = [threading.Thread(target=world.step, args=(steps,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [world.hash() for world in worlds] == [reference, reference]


def test_another_seed_changes_only_what_the_iterative_solver_touches():
    with_heap, without = [], []
    for seed in (1, 2):
        for boxes, hashes in ((40, with_heap), (0, without)):
            world = everything(seed, boxes)
            world.step(300)
            hashes.append(world.hash())
    assert with_heap[0] != with_heap[1]
    assert without[0] == without[1]
