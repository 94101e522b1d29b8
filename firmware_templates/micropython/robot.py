"""The robot on the board: drivers, steps on an absolute schedule, the watchdog, devices by name."""

import gc
from time import ticks_add, ticks_diff, ticks_ms

from wb import board, channels, messages, table

CROSS_COMPILATION = 1
LIMIT_MS = 400
"""The motors stop if the controller makes no step for so long."""
REPORT_MS = 5000
"""Between two reports of a fault."""
COLLECTION_MS = 500
"""Garbage is collected so often, where a step has the time. When memory is full, MicroPython collects it at
any time, and sensors would be read late."""

report = __import__("wb.report").report if table.REPORTS else None
"""Takes what the board is to report; None: nothing."""
_idle = report.idle if report else board.idle
drivers = {}
"""By the tag of their device."""
_updating = []
"""Those that work between steps: they have `update`, and `rests` is not True."""
objects = {}
"""Device objects of the controller, by tag."""
classes = {}
"""Classes of the object API by name; the module controller adds them."""
begun = schedule = 0
"""Ticks: start of the first step, end of the last one; both wrap around. Test benches read them."""
passed_ms = 0
"""The sum of all steps."""
alive = None
"""ms: when the controller was last seen; None before its first step and after its end."""
hung = False
_updated = 0
_feed = None
"""Feeds the watchdog of the hardware, which resets a board whose interpreter hangs."""
_silent = 0
"""Calls of `_watch` since the last report of a hang."""
_overruns, _next_report = 0, 1
BLIND_MS, FIRST_VALUE_MS = 300, 2000
"""Without a value of a distance sensor: after its first one, and before, as some are slow to start."""
NAN = float("nan")
_sight = {}
"""Readings of distance sensors, by channel."""
_stands = False
_collected = _collecting = 0
"""ms: the last collection of garbage, and how long it took."""


