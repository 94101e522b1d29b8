"""Branches from a checkpoint: controllers go through what they read, without the simulation.

The judge is always a run that never went back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.controllers.project import STEP_MS, Project, robot
from tests.physics_plugins.test_states import GROWING
from tests.windows.test_time_line import BALL, DRIVEN, HEADER, WOBBLE, Run
from wbridge.wbcore.controllers.readings import Logs
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.devices.motor import Motor
from wbridge.wbcore.physics_plugins.options import PluginOptions
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.windows.allowed import NOTHING
from wbridge.wbcore.windows.checkpoints import Checkpoints

LATE, AGO, BEFORE = 150, 100, 64
"""Steps of a run, the step to which it goes back, and that of the checkpoint before."""
Open = Callable[..., Run]
RADIO = """
from controller import Robot
robot = Robot()
emitter, receiver = robot.getDevice("emitter"), robot.getDevice("receiver")
receiver.enable(16)
motor, heard = robot.getDevice("motor"), 0
while robot.step(16) != -1:
    emitter.send(bytes(range(heard % 50)))
    while receiver.getQueueLength():
        heard += len(receiver.getBytes()) + 1
        receiver.nextPacket()
    motor.setPosition(0.1 + 0.0001 * (heard % 997))
"""
SUPERVISOR = """
from controller import Supervisor
robot = Supervisor()
ball = robot.getFromDef("BALL")
place, speed = ball.getField("translation"), 0.0
ball.enablePoseTracking(16)
while robot.step(32) != -1:
    speed += ball.getPosition()[2]
    ball.addForce([0.5 * (speed % 1.0), 0, 0], False)
    if int(robot.getTime() * 1000) % 640 == 0:
        place.setSFVec3f([0.1, 0.1, 0.5 + speed % 0.3])
    robot.setLabel(0, f"{speed:.3f}", 0, 0, 0.1, 0xFF0000, 0.0)
"""
OWN_WILL = """
from time import perf_counter
from controller import Robot
robot = Robot()
motor = robot.getDevice("motor")
while robot.step(16) != -1:
    motor.setPosition(perf_counter() % 0.1)
