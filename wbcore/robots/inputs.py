"""Keyboard, mouse and joystick of a robot: passes the user's events to controllers that enabled them."""

from __future__ import annotations

import time
from math import isfinite, nan
from typing import Any

from wbridge.wbcore.devices.sensor import Sampling
from wbridge.wbcore.robots.parts import Part
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.user import Presses, User

ANY_EVENT = 63

InputState = tuple[list[tuple[int, float]], bool, dict[str, float]]
"""Period and last time (ms) of each clock, whether pointing is asked for, and forces by name."""


class Inputs(Part):
    """The input devices of one controller."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self.clock = time.monotonic
        """Measures the timeout when waiting for an event, in s of real time."""
        self.forces: dict[str, float] = {}
        """The last commands to the joystick, by name; no force is applied."""
        self._clear()

    def _clear(self) -> None:
        self.keyboard, self.mouse, self.joystick = Sampling(), Sampling(), Sampling()
        self.finds_points = False
        self._described = -1
        self._awaited, self._happened, self._waits = 0, 0, False
        self._deadline = 0.0
        self._seen: dict[Presses[Any], int] = {}
        """The number of presses of keys and buttons that the controller has seen."""
        self._listens = getattr(self, "_listens", False)

    @property
    def user(self) -> User:
        """The user of the input devices."""
        return self.robot.simulation.robots.user

    def connect(self) -> None:
        """Disable all input devices."""
        self._clear()
        self.let_sample(False)

    def reset(self) -> None:
        """Make samples of enabled input devices due at the end of the next step, without earlier presses."""
        for device in (self.keyboard, self.mouse, self.joystick):
            device.last = float("-inf")
        stick = self.user.joystick
        for presses in (self.user.keyboard.presses, self.user.mouse.presses, stick.presses, stick.pushes):
            self._look(presses)

    def save(self) -> InputState:
        """What is sampled; user input is not part of the simulation."""
        clocks = [(clock.period, clock.last) for clock in self._clocks]
        return clocks, self.finds_points, self.forces.copy()

    def load(self, state: InputState) -> None:
        """See `save`."""
        clocks, self.finds_points, forces = state
        self.forces = forces.copy()
        for clock, (period, last) in zip(self._clocks, clocks, strict=True):
            clock.period, clock.last = period, last
        self.let_sample(any(clock.period for clock in self._clocks))

    @property
    def _clocks(self) -> tuple[Sampling, ...]:
        return self.keyboard, self.mouse, self.joystick

    def on_enable_keyboard(self, period: int) -> None:
        """Set the sampling period in ms; 0 disables the keyboard."""
        self._start(self.keyboard, period, self.user.keyboard.presses)

    def on_enable_mouse(self, period: int) -> None:
        """Set the sampling period in ms; 0 disables the mouse."""
        self._start(self.mouse, period, self.user.mouse.presses)

    def on_enable_joystick(self, period: int) -> None:
        """Set the sampling period in ms; 0 disables the joystick."""
        stick = self.user.joystick
        self._start(self.joystick, period, stick.presses, stick.pushes)
        if period:
            self._describe()

    def _start(self, sampling: Sampling, period: int, *presses: Presses[Any]) -> None:
        if not sampling.period:
            for each in presses:
                self._look(each)  # ignore earlier presses
        sampling.start(period, self.robot.simulation.time_ms)
        self.let_sample(any(device.period for device in (self.keyboard, self.mouse, self.joystick)))

    def on_enable_mouse_3d(self, on: bool) -> None:
        """Also send the place in the world."""
        self.finds_points = bool(on)

    def sample(self, now: float) -> None:
        """Send what is due."""
        if self.keyboard.is_due(now):
            self.keyboard.take(now)
            self._send_keys()
        if self.joystick.is_due(now):
            self.joystick.take(now)
            self._send_joystick()
        if self.mouse.is_due(now):
            self.mouse.take(now)
            self._send_mouse()

    def _send_keys(self) -> None:
        keyboard = self.user.keyboard
        self.robot.send_newest("keys", keyboard.keys_since(self._look(keyboard.presses)))

    def _look(self, presses: Presses[Any]) -> int:
        """The number of presses seen so far; marks all as seen."""
        seen, self._seen[presses] = self._seen.get(presses, presses.count), presses.count
        return seen

    def _describe(self) -> None:
        self._described = self.user.joystick.plugged
        self.robot.send_newest("joystick", *self.user.joystick.description)

    def _send_joystick(self) -> None:
        stick = self.user.joystick
        if self._described != stick.plugged:
            self._describe()
        if stick.axes:
            buttons = stick.buttons_since(self._look(stick.presses))
            povs = stick.povs_since(self._look(stick.pushes))
            self.robot.send_newest("joystick_state", buttons, [*stick.axes], povs)

    def _send_mouse(self) -> None:
        mouse = self.user.mouse
        state = mouse.state_since(self._look(mouse.presses))
        self.robot.send_newest(
            "mouse", *(state if self.finds_points else state._replace(x=nan, y=nan, z=nan))
        )

    # Forces of the joystick: kept for programs that have a joystick with force feedback.

    def on_joystick_force(self, level: int) -> None:
        """Set a constant force."""
        self._force("force", level)

    def on_joystick_force_duration(self, seconds: float) -> None:
        """Set the duration of the force in s."""
        self._force("force_duration", seconds)

    def on_joystick_auto_centering_gain(self, gain: float) -> None:
        """Set the gain of the centering force."""
        self._force("auto_centering_gain", gain)

    def on_joystick_resistance_gain(self, gain: float) -> None:
        """Set the gain of the resistance."""
        self._force("resistance_gain", gain)

    def on_joystick_force_axis(self, axis: int) -> None:
        """Set the axis of the force."""
        self._force("force_axis", axis)

    def _force(self, name: str, value: float) -> None:
        if not isfinite(value):
            raise ValueError(f"the {name} is {value}; allowed: finite numbers")
        self.forces[name] = value

    # Waiting for an event: its message is sent in a separate packet.

    def on_wait_for_event(self, events: int, timeout: int) -> None:
        """Wait for one of the events (a bit mask; 0: none), for at most `timeout` ms of real time."""
        if events and not events & ANY_EVENT:
            raise ValueError(f"the event mask {events} contains no known event")
        if not self._listens:
            self._listens = True
            self.user.listen(self._note)
        self._awaited, self._happened, self._waits = events & ANY_EVENT, 0, True
        self._deadline = self.clock() + max(0, timeout) / 1000

    def stop_waiting(self) -> None:
        """Stop waiting, because the controller has continued."""
        self._awaited, self._happened, self._waits = 0, 0, False

    def _note(self, event: int) -> None:
        self._happened |= event & self._awaited

    @property
    def time_left(self) -> float | None:
        """Seconds until the wait for an event ends; None: the controller does not wait."""
        if not self._waits:
            return None
        return 0.0 if self._happened else max(0.0, self._deadline - self.clock())

    def end_waiting(self) -> None:
        """Send the event, or that there was none, and the state of the enabled devices."""
        if self._happened:
            enabled = (
                (self.keyboard, self._send_keys),
                (self.joystick, self._send_joystick),
                (self.mouse, self._send_mouse),
            )
            for sampling, send in enabled:
                if sampling.period:
                    send()
        self.robot.send("event", self._happened)
        self.stop_waiting()


def make(robot: Robot) -> Part:
    """Return the part for a robot."""
    return Inputs(robot)
