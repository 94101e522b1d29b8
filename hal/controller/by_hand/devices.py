"""What single devices of the object API do in their own way."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from hal.controller.by_hand.device import Device, Sensor
from hal.controller.by_hand.old import deprecated
from hal.modes.session import current
from hal.modes.written_for import is_older

if TYPE_CHECKING:
    from hal.controller.brake import Brake
    from hal.controller.motor import Motor
    from hal.controller.position_sensor import PositionSensor
    from hal.modes.devices.brake import Brake as BrakeDevice
    from hal.modes.devices.emitter import Emitter
    from hal.modes.devices.receiver import Receiver
    from hal.modes.devices.speaker import Speaker

__all__ = ["BrakeBase", "EmitterBase", "MotorBase", "PositionSensorBase", "ReceiverBase", "SpeakerBase"]


def sibling(tag: int) -> Any:
    """The object for a device of the same joint; None for tag 0."""
    return None if tag == 0 else current_face(tag)


def current_face(tag: int) -> Any:
    """The object for a device of the robot."""
    from hal.controller.by_hand.robot import face

    return face(current(), tag)


class WithMotor(Device):
    """A device on whose joint there may be a motor."""

    @property
    def motor(self) -> Motor | None:
        """The motor on the same joint; None when there is none."""
        return sibling(self._device.get_motor())  # type: ignore[no-any-return]

    def getMotor(self) -> Motor | None:
        """The motor on the same joint; None when there is none."""
        return self.motor


class WithBrake(Device):
    """A device on whose joint there may be a brake."""

    @property
    def brake(self) -> Brake | None:
        """The brake on the same joint; None when there is none."""
        return sibling(self._device.get_brake())  # type: ignore[no-any-return]

    def getBrake(self) -> Brake | None:
        """The brake on the same joint; None when there is none."""
        return self.brake


class WithPositionSensor(Device):
    """A device on whose joint there may be a position sensor."""

    @property
    def position_sensor(self) -> PositionSensor | None:
        """The position sensor on the same joint; None when there is none."""
        return sibling(self._device.get_position_sensor())  # type: ignore[no-any-return]

    def getPositionSensor(self) -> PositionSensor | None:
        """The position sensor on the same joint; None when there is none."""
        return self.position_sensor


class MotorBase(WithBrake, WithPositionSensor):
    """What a motor does in its own way."""


class BrakeBase(WithMotor, WithPositionSensor):
    """What a brake does in its own way."""

    _device: BrakeDevice

    def _set_damping(self, c: float) -> None:
        self._device.set_damping_constant(c)

    dampingConstant = property(fset=_set_damping, doc="Write-only: see `setDampingConstant`.")


class PositionSensorBase(WithMotor, WithBrake, Sensor):
    """What a position sensor does in its own way."""


class EmitterBase(Device):
    """What an emitter does in its own way."""

    _device: Emitter

    def send(self, message: str | bytes | list[Any] | tuple[Any, ...], length: int | None = None) -> int:
        """Queue a packet; it leaves with the next step.

        Args:
            message: bytes; a text, sent as UTF-8; or a list of floats (8 bytes each), ints (4) or bools (1).
            length: of bytes, how many to send; by default all.

        Returns:
            1, or 0 when the buffer is full or the message cannot be sent.

        Raises:
            TypeError: the message is nothing of this.
        """
        if isinstance(message, (str, bytes, bytearray, memoryview)):
            return self._device.send(message, length if not isinstance(message, str) else None)
        if not isinstance(message, (list, tuple)):
            raise TypeError(f"send() takes a text, bytes or a list of numbers, not {message!r}")
        first = message[0] if message else None
        code = "?" if isinstance(first, bool) else "i" if isinstance(first, int) else "d"
        try:
            return self._device.send(struct.pack(f"<{len(message)}{code}", *message))
        except struct.error as problem:
            self._device.error("send", f"called with a list that has no bytes: {problem}.")
            return 0


class ReceiverBase(Sensor):
    """What a receiver does in its own way."""

    _device: Receiver

    def getBytes(self) -> bytes:
        """The first packet; empty when there is none."""
        return self._device.get_data() or b""

    def getString(self) -> str:
        """The first packet as text in UTF-8."""
        return self.getBytes().decode()

    @property
    def string(self) -> str:
        """The first packet as text in UTF-8."""
        return self.getString()

    def getFloats(self) -> tuple[float, ...]:
        """The first packet as numbers of 8 bytes."""
        return self._unpack("d", 8)

    def getInts(self) -> tuple[int, ...]:
        """The first packet as whole numbers of 4 bytes."""
        return self._unpack("i", 4)

    def getBools(self) -> tuple[bool, ...]:
        """The first packet as truth values of 1 byte."""
        return self._unpack("?", 1)

    def _unpack(self, code: str, size: int) -> tuple[Any, ...]:
        data = self.getBytes()
        count = len(data) // size
        return struct.unpack_from(f"<{count}{code}", data)

    def getData(self) -> str | bytes:
        """Old: the first packet as text; in worlds from before R2023a as bytes, which they expect."""
        if is_older(current().info.world_path, "R2023a"):
            return self.getBytes()
        deprecated("Receiver.getData", "Receiver.getString or Receiver.getBytes")
        return self.getString()


class SpeakerBase(Device):
    """What a speaker does in its own way."""

    _device: Speaker

    @staticmethod
    def playSound(
        left: SpeakerBase,
        right: SpeakerBase,
        sound: str,
        volume: float,
        pitch: float,
        balance: float,
        loop: bool,
    ) -> None:
        """Play a sound on one or two speakers; for a sound that is playing, change how.

        Args:
            left: plays the left channel.
            right: plays the right channel; the same speaker plays both.
            sound: file, relative to the controller or the project.
            volume: 0 to 1.
            pitch: above 0; 2 is twice as fast and an octave higher.
            balance: from -1 (only left) to 1 (only right).
            loop: begin anew at the end.
        """
        from hal.modes.devices.speaker import play_sound

        play_sound(left._device, right._device, sound, volume, pitch, balance, loop)
