"""An emulated board for MicroPython: its pins and clock, and the line protocol of wbfirmware/bench.py.

`host` gives lines from the test bench (`readline`), takes lines for it (`write`), and what the program has
printed, in hexadecimal (`printed`). Time passes only in `wait`; computing takes none.
"""

import json
from binascii import hexlify, unhexlify

import host

config = json.loads(host.config())
SUPPLY = config["supply"]
NAMES = {number: name for name, number in config["pins"].items()}


class State:
    """A pin."""

    def __init__(self):
        self.use, self.value = "input", 0.0  # of an output
        self.hertz = 0  # of PWM
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


def _serve():
    """Answer the last `run`, and execute commands until the next one."""
    global _is_running
    if _is_running:
        host.write("ran " + host.printed())
        _is_running = False
    while not _is_running:
        line = host.readline()
        verb, *words = line.split() or [""]
        command, count = COMMANDS.get(verb, (None, 0))
        if len(words) > count or command is None or command(*words + [""] * (count - len(words))) is False:
            host.write("error " + line)


def _run(microseconds):
    global _until, _is_running
    _is_running = microseconds.isdigit()
    if _is_running:
        _until += int(microseconds)
    return _is_running


def _number(text):
    """Return a finite number; None if a text is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number - number == 0 else None


def _drive(name, value):
    number = _number(value)
    if number is None:
        host.write(f"error drive {name} {value}: a number is expected")
    elif name in pins:
        pins[name].drive(number)
    elif not any(one.drive(name, number) for one in (bench_bus, bench_panel, bench_parts)):
        host.write(f"error drive {name} {value}: this emulator has no such part")


def _show(name):
    if name in pins:
        pin = pins[name]
        value = pin.level() if pin.use in ("input", "output") else pin.value
        hertz = pin.hertz if pin.use == "pwm" else 0
        host.write(f"{pin.use} {value!r} {hertz}")
        return True
    found = bench_bus.show(name) or bench_panel.show(name) or bench_parts.show(name)
    if found:
        host.write(found)
    return bool(found)


def _memory(place, size):
    if not (place.isdigit() and size.isdigit() and int(place) <= SHOWN):
        return False
    from wb import channels, robot

    if int(place) == SHOWN:
        from wb import canvas

        data = bytes([canvas.shown])
    elif int(place):
        times = (robot.begun, robot.schedule)[int(place) - 1]
        data = bytes([times >> shift & 0xFF for shift in (0, 8, 16, 24)])
    else:
        data = bytes(channels.numbers)
    host.write("memory " + hexlify(data[: int(size)]).decode())
    return True


def _give(data):
    try:
        line_in.extend(unhexlify(data))
    except ValueError:
        return False
    return True


def _taken():
    global line_out
    host.write("taken " + hexlify(line_out).decode())
    line_out = bytearray()


import bench_bus  # noqa: E402 (parts need the pins)
import bench_panel  # noqa: E402
import bench_parts  # noqa: E402

COMMANDS = {
    "run": (_run, 1),
    "drive": (_drive, 2),
    "show": (_show, 1),
    "memory": (_memory, 2),
    "send": (lambda _: None, 1),
    "give": (_give, 1),
    "taken": (_taken, 0),
}
"""Functions, which return False if they refuse a command, and the most words of each."""


def serve():
    """Answer until the bench ends: the program has ended."""
    while True:
        wait(now + 1_000_000_000)
