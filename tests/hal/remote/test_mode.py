"""Remote control: what goes to the plugin and what to the simulator, failures, and the way back."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.remote.between import Between
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.remote import RemoteControl
from wbridge.hal.remote_plugins import PluginError, find_plugin, plugin_name, plugins

Attach = Callable[[Loopback], Between]
SIMULATION, CROSS_COMPILATION, REMOTE = 0, 1, 2
EMITTER = {"buffer_size": -1, "bytes_per_ms": -1.0, "max_range": -1.0}
PLUGIN = """
from wbridge.hal.remote import RemoteControl

class Plugin(RemoteControl):
    log, failed, late = [], False, 0

    def init(self, robot):
        self.robot = robot
        self.log.clear()
        self.log.append(("init", robot.name))
        return True

    def cleanup(self): self.log.append(("cleanup",))

    def start(self, arg):
        self.log.append(("start", arg))
        return arg != "no"

    def stop(self): self.log.append(("stop",))

    def has_failed(self): return self.failed

    def stop_actuators(self): self.log.append(("stop_actuators",))

    def robot_step(self, period):
        self.log.append(("robot_step", period))
        if self.failed == "badly": raise RuntimeError("cable")
        self.robot.distance_sensor_set_value(1, 0.75)
        return self.late

    def custom_function(self, arg): return arg * 2

    def set_sampling_period(self, tag, period): self.log.append(("set_sampling_period", tag, period))

    def motor_set_velocity(self, tag, value): self.log.append(("motor_set_velocity", tag, value))

    def motor_set_torque(self, tag, value): self.log.append(("motor_set_torque", tag, value))

    def motor_set_position(self, tag, value): self.log.append(("motor_set_position", tag, value))
"""


class World:
    """A robot with a plugin of its project."""

    def __init__(self, project: Path, attach: Attach, code: str = PLUGIN, library: str = "wire") -> None:
        folder = project / "plugins" / "remote_controls" / "wire"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "wire.py").write_text(textwrap.dedent(code))
        peers = [
            *(Peer("DistanceSensor", "ds"), Peer("RotationalMotor", "motor"), Peer("LED", "led")),
            *(Peer("Emitter", "radio", EMITTER), Peer("GPS", "gps")),
            *(Peer("Receiver", "receiver"), Peer("Radio", "wlan"), Peer("Speaker", "speaker")),
        ]
        self.world = Loopback(peers)
        self.world.info = self.world.info._replace(project_path=str(project), remote_library=library)
        self.robot = attach(self.world)

    @property
    def plugin(self) -> Any:
        """The plugin, once it is loaded."""
        return self.robot.plugin

    def log(self) -> list[tuple[Any, ...]]:
        """What the plugin was called for since the last time."""
        found = [*self.plugin.log]
        self.plugin.log.clear()
        return found


@pytest.fixture
def remote(tmp_path: Path, attach: Attach) -> World:
    """A robot that its plugin drives, after the first step."""
    found = World(tmp_path, attach)
    api.wb_robot_set_mode(REMOTE, "port 1")
    assert api.wb_robot_get_mode() == REMOTE
    api.wb_robot_step(32)
    found.log()
    return found


def test_a_switch_says_everything_again(tmp_path: Path, attach: Attach):
    world = World(tmp_path, attach)
    api.wb_distance_sensor_enable(1, 64)
    api.wb_motor_set_position(2, float("inf"))
    api.wb_motor_set_velocity(2, 3.0)
    api.wb_robot_step(32)
    world.world.requests.clear()
    api.wb_robot_set_mode(REMOTE, "port 1")
    api.wb_robot_step(32)
    assert world.log() == [
        *[("init", "robot"), ("start", "port 1"), ("set_sampling_period", 1, 64)],
        *[("motor_set_position", 2, float("inf")), ("motor_set_velocity", 2, 3.0), ("robot_step", 32)],
    ]
    assert [(one.duration, one.blocks) for one in world.world.requests] == [(0, [(0, b"\x20")]), (32, [])]


def test_a_switch_says_settings_of_radio_and_sound_to_the_simulator_again(tmp_path: Path, attach: Attach):
    """They stay with the simulator; the specification declares them as lasting."""
    world = World(tmp_path, attach)
    api.wb_emitter_set_channel(4, 3)
    api.wb_emitter_set_range(4, 2.5)
    api.wb_receiver_set_channel(6, 4)
    api.wb_radio_set_address(7, "here")
    api.wb_radio_set_frequency(7, 2.4e9)
    api.wb_speaker_set_engine(8, "microsoft")
    api.wb_speaker_set_language(8, "de-DE")
    api.wb_robot_step(32)
    names = ("radio", "receiver", "wlan", "speaker")
    first = {name: [*world.world[name].commands] for name in names}
    assert [len(commands) for commands in first.values()] == [2, 1, 2, 2]
    for name in names:
        world.world[name].commands.clear()
    api.wb_robot_set_mode(REMOTE, "port 1")
    api.wb_robot_step(32)
    assert {name: world.world[name].commands for name in names} == first
    assert world.log() == [("init", "robot"), ("start", "port 1"), ("robot_step", 32)]


def test_another_argument_lets_the_robot_go_and_drives_the_other_one(remote: World):
    """Commands once went on to the first one, as if nothing had been asked."""
    api.wb_motor_set_velocity(2, 3.0)
    api.wb_robot_step(32)
    remote.log()
    api.wb_robot_set_mode(REMOTE, "port 2")
    assert api.wb_robot_get_mode() == REMOTE
    assert remote.log() == [("stop_actuators",), ("stop",), ("start", "port 2")]
    api.wb_robot_step(32)
    assert ("motor_set_velocity", 2, 3.0) in remote.log()


def test_another_argument_that_does_not_work_ends_remote_control(remote: World):
    remote.world.requests.clear()
    api.wb_robot_set_mode(REMOTE, "no")
    assert api.wb_robot_get_mode() == SIMULATION
    assert remote.log() == [("stop_actuators",), ("stop",), ("start", "no")]
    api.wb_motor_set_velocity(2, 3.0)
    api.wb_robot_step(32)
    assert remote.log() == []
    assert (0, b"\x21") in remote.world.requests[0].blocks


def test_the_same_argument_changes_nothing(remote: World):
    api.wb_robot_set_mode(REMOTE, "port 1")
    assert remote.log() == []


def test_commands_go_to_the_plugin_and_values_come_from_it(remote: World):
    remote.world.requests.clear()
    api.wb_distance_sensor_enable(1, 32)
    api.wb_motor_set_torque(2, 0.5)
    assert api.wb_robot_step(32) == 0
    assert remote.log() == [("set_sampling_period", 1, 32), ("motor_set_torque", 2, 0.5), ("robot_step", 32)]
    assert api.wb_distance_sensor_get_value(1) == 0.75
    assert [one.blocks for one in remote.world.requests] == [[]]


def test_radio_and_time_stay_with_the_simulator(remote: World):
    before = api.wb_robot_get_time()
    api.wb_emitter_send(4, b"hello")
    api.wb_robot_step(32)
    assert remote.world["radio"].last("send") is not None
    assert api.wb_robot_get_time() == before + 0.032


def test_a_command_that_the_plugin_does_not_know_is_told_once(
    remote: World, capsys: pytest.CaptureFixture[str]
):
    for value in (1, 2):
        api.wb_led_set(3, value)
        api.wb_robot_step(32)
    assert capsys.readouterr().err.count('the plugin "wire" has no led_set; it is ignored') <= 1
    assert remote.world["led"].last("set") is None


def test_a_general_method_takes_what_has_no_own(tmp_path: Path, attach: Attach):
    code = (
        PLUGIN
        + """
    def set_channel(self, *what): self.log.append(("set_channel", *what))
    def set_period(self, *what): self.log.append(("set_period", *what))
