"""MicroPython's module `time` on an emulated board."""

import bench

_WRAP = 1 << 30


def ticks_us():
    """Return the time in us; wraps around."""
    return bench.now % _WRAP


def ticks_ms():
    """Return the time in ms; wraps around."""
    return bench.now // 1000 % _WRAP


def ticks_add(ticks, delta):
    """Return another time."""
    return (ticks + delta) % _WRAP


def ticks_diff(end, start):
    """Return the time between two times; negative if the end is before the start."""
    return (end - start + _WRAP // 2) % _WRAP - _WRAP // 2


def sleep_us(duration):
    """Sleep."""
    bench.wait(bench.now + int(duration))


def sleep_ms(duration):
    """Sleep."""
    sleep_us(1000 * duration)


def sleep(duration):
    """Sleep; the duration is in s."""
    sleep_us(1e6 * duration)


def time():
    """Return the time since the start in whole seconds."""
    return bench.now // 1_000_000