def start():
    """Start the drivers and the watchdog."""
    global _updated, _feed
    # A UART claims the default pins of both directions, so it starts first; drivers of the unused pin then
    # reclaim it.
    for tag, (name, settings) in sorted(table.DRIVERS.items(), key=lambda one: "baud" not in one[1][1]):
        module = getattr(__import__("wb." + name), name)
        drivers[tag] = module.Driver(settings, drivers)
    _updating.extend(
        one for one in drivers.values() if hasattr(one, "update") and not getattr(one, "rests", False)
    )
    if board.was_hung():
        _wait_for_reset()
    _collect()
    _updated = ticks_ms()
    _feed = board.watchdog()
    board.every(LIMIT_MS // 4, _watch)


def stop():
    """Stop all motors."""
    for driver in drivers.values():
        if hasattr(driver, "stop"):
            driver.stop()


def end():
    """Stop the robot for good: the controller has ended. The watchdog is still fed."""
    global alive
    alive = None
    stop()
    print(messages.CONTROLLER_ENDED)


def _report(fault):
    print(table.FAULT_LINE + table.FAULTS[fault] + "; the motors stay off until the board is reset")


def _wait_for_reset():
    """Keep the motors off after a reset by the watchdog. Whoever connects later hears of it, too."""
    while True:
        _report("WATCHDOG")
        board.idle(REPORT_MS)


def _watch(_timer):
    global hung, _silent
    _feed()
    if alive is None or ticks_diff(ticks_ms(), alive) <= LIMIT_MS:
        return
    if not hung:
        hung = True
        stop()
    if _silent % (4 * REPORT_MS // LIMIT_MS) == 0:
        _report("HANG")
    _silent += 1


def _update():
    """Let the drivers work, at most once per millisecond."""
    global _updated
    elapsed = ticks_diff(ticks_ms(), _updated)
    if elapsed:
        _updated = ticks_add(_updated, elapsed)
        for driver in _updating:
            driver.update(elapsed)


def _collect():
    global _collected, _collecting
    begin = ticks_ms()
    gc.collect()
    _collected = ticks_ms()
    _collecting = ticks_diff(_collected, begin)


def _limited(value, limits, keeps_infinity):
    if limits is None or (keeps_infinity and value in (float("inf"), -float("inf"))):
        return value
    return min(max(value, limits[0]), limits[1])


def _note(channel, value):
    """Note a reading of a distance sensor: when it was, when there was a value, and if there was ever one."""
    now = ticks_ms()
    _, seen, had = _sight.get(channel, (now, now, False))
    _sight[channel] = (now, seen, had) if value is None else (now, now, True)


def _is_blind():
    """Return True while a distance sensor that is sampled gives no value: then the motors shall not move."""
    for channel, (asked, seen, had) in _sight.items():
        limit = BLIND_MS if had else FIRST_VALUE_MS
        if channels.period(channel) and ticks_diff(asked, seen) >= limit:
            return True
    return False


def _stand_still():
    """Stop the motors while the robot is blind. Return True as long as it is."""
    global _stands
    if _is_blind() != _stands:
        _stands = not _stands
        if _stands:
            stop()
            print(messages.NO_DISTANCE)
        else:
            channels.pending.update(channels.order)
    return _stands


def _send():
    if _stand_still():
        return
    for channel in channels.take():
        tag, _, _, _, _, name, limits = table.CHANNELS[channel]
        value = channels.read(channel)
        if not hung:
            getattr(drivers[tag], name)(_limited(value, limits, name == "position"))
            if report:
                report.sent(channel)
    for tag, channel, data in channels.take_packets():
        if not hung:
            drivers[tag].packet(channel, data)


def _sample(passed):
    for channel in channels.due(passed):
        tag, _, count, _, _, name, _ = table.CHANNELS[channel]
        value = getattr(drivers[tag], name)()
        if not count:
            channels.receive(tag, value)
        else:
            if channel in table.GUARDS:
                _note(channel, value)
            if value is None:
                value = NAN if count == 1 else [NAN] * count
            channels.store(channel, value)
            if report:
                report.sampled(channel)


def _report_overrun(took, duration):
    """Report overruns number 1, 2, 4, 8 and so on."""
    global _overruns, _next_report
    _overruns += 1
    if _overruns == _next_report:
        _next_report *= 2
        text = (messages.OVERRUN_1, duration, messages.OVERRUN_2, took, messages.OVERRUN_3, _overruns)
        print(*text, sep="")


def step(duration):
    """Send commands, wait, and read the sensors that are due; return how many ms late the commands were."""
    global begun, schedule, alive, passed_ms
    if alive is None:
        _update()  # the drivers' times begin with the first step
        begun = schedule = _updated
    alive = ticks_ms()
    _send()
    elapsed = ticks_diff(ticks_ms(), schedule)
    if duration <= 0:
        return 0
    passed = max(elapsed, duration)
    if report:
        report.step(passed, drivers)
    if 4 * (passed - elapsed) > 5 * _collecting and ticks_diff(alive, _collected) >= COLLECTION_MS:
        _collect()
    while True:
        left = passed - ticks_diff(ticks_ms(), schedule)
        if left <= 0:
            break
        _idle(1 if _updating else left)
        _update()
        alive = ticks_ms()
    schedule = ticks_add(schedule, passed)
    passed_ms += passed
    if report:
        report.waited()
    _sample(passed)
    if elapsed > duration:
        _report_overrun(elapsed, duration)
    return elapsed


def device(tag):
    """Return the object of a device, made at its first use; None for the tag 0."""
    if not tag:
        return None
    if tag not in objects:
        classes[table.DEVICES[tag]["class"]](tag)
    return objects[tag]


def tag_of(name):
    """Return the tag of a device, 0 if there is none."""
    for tag, one in enumerate(table.DEVICES):
        if tag and one["name"] == name:
            return tag
    return 0


class Robot:
    """The robot."""

    created = None

    def __init__(self):
        Robot.created = self
        self._row = table.DEVICES[0]

    def __getattr__(self, name):
        raise AttributeError("a board's Robot has no " + name)

    def step(self, duration=None):
        """See the class Robot of the object API; boards never return -1."""
        return step(int(self._row["basic_time_step"] if duration is None else duration))

    def init(self):
        """Nothing to do."""
        return 1

    cleanup = init

    def get_device(self, name):
        """Return a device; None, with a message, if there is none."""
        tag = tag_of(name)
        if not tag:
            print(messages.UNKNOWN_DEVICE_1, name, messages.UNKNOWN_DEVICE_2, sep="")
        return device(tag)

    def get_device_by_index(self, index):
        """Return a device by its index from 0; None, with a message, if there is none."""
        if 0 <= index < len(table.DEVICES) - 1:
            return device(index + 1)
        print(messages.INVALID_DEVICE_INDEX)
        return None

    @property
    def devices(self):
        """The devices by name."""
        return {one["name"]: device(tag) for tag, one in enumerate(table.DEVICES) if tag}

    def get_number_of_devices(self):
        """Return the number of devices."""
        return len(table.DEVICES) - 1

    def get_name(self):
        """Return the name of the robot."""
        return self._row["name"]

    def get_time(self):
        """Return the sum of all steps, in s."""
        return passed_ms / 1000

    def get_basic_time_step(self):
        """Return the step of the world, in ms."""
        return self._row["basic_time_step"]

    def get_mode(self):
        """Return the mode of a controller on a board."""
        return CROSS_COMPILATION

    def get_type(self):
        """Return the number of the node type."""
        return self._row["node"]

    def get_synchronization(self):
        """Return the field `synchronization`."""
        return self._row["is_synchronized"]

    def get_supervisor(self):
        """Return the field `supervisor`."""
        return self._row["is_supervisor"]

    def battery_sensor_enable(self, period):
        """Set the sampling period of the battery in ms."""
        channels.enable(self._row["battery"], period)

    def battery_sensor_disable(self):
        """Disable the sensor of the battery."""
        channels.enable(self._row["battery"], 0)

    def battery_sensor_get_sampling_period(self):
        """Return the sampling period of the battery in ms."""
        return channels.period(self._row["battery"])

    def battery_sensor_get_value(self):
        """Return the charge of the battery, in J."""
        return channels.read(self._row["battery"])
