"""Memory stays flat while parts and worlds come and go."""

import gc
import sys
from pathlib import Path

import numpy as np

from tests.engine.helpers import ground, solid
from tests.engine.scenes import everything
from tests.engine.test_shapes import cube
from wbridge.wbcore.engine import Shape, World

if sys.platform != "win32":
    import resource


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def test_ten_thousand_bodies_added_and_removed():
    world = World(dt=0.008)
    ground(world)
    mesh = cube(0.2)

    def turn_over(count: int) -> None:
        for i in range(count):
            shape = (Shape.sphere(0.1), Shape.mesh(mesh), Shape.heightfield(np.zeros((4, 4)), 1, 1))[i % 3]
            if i % 3 == 2:
                world.add_geom(shape, None, (0, 0, -5)).remove()
                continue
            body = solid(world, Shape.sphere(0.1), (0, 0, 0.1))
            world.add_geom(shape, body)
            world.add_hinge(body)[0].add_motor()
            world.add_rays([(0, 0, 0)] * 4, [(1, 0, 0)] * 4, [1.0] * 4, body).schedule(1)
            if i % 50 == 0:
                world.step()
            body.remove()

    turn_over(3000)
    gc.collect()
    before = resident()
    turn_over(10_000)
    gc.collect()
    # Nothing accumulates: one body left behind each time would be more than 5 MB.
    assert resident() - before < 1_000_000
    assert (world.body_count, world.joint_count, world.geom_count) == (0, 0, 1)


def test_steps_and_states_use_no_memory():
    world = everything()
    world.step(300)
    state = world.state()

    def work() -> None:
        for _ in range(100):
            world.restore(state)
            world.step(3)
            world.contacts(), world.state(), world.positions, world.quaternions

    work()
    gc.collect()
    before = resident()
    for _ in range(5):
        work()
    gc.collect()
    assert resident() - before < 1_000_000


def test_worlds_go_away():
    def work() -> None:
        for _ in range(40):
            everything(boxes=3).step()

    work()
    gc.collect()
    before = resident()
    work()
    gc.collect()
    assert resident() - before < 2_000_000


def test_a_world_in_a_cycle_with_its_hooks_goes_away():
    gone = []

    class Witness:
        def __del__(self) -> None:
            gone.append(True)

    def make() -> None:
        world, witness = World(), Witness()
        world.before_solve = lambda: (world, witness)
        world.on_pair = lambda a, b: bool((world, witness))
        world.step()

    make()
    gc.collect()
    assert gone == [True]
