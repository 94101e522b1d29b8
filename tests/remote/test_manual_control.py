"""Who drives a real robot: its controller, or somebody who looks on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from wbridge.hal.gateway.manual_control import ManualControl
from wbridge.hal.gateway.plugin_calls import PluginCalls, Unable
from wbridge.hal.remote import RemoteControl

MOTOR, LED, SENSOR = 1, 2, 3
INF = float("inf")
ENABLE = "wb_distance_sensor_enable"


class Plugin(RemoteControl):
    """Notes its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        if name in ("set_channel", "set_period"):
            raise AttributeError(name)
        return lambda *arguments: self.calls.append((name, *arguments))


class Devices(list[Any]):
    """The devices of a robot by tag."""

    def device(self, tag: int) -> Any:
        return self[tag] if 0 < tag < len(self) else None


class Bench:
    """Manual control of a robot with a motor, an LED and a sensor."""

    def __init__(self) -> None:
        limits = {"max_velocity": 10.0, "max_force": 5.0}
        self.motor = SimpleNamespace(tag=MOTOR, node_type="RotationalMotor", **limits)
        self.led = SimpleNamespace(tag=LED, node_type="LED")
        self.sensor = SimpleNamespace(tag=SENSOR, node_type="DistanceSensor")
        devices = [None, self.motor, self.led, self.sensor]
        self.plugin = Plugin()
        self.requests: list[dict[str, Any]] = []
        self.told: list[tuple[Any, ...]] = []
        self.is_open = True
        calls = PluginCalls(self.plugin, lambda tag: devices[tag].node_type if devices[tag] else "")  # type: ignore[union-attr]
        self.manual = ManualControl(cast(Any, Devices(devices)), calls, cast(Any, self), self._say)

    def _say(self, device: Any, command: str, values: tuple[Any, ...]) -> None:
        self.plugin.calls.append(("controller", device.tag, command, *values))

    # As a trace.

    def hear(self) -> list[dict[str, Any]]:
        requests, self.requests = self.requests, []
        return requests

    def command(self, *said: Any) -> None:
        self.told.append(said)

    # As people.

    def ask(self, do: str, **more: Any) -> list[tuple[Any, ...]]:
        """A step with a request; what it makes the plugin do."""
        self.requests.append({"do": do, **more})
        return self.step()

    def step(self, is_silent: bool = False) -> list[tuple[Any, ...]]:
        before = len(self.plugin.calls)
        self.manual.step(is_silent)
        return self.plugin.calls[before:]


@pytest.fixture
def bench() -> Bench:
    return Bench()


STAND = [("motor_set_position", MOTOR, INF), ("motor_set_velocity", MOTOR, 0.0)]


def test_while_somebody_drives_the_controllers_commands_wait(bench: Bench):
    assert not bench.manual.takes(bench.motor, "set_position", (INF,))
    assert not bench.manual.takes(bench.motor, "set_velocity", (1.0,))
    assert bench.ask("set", tag=MOTOR, channel="velocity", value=4.0) == []  # not taken yet
    assert bench.ask("drive", on=True) == []
    assert bench.ask("set", tag=MOTOR, channel="velocity", value=4.0) == [("motor_set_velocity", MOTOR, 4.0)]
    assert bench.told == [(MOTOR, "velocity", 4.0)]
    assert bench.manual.takes(bench.motor, "set_velocity", (2.0,))
    assert bench.manual.takes(bench.led, "set", (1,))
    assert not bench.manual.takes(bench.sensor, "enable", (32,))
    assert bench.ask("drive", on=False) == [
        ("motor_set_available_torque", MOTOR, 5.0),
        ("motor_set_velocity", MOTOR, 10.0),
        ("controller", MOTOR, "set_position", INF),
        ("controller", MOTOR, "set_velocity", 2.0),
        ("controller", LED, "set", 1),
    ]
    assert not bench.manual.takes(bench.motor, "set_velocity", (3.0,))


def test_a_motor_that_the_controller_never_moved_stands_still_when_it_is_given_back(bench: Bench):
    bench.ask("drive", on=True)
    bench.ask("set", tag=MOTOR, channel="velocity", value=4.0)
    bench.ask("set", tag=LED, channel="value", value=1)
    assert bench.ask("drive", on=False) == [
        ("motor_set_available_torque", MOTOR, 5.0),
        ("motor_set_velocity", MOTOR, 0.0),
        ("led_set", LED, 0),
    ]
    before = len(bench.plugin.calls)
    assert not bench.manual.takes(
        bench.motor, "set_position", (1.0,)
    )  # the controller counts on full velocity
    assert bench.plugin.calls[before:] == [("motor_set_velocity", MOTOR, 10.0)]


