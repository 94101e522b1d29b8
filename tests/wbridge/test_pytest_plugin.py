"""The fixture `wbridge_world`, in a test suite of a user."""

import pytest

from tests.fleet.learning_worlds import SPEED, cart, rail

pytest_plugins = ["pytester"]

SUITE = f"""
def test_a_cart_drives(wbridge_world):
    places = []
    run = wbridge_world(
        "worlds/ball.wbt",
        duration=0.4,
        controllers={{"cart": "driver"}},
        fields={{"ROBOT.translation[1]": "2"}},
        on_step=lambda world: places.append(world.node("ROBOT.CART").translation.copy()),
    )
    assert run.failed == [] and "go" in run.output
    assert len(places) == 51 == run.outcome.steps + 1
    assert abs(places[-1][0] - {SPEED} * 0.4) < 0.02 and places[-1][1] == 2


def test_a_crash_is_seen(wbridge_world):
    run = wbridge_world("worlds/ball.wbt", duration=0.4, controllers={{"cart": "crash"}})
    assert run.failed == ["crash"] and "ZeroDivisionError" in run.output
"""
DRIVER = f"""
from controller import Robot
robot = Robot()
motor = robot.getDevice("drive")
motor.setPosition(float("inf"))
motor.setVelocity({SPEED})
print("go")
while robot.step(8) != -1:
    pass
"""


def test_a_suite_runs_worlds(pytester: pytest.Pytester):
    rail(pytester.path, cart())
    for name, program in (("driver", DRIVER), ("crash", "1 / 0\n")):
        folder = pytester.path / "controllers" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.py").write_text(program)
    pytester.makepyfile(SUITE)
    pytester.runpytest("-p", "wbridge.pytest_plugin", "-p", "no:xdist").assert_outcomes(passed=2)
