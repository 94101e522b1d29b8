"""Reports of the processor's load, and of commands and readings of each step, in the lines of standalone.c
and report.c."""

from binascii import hexlify
from struct import pack
from time import ticks_diff, ticks_us

from wb import board, channels, messages, table

LOAD, DEVICES = "report_load", "report_devices"
LOAD_US, BATTERY_MS = 1000000, 1000
"""Between two reports of the load, and of a battery that the controller does not read."""

_commands, _readings = set(), set()
"""Channels of this step and of the last one."""
_periods = [0] * len(table.PERIODS)
"""As they were reported."""
_since_battery = BATTERY_MS
_begun = None
_slept = _time = _busy = _most = 0
"""In us: the sleep in this step; since the last report the whole time, the time without sleep, and the
longest such time of a step."""


def idle(milliseconds):
    """Sleep, and count it."""
    global _slept
    before = ticks_us()
    board.idle(milliseconds)
    _slept += ticks_diff(ticks_us(), before)


def sent(channel):
    """Note a command."""
    _commands.add(channel)


def sampled(channel):
    """Note a reading."""
    _readings.add(channel)


def _entry(channel, value):
    number, letter = table.LINK[channel]
    values = (value,) if table.CHANNELS[channel][2] == 1 else value
    data = b"".join(pack("<" + letter, int(one) if letter in "?i" else one) for one in values)
    return " " + str(number) + "=" + hexlify(data).decode()


def _entries(found):
    text = "".join(_entry(one, channels.read(one)) for one in sorted(found))
    found.clear()
    return text


def _battery(duration, drivers):
    """Return the state of the battery now and then, unless the controller reads it."""
    global _since_battery
    _since_battery += duration
    channel = table.DEVICES[0]["battery"]
    if channel is None or _since_battery < BATTERY_MS or channels.period(channel):
        return ""
    _since_battery = 0
    value = getattr(drivers[0], table.CHANNELS[channel][5])()
    return "" if value is None else _entry(channel, value)


def _changed_periods():
    text = ""
    for place, period in enumerate(channels.periods):
        if period != _periods[place]:
            _periods[place] = period
            text += " p" + str(table.PERIODS[place]) + "=" + str(period)
    return text


def step(duration, drivers):
    """Report the commands of a step that begins to wait, and the readings of the last one."""
    if DEVICES in table.REPORTS:
        before = _entries(_readings) + _battery(duration, drivers)
        print("wbridge: step " + str(duration) + before + " /" + _changed_periods() + _entries(_commands))


def waited():
    """Count the load of a step; the time of the next one begins with reading the sensors."""
    global _begun, _slept, _time, _busy, _most
    now = ticks_us()
    if _begun is not None and LOAD in table.REPORTS:
        whole = ticks_diff(now, _begun)
        _time += whole
        _busy += whole - _slept
        _most = max(_most, whole - _slept)
        if _time >= LOAD_US:
            share = 100 * _busy // _time
            print(messages.LOAD_1, share, messages.LOAD_2, _most, messages.LOAD_3, sep="")
            _time = _busy = _most = 0
    _begun, _slept = now, 0
