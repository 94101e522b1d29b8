"""The pins of an emulated board, what is connected to them, and comparisons of what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.wbfirmware.bench import Bench, PinState
from wbridge.wbverify.coupling import Couplings
from wbridge.wbverify.coupling.couplings import (
    ActuatorCoupling,
    PictureOutput,
    PinEvent,
    SensorCoupling,
    SerialBytes,
    SerialPart,
)
from wbridge.wbverify.reference import SentPacket

EXAMINATION = "examination of the board"
"""Source of what an examination expects."""
EXCHANGE_US = 1000
"""Time between two exchanges of bytes with parts at the second serial line, and between two looks at motors
with a switch and at rows of LEDs."""


class PinComparison(NamedTuple):
    """The quantity shown by the pins of a device in a step, and the expected one."""

    step: int
    tag: int
    quantity: str
    wanted: float
    found: float
    bound: float
    source: str = ""
    """Where the expected quantity is from; "": the run on the desktop."""


class BoardPins:
    """All pins of an emulated board and what is connected to them."""

    def __init__(self, bench: Bench, coupled: Couplings, step_ms: float) -> None:
        self._bench = bench
        self.sensors, self.actuators, self.packet_outputs, self.pictures = coupled
        self._step_us = 1000 * step_ms
        couplings: list[SensorCoupling | ActuatorCoupling] = [
            *self.sensors.values(),
            *self.actuators.values(),
        ]
        parts = {id(part): part for wire in couplings if (part := wire.serial_part) is not None}
        self._parts: list[SerialPart] = list(parts.values())
        self._followers = [actuator for actuator in self.actuators.values() if actuator.watched]
        self._is_sliced = bool(self._parts or self._followers)
        """Parts act on the board while time passes."""
        self._now_us = 0
        for wire in couplings:
            for event in wire.start():
                bench.drive(event.pin, event.value)
        for output in self.pictures.values():
            bench.drive(output.name, 1)
        self.read_all(self.actuators)  # parts that decode signals start with the first look at them
        self.output_bytes = bytearray()
        """Sent by the board until the last call of `take_output`."""

    def take_output(self) -> None:
        """Take what the board has sent.

        Raises:
            BenchError: the emulator has ended.
        """
        self.output_bytes += self._bench.sent()

    def wait(self, share: float) -> None:
        """Let a share of a step pass."""
        self._run(round(share * self._step_us))

    def _run(self, microseconds: int) -> None:
        """Let time pass, in which parts at the second serial line exchange bytes with the board, and motors
        move to their switches."""
        if not self._is_sliced:
            self._bench.pass_time(microseconds)
            return
        end = self._now_us + microseconds
        while self._now_us < end:
            passing = min(EXCHANGE_US, end - self._now_us)
            self._bench.pass_time(passing)
            self._now_us += passing
            states = self._bench.show_all(pin for act in self._followers for pin in act.watched)
            for act in self._followers:
                for event in act.react(states):
                    self._bench.drive(event.pin, event.value)
            if not self._parts:
                continue
            data = self._bench.taken()
            answer = b"".join(part.exchange(data, self._now_us) for part in self._parts)
            if answer:
                self._bench.give(answer)

    def read(self, act: ActuatorCoupling) -> Mapping[str, PinState]:
        """The state of a device's pins."""
        return self._bench.show_all(act.pins)

    def read_all(self, actuators: Mapping[int, ActuatorCoupling]) -> dict[int, Mapping[str, PinState]]:
        """The states of the pins of devices, by tag, all at one moment."""
        states = self._bench.show_all(pin for act in actuators.values() for pin in act.pins)
        return {tag: {pin: states[pin] for pin in act.pins} for tag, act in actuators.items()}

    def picture(self, output: PictureOutput) -> NDArray[np.bool_]:
        """The pixels of a display that are lit."""
        return output.found(self._bench.picture(output.name))

    def sent_packets(self) -> list[SentPacket]:
        """The packets that the board has sent since the last call."""
        if not self.packet_outputs:
            return []
        data = self._bench.taken()
        return [
            SentPacket(tag, *event)
            for tag, output in self.packet_outputs.items()
            for event in output.decode(data)
        ]

    def apply_inputs(self, share: float, looks: Iterable[tuple[float, Callable[[], None]]] = ()) -> None:
        """Apply the new sensor values to the pins, spread over a share of a step.

        Args:
            share: of the step.
            looks: calls at some parts of this time, 0 to 1.
        """
        events: list[tuple[float, PinEvent | SerialBytes | Callable[[], None]]] = [*looks]
        for wire in self.sensors.values():
            own = list(wire.events())
            events += [((k + 1) / (len(own) + 1), event) for k, event in enumerate(own)]
        past, end = 0, round(share * self._step_us)
        for part, event in sorted(events, key=lambda event: event[0]):
            at = round(part * end)
            if at > past:
                self._run(at - past)
                past = at
            if isinstance(event, PinEvent):
                self._bench.drive(event.pin, event.value)
            elif isinstance(event, SerialBytes):
                self._bench.give(event.data)
            else:
                event()
        self._run(end - past)
