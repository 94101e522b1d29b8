"""Remote control of a robot of the C library whose simulator runs in the same process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import wait_for
from wbridge.hal.client import native
from wbridge.hal.gateway.guard import GuardConnection
from wbridge.hal.gateway.guarded_mode import make_guards
from wbridge.hal.gateway.in_place import GuardInPlace
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.protocol.packet import write_answer

SIMULATION, REMOTE, STEP = 0, 2, 32
SENSOR, MOTOR, CAMERA = 1, 2, 3
PLUGIN = """
from wbridge.hal.remote import RemoteControl

class Plugin(RemoteControl):
    def init(self, robot):
        self.robot, self.speed, self.failed = robot, 0.0, False
        return True
    def start(self, arg):
        if arg == "slow":
            import ctypes, time
            time.sleep(0.2)  # it shows life
            ctypes.PyDLL(None).usleep(600_000)  # keeps the interpreter, so that nothing shows life
        return arg != "elsewhere"
    def stop(self): self.say("stop")
    def has_failed(self): return self.failed
    def stop_actuators(self): self.say("still")
    def say(self, text):
        with open(__file__ + ".log", "a") as file:
            file.write(text + "\\n")
    def set_sampling_period(self, tag, period): pass
    def motor_set_position(self, tag, value): pass
    def motor_set_velocity(self, tag, value): self.speed = value
    def custom_function(self, arg):
        self.failed = arg == "fail"
        return {"speed": self.speed}
    def robot_step(self, period):
        self.robot.distance_sensor_set_value(1, self.speed + 0.25)
        self.robot.camera_set_image(3, bytes([7]) * 32)
        return 4
"""


class Link:
    """A simulator in this process."""

    def __init__(self, world: Loopback) -> None:
        self.world, self.is_open = world, True

    def send(self, packet: bytes) -> None:
        self.world.send(packet)

    def receive(self) -> bytes:
        if not self.is_open:
            raise ProtocolError("the simulator has closed the connection")
        answer = self.world.answer()
        return write_answer(answer.delay, answer.data)

    def close(self) -> None:
        self.is_open = False


class Hosted:
    """A robot that a plugin of its project can drive."""

    def __init__(self, folder: Path) -> None:
        plugin = folder / "plugins" / "remote_controls" / "wire" / "wire.py"
        plugin.parent.mkdir(parents=True)
        plugin.write_text(PLUGIN)
        self._log = Path(f"{plugin}.log")
        size = {"width": 4, "height": 2}
        peers = [Peer("DistanceSensor", "ds"), Peer("RotationalMotor", "motor", {"max_velocity": 10.0})]
        self.world = Loopback([*peers, Peer("Camera", "eye", size)])
        self.world.info = self.world.info._replace(remote_library="wire", project_path=str(folder))
        self.link = Link(self.world)
        self.robot = native.attach(self.link)
        self.robot.device(SENSOR).enable(STEP)
        self.robot.device(CAMERA).enable(STEP)
        self.robot.device(MOTOR).set_position(float("inf"))
        self.robot.device(MOTOR).set_velocity(2.5)

    def said(self) -> list[str]:
        """What the plugin has noted."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    def sensor(self) -> float:
        """The value of the sensor."""
        return float(self.robot.device(SENSOR).get_value())


@pytest.fixture(params=[GuardConnection, GuardInPlace], ids=["process", "in place"])
def hosted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hosted]:
    """A robot in simulation, after a step."""
    make_guards(request.param)
    made = Hosted(tmp_path)
    assert made.robot.step(STEP) == 0
    yield made
    made.robot.cleanup()
    make_guards()


def test_the_plugin_gets_what_lasts_and_gives_values_and_pictures(hosted: Hosted):
    robot = hosted.robot
    robot.set_mode(REMOTE, "here")
    assert robot.get_mode() == REMOTE
    assert [robot.step(STEP), robot.step(STEP)] == [4, 4]
    assert hosted.sensor() == 2.75
    assert robot.device(CAMERA).get_image() == bytes([7]) * 32
    assert robot.remote_control_custom_function([]) == {"speed": 2.5}
    hosted.world["motor"].commands.clear()
    robot.set_mode(SIMULATION, "")
    assert (robot.get_mode(), hosted.said()[-2:]) == (SIMULATION, ["still", "stop"])
    hosted.world["ds"].send("value", 7.0)
    assert robot.step(STEP) == 0
    assert hosted.sensor() == 7.0
    assert hosted.world["motor"].last("set_velocity") == (2.5,)


def test_it_stays_in_simulation_without_the_robot(hosted: Hosted, capfd: pytest.CaptureFixture[str]):
    hosted.robot.set_mode(REMOTE, "elsewhere")
    assert hosted.robot.get_mode() == SIMULATION
    assert "cannot start" in capfd.readouterr().err
    assert hosted.robot.step(STEP) == 0


def test_a_robot_that_is_lost_returns_it_to_simulation(hosted: Hosted):
    hosted.robot.set_mode(REMOTE, "here")
    hosted.robot.remote_control_custom_function("fail")
    hosted.robot.step(STEP)
    assert hosted.robot.get_mode() == SIMULATION
    hosted.world["motor"].commands.clear()
    assert hosted.robot.step(STEP) == 0
    assert hosted.world["motor"].last("set_velocity") == (2.5,)


@pytest.mark.parametrize("hosted", [GuardConnection], indirect=True)
def test_a_lost_guard_stops_the_robot(hosted: Hosted, capfd: pytest.CaptureFixture[str]):
    hosted.robot.set_mode(REMOTE, "here")
    hosted.robot.step(STEP)
    assert hosted.robot.exchange is not None
    route = hosted.robot.exchange.route
    assert isinstance(route, GuardConnection)
    os.kill(route.pid, signal.SIGKILL)
    hosted.robot.step(STEP)
    assert hosted.robot.get_mode() == SIMULATION
    assert hosted.said() == ["still", "stop"]
    assert "stopping the robot" in capfd.readouterr().err


@pytest.mark.parametrize("hosted", [GuardConnection], indirect=True)
def test_a_guard_may_be_silent_until_it_has_connected(hosted: Hosted):
    """The robot stands until then, and modules are loaded slowly on a busy computer."""
    hosted.robot.set_mode(REMOTE, "slow")
    assert hosted.robot.get_mode() == REMOTE


def test_a_simulator_that_closes_the_link_stops_the_robot(hosted: Hosted):
    hosted.robot.set_mode(REMOTE, "here")
    hosted.robot.step(STEP)
    hosted.link.close()
    hosted.robot.cleanup()
    wait_for(lambda: hosted.said() == ["still", "stop"])


def test_a_controller_can_start_with_the_real_robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(native.REMOTE_PLACE, "here")
    hosted = Hosted(tmp_path)
    assert hosted.robot.get_mode() == REMOTE
    assert hosted.robot.step(STEP) == 4
    assert hosted.sensor() == 2.75
    hosted.robot.cleanup()
    assert hosted.said() == ["still", "stop"]


def test_modes_are_checked_as_everywhere(hosted: Hosted, capfd: pytest.CaptureFixture[str]):
    hosted.robot.set_mode(1, "")
    hosted.robot.step_begin(STEP)
    hosted.robot.set_mode(REMOTE, "here")
    hosted.robot.step_end()
    lines = capfd.readouterr().err
    assert "called with mode 1; allowed" in lines
    assert "call step_end first" in lines
    assert hosted.robot.get_mode() == SIMULATION
