"""A small robot and both ends of a link to it, in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wbridge.hal.catalogue import kind
from wbridge.hal.link.framing import CobsDecoder, frame_cobs
from wbridge.hal.link.master import Master
from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.hal.link.pipe import FramedPipe, Pipe, VirtualClock
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.link.transports.loop import LoopPipe
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable

SIZES = {"width": 4, "height": 3, "type": "color", "recognition": True, "segmentation": False}


def make_device(tag: int, name: str, type_: str, **constants: Any) -> DeviceEntry:
    """A device with the channels that the catalogue gives it."""
    declared = kind(type_)
    assert declared is not None
    channels = tuple(
        Channel(one.name, one.direction, one.type, one.shape_for(constants), one.enable)
        for one in declared.channels
        if one.exists_for(constants)
    )
    return DeviceEntry(tag, name, type_, "", constants, channels)


def make_table(*devices: tuple[str, str], name: str = "rover") -> DeviceTable:
    """The table of a robot with devices of these names and types."""
    made = tuple(make_device(k + 1, *one, **SIZES) for k, one in enumerate(devices))
    return DeviceTable(make_device(0, name, "Robot"), made)


ROVER = make_table(
    ("left motor", "RotationalMotor"),
    ("right motor", "RotationalMotor"),
    ("ds", "DistanceSensor"),
    ("imu", "Accelerometer"),
    ("gps", "GPS"),
    ("led", "LED"),
    ("radio", "Emitter"),
    ("ear", "Receiver"),
)


class Bench:
    """A master and a slave with a loop between them; time passes only while somebody waits."""

    def __init__(
        self,
        table: DeviceTable = ROVER,
        options: SlaveOptions | None = None,
        wire: Callable[[Pipe], Pipe] = lambda pipe: pipe,
        framing: str = "",
        **settings: Any,
    ) -> None:
        self.clock, self.robot = VirtualClock(), RecordingRobot()
        self.slave = Slave(table, self.robot, options)
        self.wire, self.framing, self.plugged = wire, framing, True
        self.settings, self.clients = settings, 0
        self.master = self.controller(table)
        self.numbering = self.slave.numbering
        self.decoder: CobsDecoder | None = None

    def controller(self, table: DeviceTable = ROVER, **settings: Any) -> Master:
        """A further controller at the same robot."""
        self.clients += 1
        settings = {"build": "controller", "client": self.clients, **self.settings, **settings}
        master = Master(table, self.open, clock=self.clock, sleep=self.sleep, **settings)
        master._session = 100  # else drawn at random
        return master

    def sleep(self, seconds: float) -> None:
        """Let time pass at both ends."""
        self.clock.now += seconds
        self.slave.tick(1000 * self.clock.now)

    def open(self) -> Pipe:
        """A new wire to the robot."""
        near, far = LoopPipe.pair(self.clock)
        decoder = CobsDecoder()

        def work() -> None:
            self.slave.tick(1000 * self.clock.now)
            while (data := far.receive(0.0)) is not None:
                if not self.plugged:
                    continue
                for message in decoder.feed(data) if self.framing else [data]:
                    answer = self.slave.receive(message, 1000 * self.clock.now)
                    if answer is not None and far.other is not None:
                        far.send(frame_cobs(answer) if self.framing else answer)

        near.serve = work
        wire = self.wire(near)
        return FramedPipe(wire, self.framing, self.clock) if self.framing else wire

    def channel(self, device: str, name: str) -> LinkChannel:
        """A channel by the names of device and channel."""
        return next(one for one in self.numbering.channels if one.label == f"{device}.{name}")

    def slot(self, device: str) -> Slot:
        """The first sampling period of a device."""
        return next(one for one in self.numbering.slots if one.device == device)


@pytest.fixture
def bench() -> Bench:
    """Both ends of a good link to the rover."""
    return Bench()


@pytest.fixture
def numbering() -> Numbering:
    """The channels of the rover."""
    return Numbering(ROVER)
