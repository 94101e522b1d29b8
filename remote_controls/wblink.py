"""Drive any robot that supports the robot link, over any of its transports.

    wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, "serial:///dev/ttyACM0?baud=115200")

Options in addition to those of the transport: `watchdog` (ms without a step after which the robot stops;
500), `patience` (s without an answer after which the controller returns to simulation; 10, or unlimited
without a simulation), `latch` (1: after an outage the robot stays stopped until the controller calls
wb_robot_set_mode again) and `table` (a file with the device table, as written by `wbridge devices --json`; by
default, the robot's own table is requested).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from wbridge.hal.link.errors import AddressError, ConnectionLost, LinkError, MessageError, TableMismatch
from wbridge.hal.link.faults import fault_text
from wbridge.hal.link.master import Master
from wbridge.hal.link.messages import LONGEST_WATCHDOG, VIRTUAL
from wbridge.hal.link.numbering import LinkChannel
from wbridge.hal.link.read_table import read_table
from wbridge.hal.link.transports import check_place, connect, pin, read_options
from wbridge.hal.link.url import Url, parse_url, seconds, switch, watchdog
from wbridge.hal.printable import print_problem, printable_lines
from wbridge.hal.remote import RemoteControl, RemoteRobot
from wbridge.hal.table import DeviceTable, TableError
from wbridge.remote_controls.common.byte_stream_plugin import LATCHED
from wbridge.remote_controls.common.difference import first_difference
from wbridge.remote_controls.common.silence import SilentSensors

OPTIONS: dict[str, Callable[[str], object]] = {
    "watchdog": watchdog,
    "patience": seconds,
    "table": str,
    "latch": switch,
}
REALS = {"f32": 1, "f64": 1, "vec3": 3, "quaternion": 4}
"""Types of channels whose values can be NaN, and how many numbers they have."""
PATIENCE = 10.0
"""In s."""
WATCHDOG = 500
"""In ms; at least two steps."""
GREETING, QUESTION, FAREWELL = 5.0, 2.0, 0.5
"""Maximum time (s) to wait at the start, for the table of a robot that refuses, and at the end."""
HINTS = {
    "serial": ". Is it switched on, does its program support the robot link (other robots need --plugin), "
    "and does baud= match the speed of its line?",
    "page": ". Is it switched on, is this its port, and does its program support the robot link? The panel "
    "Wiring writes such a program to a board",
}
"""What to look at if nobody answers, by transport."""
ACKNOWLEDGE_HINT = (
    "Find the cause, then start the controller again, or call wb_robot_set_mode again, or stop all motors in "
    "the robot window"
)
"""What makes a robot move again after a fault of its board."""
SLOW_STEPS = 10
"""Number of consecutive late answers after which the line counts as slow."""
SHORTEST, LONGEST = 0.02, 10.0
"""Minimum and maximum time for an answer, in s."""


class Plugin(RemoteControl):
    """The controller's end of the robot link as a remote-control plugin."""

    UNGUARDED = "the robot stops by itself without commands"
    watchdog_ms = 0  # `watchdog` in the URL; watched by the robot

    def init(self, robot: RemoteRobot) -> bool:
        """Note the robot."""
        self._robot = robot
        self._master: Master | None = None
        self._patience, self._watchdog, self._failed = PATIENCE, WATCHDOG, False
        self._is_silent, self._is_latched, self._is_faulty, self._behind = False, False, False, 0
        self._warned: set[str] = set()
        self._refused: set[str] = set()
        """Channels that were reported as refused."""
        self._late_steps, self._duration = 0.0, 0
        return True

    def start(self, arg: str) -> bool:
        """Connect to the robot at the URL `arg`."""
        table = None
        try:
            options, rest = self.check_argument(arg)
            where = pin(rest)
            table = self._table(where, options.get("table"))
            self._patience = options.get("patience", math.inf if self._robot.is_alone else PATIENCE)
            self._watchdog = options.get("watchdog", WATCHDOG)
            self._master = Master(table, lambda: connect(where), watchdog=self._watchdog)
            self._master.latches = options.get("latch", False)
            self._sensors = SilentSensors(self._master.numbering, self._say, self._forget)
            self._master.connect(GREETING)
        except TableMismatch as error:
            self._close()
            self._say(f"{error}{self._difference(where, table) if table else ''}")
            return False
        except LinkError as error:
            hint = HINTS.get(parse_url(arg).scheme, "") if isinstance(error, ConnectionLost) else ""
            self._say(f"{error}{hint}")
            self._close()
            return False
        if self._master.fault:
            self._say(f"before this start the robot's board was reset by a {fault_text(self._master.fault)}")
        self._heard = self._due = time.monotonic()
        self._failed = False
        return True

    @staticmethod
    def check_argument(arg: str) -> tuple[dict[str, Any], Url]:
        """Check an argument without connecting.

        Returns:
            The options of the plugin, and the URL of the transport.

        Raises:
            AddressError: the argument is not a robot's address.
        """
        check_place(arg)  # waiting does not help if the port does not exist
        return read_options(parse_url(arg), OPTIONS)

    def stop(self) -> None:
        """End the session; the robot stops."""
        if self._master is not None:
            self._master.leave(FAREWELL)
            self._close()

    def _close(self) -> None:
        master, self._master = self._master, None
        if master is not None:
            master.close()

    def has_failed(self) -> bool:
        """True after the robot has been silent for too long, or if it refuses this controller."""
        return self._failed

    def is_silent(self) -> bool:
        """True if the robot has stopped by itself, or is about to."""
        return self._is_silent

    def stop_actuators(self) -> None:
        """Disable motion; the next step enables it again."""
        if self._master is not None and self._master.connected:
            self._master.enabled = False
            try:
                self._master.step(0, FAREWELL)
            except LinkError as error:
                self._say(str(error))

    def set_period(self, tag: int, function: str, period: int) -> None:
        """Set a sampling period, in ms."""
        if self._master is not None:
            slot = self._master.numbering.slot(tag, function)
            if slot is not None:
                self._master.set_period(slot, period)
                self._sensors.set_period(slot, period)

    def set_channel(self, tag: int, channel: str, value: Any) -> None:
        """Take a command."""
        if self._master is not None:
            found = self._master.numbering.channel(tag, channel)
            if found is None:
                return
            try:
                self._master.set(found, value)
            except MessageError as error:
                if channel not in self._refused:
                    self._refused.add(channel)
                    self._say(str(error))

    def robot_step(self, period: int) -> int:
        """Perform one step of the link; wait for the end of the step."""
        master = self._master
        if master is None:
            return 0
        self._due += period / 1000
        now = time.monotonic()
        virtual = master.welcome is not None and bool(master.welcome.flags & VIRTUAL)
        timeout = min(self._patience, LONGEST) if virtual else max(self._due - now, SHORTEST)
        master.enabled = True
        master.watchdog = min(max(self._watchdog, 2 * period), LONGEST_WATCHDOG)
        try:
            step = master.step(period, timeout)
        except LinkError as error:
            self._say(str(error))
            self._failed = True
            return 0
        now = time.monotonic()
        self._watch(step is not None, now)
        self._tell_latch(master)
        if step is None:
            self._behind += period
            self._failed = now - self._heard > self._patience
        else:
            self._heard, self._behind = now, step.behind
            self._tell_slowness(period)
            for channel, value in step.values:
                self._inject(channel.tag, channel.name, value)
            self._sensors.step(period, [channel for channel, _ in step.values])
        if virtual:
            self._due = now
            delay = step.delay if step else 0
            self._duration = period + delay
            return delay
        late = self._pace(now)
        self._duration = period + late
        return max(late, step.delay if step else 0, self._behind)

    def duration(self, period: int, delay: int) -> int:
        """Return real time, or for simulated robots the time that they report."""
        return self._duration

    def _watch(self, answered: bool, now: float) -> None:
        """Report once that the robot is silent, and once that it answers again."""
        if answered == self._is_silent and (answered or 1000 * (now - self._heard) > self._watchdog):
            self._is_silent = not answered
            back = "is back"
            gone = f"does not answer; it stops by itself after {self._watchdog} ms. Trying to reconnect"
            self._say(f"the robot {back if answered else gone}")

    def _tell_latch(self, master: Master) -> None:
        """Report once that the robot is kept stopped after an outage."""
        if master.latched and not self._is_latched:
            self._say(LATCHED)
        self._is_latched = master.latched
        if self.fault() and not self._is_faulty:
            self._say(f"{self.fault()}. {ACKNOWLEDGE_HINT}" if master.fault else self.fault())
        self._is_faulty = bool(self.fault())

    def fault(self) -> str:
        """Return why the robot's board keeps its motors off, or ""."""
        master = self._master
        if master is None or not master.is_faulty:
            return ""
        if not master.fault:
            return "a distance sensor of the robot gives no value; its motors stay off until it does"
        return f"the robot's board was reset by a {fault_text(master.fault)}; its motors stay off"

    def resume(self) -> None:
        """Allow a latched robot to move again, and acknowledge a fault of its board."""
        if self._master is not None:
            self._master.latched = False
            self._master.acknowledge()

    def _tell_slowness(self, period: int) -> None:
        """Report once that the line is slower than the steps; a single late answer does not count."""
        is_reported = self._late_steps < 0
        self._late_steps = self._late_steps + 1 if self._behind or is_reported else 0
        if self._late_steps == SLOW_STEPS:
            self._late_steps = -math.inf
            self._say(
                f"the robot's answers take longer than a step of {period} ms: readings are a step or more "
                "late, as the return value of robot.step shows. Use a longer step or a faster line"
            )

    def _pace(self, now: float) -> int:
        """Wait for the end of the step; return its excess in ms. Late steps start a new schedule."""
        if now < self._due:
            time.sleep(self._due - now)
            return 0
        late = round(1000 * (now - self._due))
        self._due = now
        return late

    def _forget(self, channel: LinkChannel) -> None:
        """Make a reading NaN whose sensor sends nothing: the last one may be wrong for long."""
        count = REALS.get(channel.type, 0)
        if count and channel.elements == 1:
            self._inject(channel.tag, channel.name, math.nan if count == 1 else [math.nan] * count)

    def _inject(self, tag: int, channel: str, value: Any) -> None:
        try:
            self._robot.inject(tag, channel, value)
        except (KeyError, ValueError) as error:
            if channel not in self._warned:
                self._warned.add(channel)
                self._say(str(error.args[0]))

    def _table(self, url: Url, file: str | None) -> DeviceTable:
        """Return the table from a file, from the program that started the controller, or from the robot
        itself."""
        table = self._robot.table if file is None else _read(file, self._robot.name)
        if table is None:
            pipe = connect(url)
            try:
                table = read_table(pipe, GREETING)
            finally:
                pipe.close()
        if table is None:
            raise AddressError(
                f"{url.text}: the robot does not have its device table; name a file with it: ?table=FILE, "
                "created by `wbridge devices WORLD --json`"
            )
        self._compare(table)
        return table

    def _difference(self, url: Url, own: DeviceTable) -> str:
        """Return the first difference to the table of a robot that refuses ours; "" if it sends none."""
        try:
            with closing(connect(url)) as pipe:
                other = read_table(pipe, QUESTION)
        except LinkError:
            return ""
        difference = None if other is None else first_difference(own, other)
        return f". First difference: {difference}" if difference else ""

    def _compare(self, table: DeviceTable) -> None:
        """Check that the table matches the controller's devices; report the first difference."""
        robot = self._robot
        tags = range(1, robot.number_of_devices + 1)
        own = [(robot.device_name(tag), robot.device_type(tag)) for tag in tags]
        other = [(device.name, device.type) for device in table.devices]
        for tag in range(1, max(len(own), len(other)) + 1):
            mine, its = own[tag - 1 : tag], other[tag - 1 : tag]
            if mine != its:
                raise TableMismatch(
                    f'device {tag} of the controller\'s robot "{robot.name}" is {_shown(mine)}, that of the '
                    f'robot "{table.name}" is {_shown(its)}; use the same world for both: '
                    "`wbridge firmware build`, then `wbridge firmware flash`, or start the robot's program "
                    "with this world"
                )

    def _say(self, text: str) -> None:
        print_problem(f"wblink: {printable_lines(text)}")  # it may contain names from a robot


_MAKE = "create one: wbridge devices WORLD --json > FILE"
"""How to create the file of a device table."""


def _read(file: str, robot: str) -> DeviceTable:
    """Return the table in a file: the only one, or that of a robot among those of a world."""
    try:
        with open(file, "rb") as stream:
            data = json.load(stream)
        if isinstance(data, dict) and isinstance(data.get("robots"), list):
            tables = [
                entry["table"]
                for entry in data["robots"]
                if len(data["robots"]) == 1 or entry["name"] == robot
            ]
            if not tables:
                raise TableError([f'no robot named "{robot}"'])
            data = tables[0]
        return DeviceTable.from_data(data)
    except OSError as error:
        raise AddressError(f"table={file}: {error.strerror}; {_MAKE}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise AddressError(f"table={file}: not a device table ({error}); {_MAKE}") from None


def _shown(devices: list[tuple[str, str]]) -> str:
    return f'"{devices[0][0]}" ({devices[0][1]})' if devices else "absent"
