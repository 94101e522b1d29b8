"""The base of plugins for robots on a byte stream: address, connection, timing, failure and stopping.

A plugin derives from `ByteStreamPlugin` and implements its robot's protocol. The base ensures that

* each step keeps to an absolute schedule, whatever the robot does,
* a broken connection is reopened with back-off, and the robot is stopped first,
* what the line damages is counted and reported (`damage`),
* a robot that is silent for `patience` seconds has failed, if there is a simulation to return to,
* the robot is stopped if the controller makes no step for `watchdog` ms beyond its step,
* with the option `latch`, a robot stopped by such an event stays stopped until the controller resumes.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from wbridge.hal.link.errors import ConnectionLost, LinkError
from wbridge.hal.link.transports import check_place, read_options
from wbridge.hal.link.url import Url, milliseconds, seconds, switch
from wbridge.hal.printable import print_problem, printable_lines
from wbridge.hal.remote import RemoteControl, RemoteRobot
from wbridge.remote_controls.common.damage import DamageCount
from wbridge.remote_controls.common.unstoppable import warning
from wbridge.remote_controls.common.watchdog import StepWatchdog
from wbridge.remote_controls.common.wire import BackOff, Wire, address

__all__ = ["LATCHED", "ByteStreamPlugin"]

SHORTEST = 0.02
"""Minimum time for an exchange, in s."""
SILENCE = 1.0
"""Time without a valid answer, in s, before the robot counts as silent rather than the line as noisy."""
OPTIONS: dict[str, Callable[[str], object]] = {"watchdog": milliseconds, "patience": seconds, "latch": switch}
PATIENCE, WATCHDOG = 10.0, 200
HAS_THREADS = sys.platform != "emscripten"
LATCHED = "the robot has stopped; it stays stopped until setMode(2, ...) is called again"


class ConnectionAttempt(threading.Thread):
    """Opens a connection and greets the robot, in a thread."""

    def __init__(self, url: Url, greet: Callable[[Wire, float], None], seconds: float) -> None:
        super().__init__(name="search", daemon=True)
        self._url, self._greet, self._seconds = url, greet, seconds
        self._wire: Wire | None = None
        self._error: LinkError | None = None

    def run(self) -> None:
        """Connect."""
        try:
            self._wire = Wire.to(self._url)
            self._greet(self._wire, self._wire.clock() + self._seconds)
        except LinkError as error:
            self._error = error
            self._close()

    def result(self) -> Wire:
        """The connection, after the thread has ended.

        Raises:
            LinkError: the attempt failed.
        """
        if self._error is not None or self._wire is None:
            raise self._error or ConnectionLost("the connection attempt was canceled")
        return self._wire

    def begin(self) -> None:
        """Connect while steps go on; where there are no threads, as in a web page, they wait."""
        if HAS_THREADS:
            self.start()
        else:
            self.run()

    def give_up(self) -> None:
        """Cancel the attempt."""
        self._close()
        if self.is_alive():
            self.join()

    def _close(self) -> None:
        if self._wire is not None:
            self._wire.close()


class ByteStreamPlugin(RemoteControl):
    """A remote-control plugin for a robot with its own protocol."""

    GUARDED = True
    watchdog_ms = 0  # `watchdog` in the URL; watched by this class
    NAME = ""
    """The plugin's name in messages."""
    BAUD = 115200
    """Default speed of the serial port."""
    GREETING = 5.0
    """Maximum time to wait for a robot on a new connection, in s."""
    CURE = ""
    """What a user can do about the robot's missing watchdog; ends the message about it."""
    MORE_OPTIONS: Mapping[str, Callable[[str], object]] = {}
    """URL options in addition to those of all plugins and of the transport."""
    is_latched = False
    """True after an outage stopped the robot and it must stay stopped: send no motion."""

    # To be implemented by plugins.

    def prepare(self) -> None:
        """Examine the controller's robot (`self.robot`); called once.

        Raises:
            LinkError: the robot is not supported.
        """
        raise NotImplementedError

    def configure(self, options: Mapping[str, Any]) -> None:
        """Apply the options of the argument, before the connection is opened.

        Raises:
            LinkError: an option is invalid.
        """

    def greet(self, wire: Wire, end: float) -> None:
        """Identify the robot on a new connection and stop it, until `end`.

        After a lost connection this runs in another thread, in parallel to steps that send nothing.

        Raises:
            LinkError: the robot does not answer.
        """
        raise NotImplementedError

    def halt(self) -> bytes:
        """Return the bytes that stop all motion, even if one of them is lost or damaged; the next step sends
        everything again, unless `is_latched`."""
        raise NotImplementedError

    def exchange(self, wire: Wire, period: int, end: float) -> None:
        """Perform a step: send changes, receive until `end`, inject the readings.

        Raises:
            LinkError: the connection is lost.
        """
        raise NotImplementedError

    def leave(self, wire: Wire) -> None:
        """End the connection, after the robot was stopped."""

    # Implemented by the base class.

    def init(self, robot: RemoteRobot) -> bool:
        """Note the robot."""
        self.robot = robot
        self._lock = threading.RLock()
        self._wire: Wire | None = None
        self._search: ConnectionAttempt | None = None
        self._url: Url | None = None
        self._step_watchdog: StepWatchdog | None = None
        self._failed = self._is_told = False
        self._said: set[str] = set()
        self.damage = DamageCount(self.say)
        try:
            self.prepare()
        except LinkError as error:
            self.say(str(error))
            return False
        return True

    def start(self, arg: str) -> bool:
        """Connect to the robot at `arg`: a URL or a serial port."""
        try:
            options, url = self.check_argument(arg)
            self._patience = options.get("patience", math.inf if self.robot.is_alone else PATIENCE)
            self._watchdog = options.get("watchdog", WATCHDOG) / 1000
            self._latches, self.is_latched = options.get("latch", False), False
            self._url = url
            self.configure(options)
            search = ConnectionAttempt(self._url, self.greet, self.GREETING)
            search.run()
            self._wire = search.result()
        except LinkError as error:
            self.say(f"{error}{self._speed_hint(arg) if isinstance(error, ConnectionLost) else ''}")
            return False
        self._failed, self._is_told, self._back_off = False, False, BackOff()
        self._heard = self._due = time.monotonic()
        self._step_watchdog = self._wire.watchdog(self._no_step, self.halt)
        self.say(f"{warning()}{self.CURE}", once=True)
        return True

    def _speed_hint(self, arg: str) -> str:
        """Return a hint if the line's speed differs from the robot's default."""
        baud = address(arg, self.BAUD).options.get("baud", str(self.BAUD))
        return "" if baud == str(self.BAUD) else f" (its default speed is baud={self.BAUD}, not {baud})"

    @classmethod
    def check_argument(cls, arg: str) -> tuple[dict[str, Any], Url]:
        """Check an argument without connecting.

        Returns:
            The options of the plugin, and the URL of the wire.

        Raises:
            AddressError: the argument is not a robot's address.
        """
        url = address(arg, cls.BAUD)
        check_place(url, "open_bytes")
        return read_options(url, {**OPTIONS, **cls.MORE_OPTIONS})

    def stop(self) -> None:
        """Stop the robot and disconnect."""
        if self._step_watchdog is not None:
            self._step_watchdog.close()
            self._step_watchdog = None
        with self._lock:
            self.stop_actuators()
            if self._wire is not None:
                self._try(self.leave)
            self._close()
        if self._search is not None:
            self._search.give_up()
            self._search = None

    def cleanup(self) -> None:
        """The controller ends."""
        self.stop()
        if summary := self.damage.summary():
            self.say(f"the line was bad: {summary} in total")

    def has_failed(self) -> bool:
        """True after the robot has been silent for too long."""
        return self._failed

    def is_silent(self) -> bool:
        """True without a connection, or if nothing was received for too long."""
        return self._wire is None or time.monotonic() - self._heard > self._watchdog

    def stop_actuators(self) -> None:
        """Stop all motors; the next step moves them again."""
        with self._lock:
            if self._step_watchdog is not None:
                self._step_watchdog.disarm()
            self._try(lambda wire: wire.send(self.halt()))

    def abandon(self) -> None:
        """Stop the robot for good, without waiting for the end of a step."""
        self.is_latched = True
        wire = self._wire
        if wire is not None:
            with suppress(LinkError):
                wire.send(self.halt())

    def resume(self) -> None:
        """Allow a latched robot to move again."""
        with self._lock:
            self.is_latched = False

    def note_outage(self) -> None:
        """Keep the robot stopped, if the option `latch` is on."""
        with self._lock:
            self._latch()

    def robot_step(self, period: int) -> int:
        """Exchange data and wait for the end of the step; return its delay in ms."""
        now = time.monotonic()
        self._due += period / 1000
        if self._step_watchdog is not None:
            self._step_watchdog.feed(max(self._due - now, SHORTEST) + self._watchdog)
        with self._lock:
            if self._wire is None:
                self._look_for_it(now)
            end = max(self._due, time.monotonic() + SHORTEST)
            self._try(lambda wire: self.exchange(wire, period, end))
        self._tell_silence()
        self._failed = time.monotonic() - self._heard > self._patience
        return self._pace()

    def heard(self) -> None:
        """Record that the robot has sent valid data."""
        self._heard = time.monotonic()

    def say(self, text: str, once: bool = False) -> None:
        """Print a message; with `once` only the first time."""
        if not once or text not in self._said:
            self._said.add(text)
            print_problem(f"{self.NAME}: {printable_lines(text)}")

    def _tell_silence(self) -> None:
        """Report once that a connected robot is silent, and once that it answers again."""
        there = self._wire is not None
        silent = there and time.monotonic() - self._heard > max(self._watchdog, SILENCE)
        if silent != self._is_told:
            self._is_told = silent
            if silent:
                self._latch()
            if there:
                gone = "does not answer: is it switched on? Commands are sent again when it is back"
                self.say(f"the robot {gone if silent else 'answers again'}")

    def _latch(self) -> None:
        """Keep a robot that an outage stopped from moving, if the option `latch` is on."""
        if self._latches and not self.is_latched:
            self.is_latched = True
            self.say(LATCHED)

    def _pace(self) -> int:
        """Wait for the end of the step. A late step starts a new schedule."""
        left = self._due - time.monotonic()
        if left >= 0:
            time.sleep(left)
            return 0
        self._due -= left
        return round(-1000 * left)

    def _look_for_it(self, now: float) -> None:
        """Reconnect without delaying steps."""
        if self._search is None:
            if self._url is not None and self._back_off.due(now):
                self._search = ConnectionAttempt(self._url, self.greet, self.GREETING)
                self._search.begin()
            return
        if self._search.is_alive():
            return
        try:
            self._wire = self._search.result()
        except LinkError:
            self._back_off.failed(now)
        else:
            self._back_off.reset()
            self.heard()
            self.say("connected again")
            self._latch()
        self._search = None

    def _try(self, do: Callable[[Wire], None]) -> None:
        """Call a function with the connection, if there is one; handle its loss."""
        if self._wire is None:
            return
        try:
            do(self._wire)
        except LinkError as error:
            self.say(f"{error}; trying to reconnect")
            self._close()

    def _close(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.close()

    def _no_step(self) -> None:
        """Stop the robot: the watchdog has expired because the controller hangs."""
        with self._lock:
            if self._wire is not None:
                self._try(lambda wire: wire.send(self.halt()))  # before anything is printed, which may wait
                until = "" if self._latches else " until the next one"
                self.say(f"no step for {1000 * self._watchdog:.0f} ms, the robot stops{until}")
                self._latch()