"""
    )
    world = World(tmp_path, attach, code)
    api.wb_robot_set_mode(REMOTE, "")
    api.wb_led_set(3, 7)
    api.wb_robot_battery_sensor_enable(16)
    api.wb_motor_enable_torque_feedback(2, 8)
    api.wb_robot_step(32)
    calls = [one for one in world.log() if one[0] in ("set_channel", "set_period")]
    assert ("set_channel", 3, "value", 7) in calls
    assert ("set_period", 0, "wb_robot_battery_sensor_enable", 16) in calls
    assert ("set_period", 2, "wb_motor_enable_torque_feedback", 8) in calls


def test_the_delay_of_the_robot_is_that_of_the_step(remote: World):
    remote.plugin.late = 5
    assert api.wb_robot_step(32) == 5


def test_back_to_simulation(remote: World):
    api.wb_motor_set_velocity(2, 2.0)
    api.wb_robot_step(32)
    remote.log()
    remote.world.requests.clear()
    api.wb_robot_set_mode(SIMULATION, "")
    assert api.wb_robot_get_mode() == SIMULATION
    assert remote.log() == [("stop_actuators",), ("stop",)]
    api.wb_robot_step(32)
    assert remote.log() == []
    assert remote.world.requests[0].blocks[0] == (0, b"\x21")
    assert remote.world["motor"].last("set_velocity") == (2.0,)


@pytest.mark.parametrize("failed", [True, "badly"])
def test_a_failure_stops_the_robot_and_goes_on_in_simulation(
    remote: World, failed: object, capsys: pytest.CaptureFixture[str]
):
    remote.plugin.failed = failed
    assert api.wb_robot_step(32) == 0
    assert api.wb_robot_get_mode() == SIMULATION
    assert remote.log() == [("robot_step", 32), ("stop_actuators",), ("stop",)]
    said = capsys.readouterr().err
    assert said.count("has lost the robot; its motors are stopped") == 1
    assert ("cable" in said) == (failed == "badly")
    api.wb_motor_set_velocity(2, 1.5)
    api.wb_robot_step(32)
    assert remote.world["motor"].last("set_velocity") == (1.5,)


def test_a_robot_that_is_not_there_leaves_the_simulation_alone(
    tmp_path: Path, attach: Attach, capsys: pytest.CaptureFixture[str]
):
    world = World(tmp_path, attach)
    api.wb_robot_set_mode(REMOTE, "no")
    assert api.wb_robot_get_mode() == SIMULATION
    assert 'cannot start with "no"' in capsys.readouterr().err
    api.wb_motor_set_velocity(2, 1.0)
    api.wb_robot_step(32)
    assert world.world["motor"].last("set_velocity") == (1.0,)
    api.wb_robot_set_mode(REMOTE, "yes")
    assert api.wb_robot_get_mode() == REMOTE
    assert [one[0] for one in world.log()] == ["init", "start", "start"]


def test_a_paused_simulation_stops_the_robot(remote: World):
    remote.world.tell("simulation_mode", 0)
    api.wb_robot_step(32)
    assert ("stop_actuators",) in remote.log()


def test_the_end_of_the_controller_stops_the_robot(remote: World):
    plugin = remote.plugin
    session.cleanup()
    assert plugin.log == [("stop_actuators",), ("stop",), ("cleanup",)]
    assert remote.world.closed


def test_cross_compilation_cannot_be_chosen(remote: World, capsys: pytest.CaptureFixture[str]):
    api.wb_robot_set_mode(CROSS_COMPILATION, "")
    assert "called with mode 1" in capsys.readouterr().err
    assert api.wb_robot_get_mode() == REMOTE


def test_a_robot_without_a_plugin_says_so(tmp_path: Path, attach: Attach, capsys: pytest.CaptureFixture[str]):
    World(tmp_path, attach, library="<none>")
    api.wb_robot_set_mode(REMOTE, "")
    assert 'its field "remoteControl" names none; the robot stays in simulation' in capsys.readouterr().err
    assert api.wb_robot_get_mode() == SIMULATION


def test_the_custom_function_reaches_the_plugin(remote: World):
    assert api.wb_remote_control_custom_function(21) == 42


# Finding plugins.


@pytest.mark.parametrize(
    ("field", "name"),
    [
        *[("wblink", "wblink"), ("void", ""), ("<none>", ""), ("", "")],
        *[("/p/plugins/remote_controls/e-puck/libe-puck.so", "e-puck"), ("C/x/x.dll", "x"), ("a/b.py", "b")],
    ],
)
def test_the_name_in_the_field(field: str, name: str):
    assert plugin_name(field) == name


def test_a_plugin_of_the_project_goes_first(tmp_path: Path):
    folder = tmp_path / "plugins" / "remote_controls"
    folder.mkdir(parents=True)
    (folder / "wblink.py").write_text(PLUGIN)
    assert find_plugin("wblink", str(tmp_path)).__module__ == "project_remote_control_wblink"
    assert find_plugin("wblink").__module__ == "wbridge.remote_controls.wblink"
    assert issubclass(find_plugin("wblink"), RemoteControl)


def test_installed_packages_offer_plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "wires-1.dist-info").mkdir()
    (tmp_path / "wires.py").write_text(PLUGIN)
    files = {
        "METADATA": "Metadata-Version: 2.1\nName: wires\nVersion: 1\n",
        "entry_points.txt": "[wbridge.remote_controls]\ncopper = wires:Plugin\nlost = nowhere:Plugin\n",
    }
    for name, text in files.items():
        (tmp_path / "wires-1.dist-info" / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_plugin("copper").__module__ == "wires"
    assert {"copper", "lost", "wblink"} <= {*plugins()}
    with pytest.raises(PluginError, match="the entry point nowhere:Plugin: ModuleNotFoundError"):
        find_plugin("lost")


def test_plugins_of_a_project_are_listed_as_they_are_found(tmp_path: Path):
    folder = tmp_path / "plugins" / "remote_controls"
    (folder / "far").mkdir(parents=True)
    for place in ("far/far.py", "far/helpers.py", "near.py", "_own.py"):
        (folder / place).write_text(PLUGIN)
    assert {*plugins(str(tmp_path))} - {*plugins()} == {"far", "near"}


def test_an_unknown_plugin_names_the_closest():
    with pytest.raises(PluginError, match='did you mean "wblink"'):
        find_plugin("wblinc")
    assert "wblink" in plugins()


@pytest.mark.parametrize("name", ["../wblink", "a/b", "", "os", "__init__"])
def test_a_strange_name_is_not_found(name: str, tmp_path: Path):
    with pytest.raises(PluginError, match="there is no remote control"):
        find_plugin(name, str(tmp_path))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("x = 1", "has no class Plugin"),
        ("class Plugin: pass", "that derives from wbridge.hal.remote.RemoteControl"),
        (
            "from wbridge.hal.remote import RemoteControl\nclass Plugin(RemoteControl): pass",
            "lacks start, stop",
        ),
        ("1 / 0", "ZeroDivisionError"),
        ("def", "SyntaxError"),
    ],
)
def test_a_plugin_that_is_none_says_what_it_lacks(tmp_path: Path, code: str, words: str):
    folder = tmp_path / "plugins" / "remote_controls" / "bad"
    folder.mkdir(parents=True)
    (folder / "bad.py").write_text(code)
    with pytest.raises(PluginError) as error:
        find_plugin("bad", str(tmp_path))
    assert words in str(error.value)
    assert "bad.py" in str(error.value)
