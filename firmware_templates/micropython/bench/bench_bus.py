"""Parts on the I2C bus of an emulated board: tables of registers, see boards/shared/registers/registers.c."""

import bench_panel

ADDRESSES, REGISTERS, PAGES, PAGE = 128, 256, 8, 0xFF
"""Parts with pages select one by a register; others do not use it."""
registers = {}
"""Registers of the parts by address, page after page."""


def register(part, number):
    """Return the place of a register on the selected page."""
    return number if number == PAGE else part[PAGE] % PAGES * REGISTERS + number


def part(address):
    """Return the registers of a part.

    Raises:
        OSError: it is not connected.
    """
    if address not in registers:
        raise OSError(19)
    return registers[address]


def write(address, data):
    """Write to registers; the first byte is the number of the first one."""
    if address in bench_panel.panels:
        bench_panel.panels[address].write(data)
        return
    one = part(address)
    for k, byte in enumerate(data[1:]):
        one[register(one, data[0] + k)] = byte


def read(address, number, size):
    """Return the content of registers."""
    one = part(address)
    first = register(one, number)
    return bytes(one[first : first + size])


def _target(name):
    """Return address, first register and bytes of a name; 0 bytes are the part itself. None for other names
    and for what no part has."""
    kind, *words = name.split(":")
    try:
        address, first, size = ([int(one, 0) for one in words] + ([1] if len(words) > 1 else [0, 0]))[:3]
    except ValueError:  # no numbers, too few or too many
        return None
    is_there = (
        0 <= address < ADDRESSES and first >= 0 and 0 <= size <= 2 and first + size <= PAGES * REGISTERS
    )
    return (address, first, size) if kind == "I2C" and len(words) <= 3 and is_there else None


def drive(name, value):
    """Set registers, which connects their part; connect (1) or disconnect (0) a part. Returns False for names
    that are not on the bus."""
    target = _target(name)
    if target is None:
        return False
    address, first, size = target
    if not size and not value:
        registers.pop(address, None)
        return True
    one = registers.setdefault(address, bytearray(PAGES * REGISTERS))
    for k in range(size):
        one[first + k] = int(value) >> 8 * (size - 1 - k) & 0xFF
    return True


def show(name):
    """Return the state of a part or of its registers; None for other names."""
    target = _target(name)
    if target is None:
        return None
    address, first, size = target
    if not size:
        return f"device {int(address in registers)}"
    number = 0
    for byte in registers.get(address, bytes(first + size))[first : first + size]:
        number = number << 8 | byte
    return f"register {number - 65536 if number > 32767 else number}"