def test_stopping_takes_the_robot(bench: Bench):
    assert bench.ask("stop") == STAND
    assert bench.manual.is_driven
    assert bench.told == [(MOTOR, "position", INF), (MOTOR, "velocity", 0.0)]


def test_a_silent_robot_is_told_to_stand_once_and_nothing_else(bench: Bench):
    bench.ask("drive", on=True)
    bench.ask("set", tag=MOTOR, channel="velocity", value=4.0)
    assert bench.step(is_silent=True) == STAND
    assert bench.step(is_silent=True) == []
    bench.requests.append({"do": "set", "tag": MOTOR, "channel": "velocity", "value": 4.0})
    assert bench.step(is_silent=True) == []
    assert bench.ask("set", tag=MOTOR, channel="velocity", value=2.0) == [("motor_set_velocity", MOTOR, 2.0)]


def test_a_silent_robot_that_its_controller_drives_is_left_to_it(bench: Bench):
    assert bench.step(is_silent=True) == []


def test_sensors_that_somebody_wants_stay_on(bench: Bench):
    on = [("set_sampling_period", SENSOR, 32)]
    assert bench.ask("enable", tag=SENSOR, function=ENABLE, period=32) == on
    assert bench.manual.keeps(SENSOR, ENABLE, 0)
    assert not bench.manual.keeps(SENSOR, ENABLE, 16)
    bench.manual.begin()  # a new connection
    assert bench.plugin.calls[-1:] == on
    assert bench.ask("enable", tag=SENSOR, function=ENABLE, period=0) == [("set_sampling_period", SENSOR, 0)]
    assert bench.ask("enable", tag=SENSOR, function=ENABLE, period=0) == []
    assert not bench.manual.keeps(SENSOR, ENABLE, 0)


@pytest.mark.parametrize("says", [True, False], ids=["with a word", "without a word"])
def test_whoever_leaves_gives_the_robot_back(bench: Bench, says: bool):
    bench.manual.takes(bench.motor, "set_velocity", (1.0,))
    bench.ask("enable", tag=SENSOR, function=ENABLE, period=32)
    bench.ask("drive", on=True)
    bench.ask("set", tag=MOTOR, channel="velocity", value=4.0)
    bench.is_open = says
    done = bench.ask("leave") if says else bench.step()
    assert done[:2] == STAND
    assert done[-2:] == [("controller", MOTOR, "set_velocity", 1.0), ("set_sampling_period", SENSOR, 0)]
    assert not bench.manual.is_driven
    assert bench.step() == []


@pytest.mark.parametrize(
    "nonsense",
    [
        {},
        {"do": "fly"},
        {"do": ["stop"]},
        {"do": "set"},
        {"do": "set", "tag": "x", "channel": "velocity", "value": 1},
        {"do": "set", "tag": 99, "channel": "velocity", "value": 1},
        {"do": "set", "tag": SENSOR, "channel": "value", "value": 1},
        {"do": "enable", "tag": SENSOR},
    ],
)
def test_nonsense_moves_nothing(bench: Bench, nonsense: dict[str, Any]):
    bench.ask("drive", on=True)
    bench.requests.append(nonsense)
    assert bench.step() == []


def test_hands_take_the_general_way_where_there_is_no_other():
    said: list[tuple[Any, ...]] = []
    general = RemoteControl()
    general.set_channel = lambda *arguments: said.append(arguments)  # type: ignore[attr-defined]
    general.set_period = lambda *arguments: said.append(arguments)  # type: ignore[attr-defined]
    calls = PluginCalls(general, lambda tag: "LinearMotor")
    calls.set(MOTOR, "force", 1.5)
    calls.set_period(MOTOR, "wb_motor_enable_force_feedback", 8)
    calls.set_period(0, "wb_robot_battery_sensor_enable", 8)
    assert said == [
        (MOTOR, "force", 1.5),
        (MOTOR, "wb_motor_enable_force_feedback", 8),
        (0, "wb_robot_battery_sensor_enable", 8),
    ]
    with pytest.raises(Unable, match="motor_set_force"):
        PluginCalls(RemoteControl(), lambda tag: "LinearMotor").set(MOTOR, "force", 1.5)


def test_after_an_outage_the_controllers_commands_wait_until_the_reader_says_who_drives(bench: Bench):
    bench.manual.await_driver()
    assert bench.manual.takes(bench.motor, "set_position", (INF,))
    assert bench.manual.takes(bench.motor, "set_velocity", (2.0,))
    assert bench.step() == []
    assert bench.ask("drive", on=False)[-2:] == [
        ("controller", MOTOR, "set_position", INF),
        ("controller", MOTOR, "set_velocity", 2.0),
    ]