"""
TALKS = WOBBLE.replace("total += ", "print(f'total {total}')\n    total += ")


def joint(name: str, y: float, more: str = "") -> str:
    """A cart with a motor, of a controller with its name."""
    return (
        DRIVEN.replace('"cart"', f'"{name}"')
        .replace('"wobble"', f'"{name}"')
        .replace("translation 0 2", f"translation 0 {y}")
        .replace("children [", f"children [ {more} ", 1)
    )


@pytest.fixture
def open_run(tmp_path: Path) -> Iterator[Open]:
    opened: list[Run] = []

    def make(world: Path, options: RunOptions | None = None) -> Run:
        folder = tmp_path / f"scene{len(opened)}"
        folder.mkdir()
        runner = Runner(load_world(world), options or RunOptions(inline=True, timeout_s=60))
        opened.append(page := Run(runner, folder, NOTHING))
        scene = page.handler.scene_handler
        assert scene is not None
        scene.time_line.checkpoints = Checkpoints(lambda: 0.0)  # none is too expensive
        page.message("timeLine")  # somebody looks
        return page

    yield make
    for page in opened:
        page.runner.close()


def branches_equal(page: Run, other: Run, late: int = LATE, ago: int = AGO) -> None:
    """Go back, and on from there; each moment has the bits of the run that never went back."""
    page.go(late)
    other.go(ago)
    before = page.runner.steps
    page.branch(ago)
    shown = page.message("timeLine")
    assert shown["note"] == ""
    assert page.runner.steps - before <= 1000 // STEP_MS + 1  # from the checkpoint, not from the start
    assert page.hash == other.hash
    page.ask("play", speed=None)
    for _ in range(late - ago + 20):
        page.go(1)
        other.go(1)
        assert page.hash == other.hash


def test_a_controller_goes_through_what_it_read(project: Project, open_run: Open):
    world = project.write(BALL, DRIVEN, header=HEADER, wobble=WOBBLE)
    branches_equal(open_run(world), open_run(world))


def test_radio_in_flight(project: Project, open_run: Open):
    """Packets of up to 50 bytes take up to 16 steps at this rate."""
    radio = 'Emitter { name "emitter" baudRate 2000 } Receiver { name "receiver" baudRate 2000 }'
    world = project.write(joint("one", 2, radio), joint("two", 4, radio), header=HEADER, one=RADIO, two=RADIO)
    branches_equal(open_run(world), open_run(world))


def test_a_supervisor(project: Project, open_run: Open):
    text = robot("boss", "boss", "supervisor TRUE")
    world = project.write(BALL, text, DRIVEN, header=HEADER, boss=SUPERVISOR, wobble=WOBBLE)
    branches_equal(open_run(world), open_run(world))


def test_a_physics_plugin_that_saves(project: Project, open_run: Open):
    world = project.write(BALL, DRIVEN, header=HEADER, wobble=WOBBLE)
    text = world.read_text("utf-8").replace("basicTimeStep 16", 'basicTimeStep 16 physics "growing"')
    world.write_text(text, encoding="utf-8")
    folder = project.folder / "plugins" / "physics" / "growing"
    folder.mkdir(parents=True)
    (folder / "growing.py").write_text(GROWING, encoding="utf-8")
    options = RunOptions(inline=True, timeout_s=60, plugin=PluginOptions())
    branches_equal(open_run(world, options), open_run(world, options))


@pytest.mark.parametrize(("name", "steps"), [("nao", (180, 160)), ("two_robots", (300, 260))])
def test_bundled_robots(open_run: Open, name: str, steps: tuple[int, int]):
    world = builtin_directory() / "worlds" / f"{name}.wbt"
    page, other = open_run(world), open_run(world)
    late, ago = steps
    page.go(late)
    other.go(ago)
    page.branch(round(ago * page.runner.simulation.step_s * 1000 / STEP_MS))
    assert page.message("timeLine")["note"] == "" and page.hash == other.hash
    page.ask("play", speed=None)
    page.go(50)
    other.go(50)
    assert page.hash == other.hash


def test_what_was_printed_is_not_printed_again(
    project: Project, open_run: Open, capfd: pytest.CaptureFixture[str]
):
    world = project.write(BALL, DRIVEN, header=HEADER, wobble=TALKS)
    page = open_run(world)
    page.go(LATE)
    page.branch(AGO)
    page.ask("play", speed=None)
    page.go(1)
    printed = capfd.readouterr().out.splitlines()
    assert printed[LATE:] == printed[BEFORE - 1 : AGO + 1]


def test_a_controller_with_a_will_of_its_own_is_named_and_restarted(
    project: Project, open_run: Open, caplog: pytest.LogCaptureFixture
):
    world = project.write(BALL, DRIVEN, joint("free", 4), header=HEADER, wobble=WOBBLE, free=OWN_WILL)
    page, other = open_run(world), open_run(world)
    page.go(LATE)
    page.branch(AGO)
    assert page.message("timeLine")["note"] == 'restarted the controller of "free"'
    assert 'robot "free": its controller did something else (at request 3 of 65)' in caplog.text
    other.go(AGO)
    _, free = page.runner.simulation.robots
    assert page.runner.lockstep.has_controller(free)
    targets = []
    for run in (page, other):
        motor = run.runner.simulation.robots.list[0].devices[0]
        assert isinstance(motor, Motor)
        targets.append(motor.engine.target_position)
    assert targets[0] == targets[1]


def test_a_mended_controller_stands_where_the_crashed_one_did(project: Project, open_run: Open):
    """Its new part has not been reached then."""
    crashing = WOBBLE.replace(
        "    motor.set", "    if robot.getTime() > 2: raise SystemExit(3)\n    motor.set"
    )
    world = project.write(BALL, DRIVEN, header=HEADER, wobble=crashing)
    page = open_run(world)
    page.go(LATE)
    assert not page.runner.lockstep.has_controller(page.runner.simulation.robots.list[0])
    project.file("wobble", "wobble.py", WOBBLE)
    page.branch(AGO)
    page.ask("play", speed=None)
    page.go(50)
    other = open_run(world)
    other.go(LATE)
    assert page.message("timeLine")["note"] == "" and page.hash == other.hash


def test_back_twice(project: Project, open_run: Open):
    world = project.write(BALL, DRIVEN, header=HEADER, wobble=WOBBLE)
    page, other = open_run(world), open_run(world)
    page.go(300)
    page.branch(250)
    page.ask("play", speed=None)
    page.go(30)
    page.branch(200)
    page.ask("play", speed=None)
    page.go(100)
    page.branch(70)
    assert page.message("timeLine")["note"] == ""
    other.go(70)
    assert page.hash == other.hash


def test_a_world_of_other_nodes_is_simulated_from_the_start(project: Project, open_run: Open):
    world = project.write(BALL, DRIVEN, header=HEADER, wobble=WOBBLE)
    page, other = open_run(world), open_run(world)
    page.go(LATE)
    page.change("remove", node=page.node("BALL"))
    page.branch(AGO)
    other.go(AGO)
    assert "from the start: the world had other nodes then" in page.message("timeLine")["note"]
    assert page.hash == other.hash


def test_full_logs_are_given_up_and_told(project: Project, open_run: Open):
    world = project.write(BALL, DRIVEN, header=HEADER, wobble=WOBBLE)
    page, other = open_run(world), open_run(world)
    logs = Logs(1000)
    assert page.runner.controllers.inline is not None
    page.runner.controllers.inline.keep_readings(logs)
    page.go(1500)
    assert logs.size < 1 << 17
    page.branch(AGO)
    other.go(AGO)
    assert "56 MiB" in page.message("timeLine")["note"]
    assert page.hash == other.hash


def test_a_log_ends_where_it_is_cut():
    """Judge: the packets themselves; they fill several pieces."""
    packets = [bytes([k % 251]) * (k % 900) for k in range(1000)]
    logs = Logs()
    log = logs.make()
    for packet in packets:
        log.ask(packet)
        log.answer(packet)
    for place in (777, 776, 300, 0):
        log.cut(log.place._replace(answers=place, requests=place))
        assert list(log.answers()) == packets[:place] and len(log.sums) == place
    assert logs.size == 0
