"""Rounds: all inline controllers of a run make their steps without the scheduler between them.

Each controller that begins a step switches to the next one (`_engine.DirectRound`). When all wait, the engine
steps and samples all sensors, and the first controller goes on. This is possible while the simulation runs as
fast as possible, without windows or a recording (`Runner.free_steps`), and no part or device of a robot acts
in the steps (`Simulation.is_plain`): no battery, supervisor, emitter ... Otherwise, a round ends when all
wait, and the runner makes the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from greenlet import getcurrent

from wbridge.hal.client import session as api
from wbridge.wbcore.controllers.direct_stepping import DirectStepping, Stepper
from wbridge.wbcore.controllers.isolation import StateSwitch
from wbridge.wbcore.engine import _engine

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.inline import InlineController

LONGEST_PAUSE = 63
"""Maximum calls before rounds are tried again after one that ended at once."""


class Round:
    """Lets the inline controllers of a run make rounds."""

    def __init__(self, stepping: DirectStepping, switch: StateSwitch) -> None:
        """
        Args:
            stepping: the direct steps of the run.
            switch: tracks whose process state is active.
        """
        self._stepping, self._switch = stepping, switch
        self._native: _engine.DirectRound | None = None
        self._members: list[object] = []
        """The objects that the native round was created for."""
        self._pause = self._wait = 0

    def run(self, controllers: Sequence[InlineController]) -> list[InlineController] | None:
        """Run controllers that all can go on.

        Returns:
            The controller that needs the scheduler, or an empty list if all wait for the end of a step. None
            if no round is possible.
        """
        if self._wait:
            self._wait -= 1
            return None
        steppers = self._steppers(controllers)
        if steppers is None:
            self._back_off()
            return None
        native = self._native_for(controllers, steppers)
        asked = [one.seat.asked for one in controllers if one.seat is not None]
        native.open(*self._stepping.runner.simulation.physics.clock.terms, asked)
        for one, stepper in zip(controllers, steppers, strict=True):
            assert one.client is not None, "it has joined"
            one.client.allow_direct(stepper.direct)
        try:
            self._run(native, controllers)
        finally:
            self._close(native, controllers)
        if native.running < 0:
            self._pause = 0
            return []
        if not native.made:
            self._back_off()
        return [controllers[native.running]]

    def _steppers(self, controllers: Sequence[InlineController]) -> list[Stepper] | None:
        """Return the steppers of the controllers; None if one of them needs packets."""
        found: list[Stepper] = []
        for one in controllers:
            stepper = one.seat.join(one.client) if one.seat is not None else None
            if stepper is None:
                return None
            found.append(stepper)
        return found

    def _native_for(
        self, controllers: Sequence[InlineController], steppers: list[Stepper]
    ) -> _engine.DirectRound:
        hub = getcurrent()
        members = [hub, *steppers, *(one.robot for one in controllers)]
        if self._native is not None and self._members == members:
            return self._native
        self._members = members
        engine = self._stepping.runner.simulation.physics.engine
        self._native = native = _engine.DirectRound(
            engine, vars(api), self._switch, self._switch.switch_to, hub.switch
        )
        for one, stepper in zip(controllers, steppers, strict=True):
            one.add_to(native, stepper.direct)
        return native

    def _run(self, native: _engine.DirectRound, controllers: Sequence[InlineController]) -> None:
        stepping = self._stepping
        robot, connect = api.activate(None, None)
        try:
            sessions = [one.session for one in controllers]
            steps, seconds = stepping.free_steps(sessions)
            while True:
                made = native.made
                try:
                    native.run(steps, seconds)
                finally:
                    stepping.count(native.made - made)
                if native.running >= 0 or native.is_broken_off or native.made - made == steps:
                    return
                self._switch.switch_to(None)
                stepping.runner.look()
                steps, seconds = stepping.free_steps(sessions)
        finally:
            now, _ = api.activate(robot, connect)
            if native.running >= 0:
                controllers[native.running].robot = now

    def _close(self, native: _engine.DirectRound, controllers: Sequence[InlineController]) -> None:
        for one, (asked, due, told) in zip(controllers, native.close(), strict=True):
            assert one.seat is not None, "it takes part"
            one.seat.leave(one.client, asked, due, told)
        if native.is_broken_off:
            self._stepping.broken_off = native

    def forget(self) -> None:
        """Forget the controllers: one of them has ended."""
        self._native, self._members = None, []

    def _back_off(self) -> None:
        self._pause = self._wait = min(2 * self._pause + 1, LONGEST_PAUSE)
