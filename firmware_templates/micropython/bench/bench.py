"""An emulated board for MicroPython: its pins and clock, and the line protocol of wbfirmware/bench.py.

`host` gives lines from the test bench (`readline`), takes lines for it (`write`), and what the program has
printed, in hexadecimal (`printed`). Time passes only in `wait`; computing takes none.
"""

import json

import host

config = json.loads(host.config())
SUPPLY = config["supply"]
NAMES = {number: name for name, number in config["pins"].items()}


class State:
    """A pin."""

    def __init__(self):
        self.use, self.value = "input", 0.0  # of an output
        self.driven = None  # from outside: volts or a level
        self.pull_up = False
        self.changed, self.handler = None, None
        self.watchers = []
        """Parts that see the output: called with the levels before and after a change."""
        self.released = None
        """A part that sees a high output become an input."""

    def level(self):
        """Return the level at the pin."""
        if self.use != "input":
            return int(self.value)
        return int(self.pull_up if self.driven is None else self.driven != 0)

    def set_mode(self, use, pull_up):
        """Make it an input or an output."""
        was_high = self.use == "output" and self.value
        self.use, self.pull_up = use, pull_up
        if was_high and use == "input" and self.released is not None:
            self.released()

    def set(self, level):
        """Set the output."""
        before, self.value = int(self.value), level
        if level != before:
            for one in self.watchers:
                one(before, level)

    def drive(self, value):
        """Set the pin from outside; calls the handler of a change."""
        before = self.level()
        self.driven = value
        if self.handler is not None and self.use == "input" and self.level() != before:
            self.handler(self.changed)


pins = {name: State() for name in config["pins"]}
SHOWN = 3  # the place of canvas.shown in what `memory` shows
REGISTERS, PAGES, PAGE = 256, 8, 0xFF
"""Parts with pages select one by a register; others do not use it."""
registers = {}
"""Registers of the parts on the I2C bus, by address, page after page."""
timers = []
line_in, line_out = bytearray(), bytearray()
"""Bytes of the second serial line that the program has not read, and that the bench has not taken."""
now = 0
_until = 0
_is_running = False
"""True while a `run` has not been answered."""


def wait(target):
    """Let time pass until a time in us; this is where the bench talks to the board."""
    global now
    while now < target:
        if now >= _until:
            _serve()
            continue
        due = min([target, _until] + [one.due for one in timers])
        now = max(now, due)
        for one in list(timers):
            if one.due <= now:
                one.fire()


class Once:
    """Calls a function once, at a time in us."""

    def __init__(self, due, function):
        self.due, self._function = due, function

    def fire(self):
        """The time has come."""
        timers.remove(self)
        self._function()


def after(microseconds, function):
    """Call a function once, after some time."""
    timers.append(Once(now + microseconds, function))


def register(part, number):
    """Return the place of a register on the selected page."""
    return number if number == PAGE else part[PAGE] % PAGES * REGISTERS + number


def _serve():
    """Answer the last `run`, and execute commands until the next one."""
    global _until, _is_running
    if _is_running:
        host.write("ran " + host.printed())
        _is_running = False
    while True:
        line = host.readline()
        if not line:
            raise SystemExit
        verb, *words = line.split()
        if verb == "run":
            _is_running = True
            _until += int(words[0])
            return
        COMMANDS[verb](*words)


def _drive(name, value):
    if name.startswith("I2C:"):
        _drive_part(*[int(one, 0) for one in name.split(":")[1:]], value=int(float(value)))
    elif name in pins:
        pins[name].drive(float(value))
    elif not (bench_panel.drive(name, float(value)) or bench_parts.drive(name, float(value))):
        host.write(f"error drive {name} {value}: this emulator has no such part")


def _drive_part(address, register=None, size=1, value=0):
    if register is None and not value:
        registers.pop(address, None)
        return
    part = registers.setdefault(address, bytearray(PAGES * REGISTERS))
    if register is None:
        return
    for k in range(size):
        part[register + k] = value >> 8 * (size - 1 - k) & 0xFF


def _show(name):
    if name.startswith("I2C:"):
        address, *register = [int(one, 0) for one in name.split(":")[1:]]
        part = registers.get(address)
        found = bool(part) if not register else part[register[0]] if part else 0
        kind = "register" if register else "device"
        host.write(f"{kind} {int(found)}")
    elif name in pins:
        pin = pins[name]
        value = pin.level() if pin.use in ("input", "output") else pin.value
        host.write(f"{pin.use} {value!r}")
    else:
        host.write(bench_panel.show(name) or bench_parts.show(name) or "input 0")


def _memory(place, size):
    from wb import channels, robot

    if int(place) == SHOWN:
        from wb import canvas

        data = bytes([canvas.shown])
    elif int(place):
        times = (robot.begun, robot.schedule)[int(place) - 1]
        data = bytes([times >> shift & 0xFF for shift in (0, 8, 16, 24)])
    else:
        data = bytes(channels.numbers)
    host.write("memory " + "".join(f"{one:02x}" for one in data[: int(size)]))


def _give(data=""):
    line_in.extend(bytes(int(data[k : k + 2], 16) for k in range(0, len(data), 2)))


def _taken():
    global line_out
    host.write("taken " + "".join(f"{one:02x}" for one in line_out))
    line_out = bytearray()


import bench_panel  # noqa: E402
import bench_parts  # noqa: E402 (it needs the pins)

COMMANDS = {
    "drive": _drive,
    "show": _show,
    "memory": _memory,
    "send": lambda *_: None,
    "give": _give,
    "taken": _taken,
}


def serve():
    """Answer until the bench ends: the program has ended."""
    while True:
        wait(now + 1_000_000_000)
