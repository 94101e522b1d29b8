"""The I2C bus of a board under QEMU: devices are register tables in the firmware's own memory."""

from __future__ import annotations

import re

from wbridge.wbfirmware.emulators.qemu_machine import Machine

DEVICES, REGISTERS, HEAD = 4, 128, 2
PLUGGED = 0x80
_NAME = re.compile(r"I2C:(\w+)(?::(\w+)(?::([12]))?)?")


class Bus:
    """Names as in `wbridge.wbfirmware.bench`: I2C:ADDRESS, I2C:ADDRESS:REGISTER, I2C:ADDRESS:REGISTER:2."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._begin = machine.symbols.get("bench_i2c")
        """None: this firmware uses no bus."""

    @property
    def in_use(self) -> bool:
        """True if the firmware has a bus, which resistors pull high."""
        return self._begin is not None

    def __contains__(self, name: str) -> bool:
        return self._begin is not None and _NAME.fullmatch(name) is not None

    def drive(self, name: str, value: float) -> None:
        """Connect or disconnect a device, or set the content of a register.

        Raises:
            ValueError: the register does not exist, or there is no room for another device.
        """
        address, register, size = _parts(name)
        here = self._find(address)
        if here is None:
            here = self._find(None)
            if here is None:
                raise ValueError(f"there is room for {DEVICES} devices")
        self._machine.write(here, address | PLUGGED if size or value else 0, 1)
        for k, byte in enumerate((int(value) & 0xFFFF).to_bytes(2, "big")[2 - size :]):
            self._machine.write(here + HEAD + register + k, byte, 1)

    def show(self, name: str) -> str:
        """Return the state of a device or register as text."""
        address, register, size = _parts(name)
        here = self._find(address)
        if size == 0:
            return f"device {int(here is not None)}"
        if here is None:
            return "register 0"
        data = bytes(self._machine.read(here + HEAD + register + k, 1) for k in range(size))
        return f"register {int.from_bytes(data, 'big', signed=size > 1)}"

    def _find(self, address: int | None) -> int | None:
        """Return the address of a device in memory; of a free entry for None."""
        assert self._begin is not None
        places = [self._begin + k * (HEAD + REGISTERS) for k in range(DEVICES)]
        wanted = 0 if address is None else address | PLUGGED
        return next((place for place in places if self._machine.read(place, 1) == wanted), None)


def _parts(name: str) -> tuple[int, int, int]:
    """Split a name into address, first register and bytes; 0 bytes: the device itself."""
    name_parts = _NAME.fullmatch(name)
    assert name_parts is not None
    address, register, size = int(name_parts[1], 0), int(name_parts[2] or "0", 0), int(name_parts[3] or "1")
    size = size if name_parts[2] else 0
    if not 0 <= address < PLUGGED or not 0 <= register <= REGISTERS - size:
        raise ValueError(f"addresses are below {PLUGGED:#x}, and registers below {REGISTERS:#x}")
    return address, register, size
