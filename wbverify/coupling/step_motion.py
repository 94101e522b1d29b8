"""Base class of stepper motors: counted steps represent a position."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import (
    PIN_PARTS,
    SAMPLING_SHARE,
    ActuatorCoupling,
    BoardNumbers,
    Commands,
    PinEvent,
    Values,
)

LATE_S = 0.004
"""A command arrives after the controller has computed it, and steps are due in whole ms (s)."""
PART_STEPS = 1.5
"""The driver makes whole steps, and those that time has brought by then."""
RAMP_STEPS = 1.0
"""And ramps begin and end in whole ticks."""
AROUND_STEPS, SEARCH_S = 10, 0.3
"""The way out of a switch and back (steps), and the time (s) for ramps there."""
SLICE_S = 0.00025
"""A motion with limited acceleration is computed in slices (s)."""


class StepMotion(ActuatorCoupling):
    """It moves to its position, or without end, at its velocity, which its acceleration may limit. From one
    command to the next, every step is known; a new command starts from the steps that were counted, as its
    time is not known exactly."""

    quantity = "position"
    emulators = PIN_PARTS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers, part: str) -> None:
        """
        Args:
            wiring: the motor in the hardware map.
            numbers: numbers of the board.
            part: what counts the steps, by its name on the bench.
        """
        self.pins = (part,)
        linear = wiring.device.constants.get("type") == "linear"
        self._per_unit = float(wiring.values["steps"]) / (1.0 if linear else math.tau)
        self._sign = -1.0 if wiring.values["inverted"] else 1.0
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._most_per_s = numbers.steps_per_s
        limit = float(wiring.values.get("acceleration", 0.0))
        self._limit = limit or math.inf
        self._own_acceleration = limit or float(wiring.device.constants.get("acceleration", -1.0))
        self._numbers = numbers
        self._place = self._counted = 0.0
        """Steps: where it should be, and where it is."""
        self._command = (0.0, 0.0, math.inf)
        """In effect since the last step: target (steps), steps per second, and per second and second."""
        self._rate = 0.0
        """Steps per second, where its acceleration is limited."""
        self._has_stopped = False
        self._left_rate = 0.0
        """Steps per second when the command came."""
        self._searched_s = self._begun_s = 0.0
        """How long it has been on its way to a switch, and how late it may have begun to follow the command
        because of it (s)."""
        self._was_new = False
        self._rested_s = 0.0
        """Time for which it should have been at its target (s)."""
        self._slack = 0.0
        self._home = HomeSwitch(wiring, self._per_unit) if wiring.values.get("home") else None

    @property
    def watched(self) -> tuple[str, ...]:
        """See `ActuatorCoupling`."""
        return self.pins if self._home else ()

    def start(self) -> Sequence[PinEvent]:
        """See `ActuatorCoupling`."""
        return self._home.moved(0.0) if self._home else ()

    def react(self, shown: Mapping[str, PinState]) -> Sequence[PinEvent]:
        """See `ActuatorCoupling`."""
        return self._home.moved(self._sign * shown[self.pins[0]].value) if self._home else ()

    def _commanded(self, said: Commands) -> tuple[float, float, float]:
        """Return the target in steps, the steps per second, and those per second and second."""
        if "set_position" not in said:
            return self._place, 0.0, math.inf  # it stays where it is
        acceleration = float(said.get("set_acceleration", (self._own_acceleration,))[0])
        allowed = min(math.inf if acceleration < 0 else acceleration, self._limit)
        gain = allowed * self._per_unit
        position = float(said["set_position"][0])
        velocity = float(said.get("set_velocity", (self._max_velocity,))[0])
        rate = min(abs(velocity) * self._per_unit, self._most_per_s)
        if math.isinf(position):
            return math.copysign(math.inf, position * velocity), rate, gain
        target = position * self._per_unit
        return float(math.trunc(target + math.copysign(0.5, target))), rate, gain

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        if self._home and not self._home.was_reached:
            return self._on_its_way(self._home, bool(said), seconds)
        if self._home and math.isinf(self._slack):
            self._counted = self._place = self._home.place  # in the step that ends now
        command, before = self._commanded(said), self._command
        is_new = command != before
        led = abs(self._rate)
        if is_new:
            self._left_rate = led
            self._begun_s = self._begun_s if math.isinf(self._slack) else 0.0
        if is_new or self._was_new or self._has_stopped:
            self._place = self._counted
        began, rate = _moved(self._place, self._rate, *before, SAMPLING_SHARE * seconds)
        self._place, self._rate = _moved(began, rate, *command, (1 - SAMPLING_SHARE) * seconds)
        self._command, self._was_new = command, is_new
        self._rested_s = self._rested_s + seconds if began == command[0] and not is_new else 0.0
        may_move = is_new or self._may_move or led > 0 or self._has_stopped
        rates = before[1] + command[1]
        if command[2] < math.inf:
            rates = self._left_rate + max(led, abs(self._rate))  # a ramp that begins late also ends late
        late = rates * (LATE_S + self._begun_s)
        self._slack = PART_STEPS + RAMP_STEPS * (command[2] < math.inf) + late if may_move else 0.0
        self._has_stopped = led > 0 and self._rate == 0  # where exactly, only the board knows
        return self._place / self._per_unit

    def _on_its_way(self, home: HomeSwitch, is_commanded: bool, seconds: float) -> float:
        """Return where it should be before it has found its switch: anywhere, but not for long."""
        self._begun_s = seconds
        self._searched_s += seconds if is_commanded else 0.0
        if self._searched_s <= home.longest_s:
            self._slack = math.inf
            return self._counted / self._per_unit
        self._slack = PART_STEPS
        return home.place / self._per_unit

    @property
    def _may_move(self) -> bool:
        """True unless it stands, or must have arrived at its target."""
        _, rate, gain = self._command
        slowest = max(rate, 1e-9) if math.isinf(gain) else min(rate, math.sqrt(gain / 2))
        return rate > 0 and self._rested_s <= PART_STEPS / slowest + 2 * LATE_S

    def drives(self, shown: Mapping[str, PinState]) -> bool:
        """See `ActuatorCoupling`: it has made steps."""
        return shown[self.pins[0]].value != 0

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        level = shown[self.pins[0]]
        if level.use != "steps":
            return math.nan
        self._counted = self._sign * level.value
        return self._counted / self._per_unit

    def bound(self) -> float:
        """While it moves, some steps; none at its target."""
        return (self._slack + self._numbers.relative * abs(self._place)) / self._per_unit

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        position = self.found(shown)
        return [] if math.isnan(position) else [("set_position", (position,))]


class HomeSwitch:
    """A switch at a known position, to which the motor moves first; it is at position 0 then."""

    def __init__(self, wiring: Wiring, per_unit: float) -> None:
        """
        Args:
            wiring: the motor in the hardware map.
            per_unit: steps for each rad or m.
        """
        values = wiring.values
        self._pin, self._opens = str(values["home"]), bool(values["home_opens"])
        self.place = float(round(float(values["home_position"]) * per_unit))
        """Of the motor, where it changes (steps)."""
        self._is_below = float(values["home_velocity"]) < 0
        self._was_open = False
        self.was_reached = False
        """True since the motor has found it, moving toward it."""
        rate = abs(float(values["home_velocity"])) * per_unit
        self.longest_s = 2 * (abs(self.place) + AROUND_STEPS) / rate + SEARCH_S
        """For the way from position 0."""

    def moved(self, place: float) -> Sequence[PinEvent]:
        """Return the level at its pin for a place of the motor (steps)."""
        is_there = place <= self.place if self._is_below else place >= self.place
        self.was_reached |= self._was_open and is_there
        self._was_open |= not is_there
        return (PinEvent(self._pin, float(is_there == self._opens)),)


def _moved(
    place: float, rate: float, target: float, cruise: float, gain: float, seconds: float
) -> tuple[float, float]:
    """Return a place and the steps per second after some time on the way to a target.

    Args:
        place: in steps.
        rate: steps per second at first, negative backward.
        target: in steps; infinite: none.
        cruise: the most steps per second.
        gain: the largest change of the rate per second; infinite: any.
        seconds: the time.
    """
    if math.isinf(gain):
        most = cruise * seconds
        return place + max(-most, min(target - place, most)), 0.0
    slices = max(1, round(seconds / SLICE_S))
    change, least = gain * seconds / slices, math.sqrt(gain / 2)
    for _ in range(slices):
        ahead = target - place
        fastest = min(cruise, math.sqrt(2 * gain * abs(ahead)))  # from there it can stand at the target
        wanted = math.copysign(fastest, ahead)
        if wanted * rate <= 0 and abs(rate) <= least:
            rate = 0.0  # from there it stands at once
        rate += max(-change, min(wanted - rate, change))
        place += rate * seconds / slices
        if abs(target - place) < 0.5 and abs(rate) <= 2 * max(change, least):
            place, rate = target, 0.0
    return place, rate
