"""Whatever a controller sends, the simulation goes on: random bytes and extreme values for all devices."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.devices.rig import NEW, Rig, robot, world
from wbridge.hal.protocol.packet import Block, Request
from wbridge.wbcore.devices import Device, device_class

SIMPLE = (
    *("Accelerometer", "Altimeter", "Camera", "Compass", "Connector", "Display", "DistanceSensor", "Emitter"),
    *("GPS", "Gyro", "InertialUnit", "LED", "Lidar", "LightSensor", "Microphone", "Pen", "Radar", "Radio"),
    *("RangeFinder", "Receiver", "Skin", "Speaker", "TouchSensor", "VacuumGripper"),
)
JOINT = (
    "HingeJoint { device [ RotationalMotor { } PositionSensor { } Brake { } ] endPoint Solid { "
    "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } } }"
)
NUMBERS = (0.0, -1.0, 1e308, -1e308, float("nan"), float("inf"), float("-inf"), 5e-324)
INTEGERS = (0, 1, -1, 255, 2**15, 2**31 - 1, -(2**31))


@pytest.fixture
def rig() -> Rig:
    modelled = [kind for kind in SIMPLE if device_class(kind) is not Device]
    children = " ".join(f'{kind} {{ name "{kind}" }}' for kind in modelled)
    return Rig(world(robot(f"{children} {JOINT}")), header=NEW)


def extremes(chance: random.Random) -> Iterator[bytes]:
    """Parts of commands."""
    while True:
        yield chance.choice(
            (
                struct.pack("<d", chance.choice(NUMBERS)),
                struct.pack("<i", chance.choice(INTEGERS)),
                struct.pack("<H", chance.randrange(2**16)),
                bytes([chance.randrange(256)]),
                struct.pack("<H", 3) + b"ab\0",
                b"x\0",
            )
        )


def blocks(chance: random.Random, codes: list[int], width: int) -> Iterator[bytes]:
    """Blocks that begin with a known command."""
    parts = extremes(chance)
    while True:
        code = chance.choice(codes).to_bytes(width, "little")
        yield code + b"".join(next(parts) for _ in range(chance.randrange(8)))
        yield chance.randbytes(chance.randrange(40))


@pytest.mark.parametrize("seed", range(3))
def test_nonsense_for_devices_does_no_harm(rig: Rig, seed: int):
    chance = random.Random(seed)
    for device in rig.robot.devices:
        if device.codec is None:
            continue
        width = 2 if "Motor" in device.entry.type else 1
        made = blocks(chance, sorted(device.codec.commands), width)
        for _ in range(300):
            rig.robot.take(Request(0, [Block(device.tag, next(made))]))
        rig.simulation.step(2)
        rig.robot.sample()
        rig.robot.write_answer(bytearray())
    assert rig.simulation.steps == 2 * sum(one.codec is not None for one in rig.robot.devices)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@pytest.mark.parametrize("fields", ["", "supervisor TRUE"])
def test_nonsense_for_the_robot_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: str, seed: int
):
    monkeypatch.chdir(tmp_path)  # a supervisor saves the world
    rig = Rig(world(robot("", fields) + robot("", name="other")), path=tmp_path / "test.wbt")
    chance = random.Random(seed)
    made = blocks(chance, sorted(rig.robot.codec.commands), 1)
    for _ in range(2000):
        rig.robot.take(Request(0, [Block(0, next(made))]))
    rig.simulation.step(2)
    rig.robot.sample()
    rig.robot.write_answer(bytearray())
    # A supervisor may have reset the simulation in the first of the steps.
    assert rig.simulation.steps in (1, 2)


def test_warnings_about_nonsense_are_limited(rig: Rig, caplog: pytest.LogCaptureFixture):
    for tag in range(1000, 2000):
        rig.robot.take(Request(0, [Block(tag, b"\1")]))
    assert len(caplog.records) == 101
    assert caplog.records[-1].getMessage().endswith("stopped after 100 warnings; later ones are not shown")


def test_blocks_for_devices_that_there_are_not_are_said(rig: Rig, caplog: pytest.LogCaptureFixture):
    rig.robot.take(Request(0, [Block(5000, b"\1")]))
    assert "a command for device 5000" in caplog.records[0].getMessage()
