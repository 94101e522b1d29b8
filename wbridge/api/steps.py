"""Steps of a simulation whose robots a script drives.

If nothing but physics and sensors of the engine works in a step, it is made natively, with the same result.
Robots that the script does not drive have their own controllers, which start with the first step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from wbridge.api.motors import Motors
from wbridge.api.readings import Readings
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.errors import SimulationError, failed
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.sample_pass import SamplePass
from wbridge.wbcore.scene.load import LoadOptions
from wbridge.wbcore.scene.missing import NO_CONTROLLER
from wbridge.wbcore.simulation import Simulation

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.runner import Runner

CONTROLLERS = ("processes", "inline", "none")
"""How controllers of the world run: as processes, inside this process (those in Python), or not at all."""
LONGEST = 256
"""Steps between two checks for Ctrl-C."""
ENDED = "all controllers have ended"


class Prepared(NamedTuple):
    """The native steps, and what they are valid for."""

    stepper: _engine.ScriptStepper
    structure: int
    terms: tuple[float, int, float]
    passes: list[SamplePass | None]


class Steps:
    """Makes the steps of a simulation."""

    def __init__(self, core: Simulation, controllers: str, options: LoadOptions) -> None:
        """
        Args:
            core: the simulation.
            controllers: one of `CONTROLLERS`.
            options: how the world was loaded.
        """
        self._core, self._mode, self._options = core, controllers, options
        self.readings: list[Readings] = []
        """The sensors of the robots that the script drives."""
        self.motors: list[Motors] = []
        """Their motors."""
        self._structure = core.physics.structure
        self.after: list[Callable[[], None]] = []
        """Called after each step."""
        self.is_watched = False
        """True once others may have changed the simulation: each step is checked for that."""
        self._prepared: Prepared | None = None
        self._is_checked = False
        self._runner: Runner | None = None
        self._controlled: list[Robot] = []
        """The robots whose own controllers were started."""
        self.has_begun = False
        """True once controllers had the opportunity to start."""

    @property
    def engine(self) -> _engine.World:
        """The engine's world."""
        return self._core.physics.engine

    def changed(self) -> None:
        """Something besides targets of motors has changed: check whether native steps are still possible.

        Raises:
            RuntimeError: the simulation is closed.
        """
        self._core.check_open()
        self._is_checked = False

    def forget(self) -> None:
        """Prepare native steps again."""
        self._prepared, self._is_checked = None, False

    def follow(self) -> None:
        """Bodies may have been added, removed or replaced: look the engine's motors up again."""
        if self._structure != self._core.physics.structure:
            self._structure = self._core.physics.structure
            for motors in self.motors:
                for motor in motors.values():
                    motor.rebind()

    def make(self, count: int) -> None:
        """Make steps.

        Raises:
            UnstableError: a body is in an invalid state; the step is complete.
            SimulationError: a supervisor has ended the simulation.
        """
        while count > 0:
            prepared = self._prepared
            if prepared is None or not self._is_checked:
                prepared = self._check()
            if prepared is None:
                self._make_one()
                count -= 1
                continue
            steps_made = self._native(prepared, 1 if self.after else min(count, LONGEST))
            count -= abs(steps_made)
            if steps_made < 0:
                self._sample()
            for act in self.after:
                act()

    def count_of(self, seconds: float) -> int:
        """Return the number of steps that `Simulation.run` makes, and count the time as simulated.

        Raises:
            ValueError: the time is negative or infinite.
        """
        return self._core.steps_of(seconds)

    def native(self) -> _engine.ScriptStepper | None:
        """Return what makes the next steps natively, together with those of other worlds; None if Python has
        to make them."""
        prepared = self._prepared if self._is_checked else self._check()
        if prepared is None or self.after:
            return None
        self._is_checked = not self.is_watched
        return prepared.stepper

    def settle(self) -> None:
        """After native steps that ended early: take the samples of the last one, and raise its error.

        Raises:
            UnstableError: as for `make`.
        """
        prepared = self._prepared
        assert prepared is not None, "native steps were made"
        self._sample()
        try:
            prepared.stepper.raise_failure()
        except _engine.EngineError as failure:
            raise self._explained(failure) from None

    def _native(self, prepared: Prepared, count: int) -> int:
        self._is_checked = not self.is_watched
        try:
            return prepared.stepper.step(count)
        except _engine.EngineError as failure:
            self._sample()
            raise self._explained(failure) from None

    def _explained(self, failure: _engine.EngineError) -> Exception:
        """Return the error of a step in terms of the world."""
        physics = self._core.physics
        if isinstance(failure, _engine.PhysicsError):
            return physics.unstable(failure)
        if isinstance(failure, _engine.PluginFailure):
            return failed(physics.world.plugin_name, failure)
        return failure

    def _check(self) -> Prepared | None:
        """Return the native steps if nothing else works in a step; otherwise None."""
        self._core.check_open()
        if not self.has_begun:
            self._begin()
        self.follow()
        core = self._core
        self._is_checked = False
        if self._runner is not None or not core.is_plain:
            return None
        if not all(readings.is_plain for readings in self.readings):
            return None
        prepared, physics = self._prepared, core.physics
        structure, terms = physics.structure, physics.clock.terms
        passes = [readings.native for readings in self.readings]
        if prepared is None or (structure, terms, passes) != prepared[1:]:
            stepper = _engine.ScriptStepper(physics.engine)
            stepper.set_clock(*terms)
            for readings in self.readings:
                readings.join(stepper)
            prepared = self._prepared = Prepared(stepper, structure, terms, passes)
        self._is_checked = True
        return prepared

    def _make_one(self) -> None:
        """Make a step with everything that works in it."""
        core = self._core
        try:
            if self._runner is None:
                core.step()
            else:
                self._advance(self._runner)
        finally:
            self._sample()
        for act in self.after:
            act()

    def _sample(self) -> None:
        for readings in self.readings:
            readings.sample()

    # Controllers of the other robots.

    def _begin(self) -> None:
        self.has_begun = True
        if self._mode == "none":
            return
        driven = {readings.robot for readings in self.readings}
        others = [robot for robot in self._core.robots if robot not in driven]
        idle = (*NO_CONTROLLER, "<extern>")
        self._controlled = [robot for robot in others if robot.controller not in idle]
        if not self._controlled:
            return
        from wbridge.wbcore.controllers.runner import Runner, RunOptions  # start-up: only for controllers

        silent = {robot.name for robot in driven} | {
            robot.name for robot in others if robot.controller == "<extern>"
        }
        options = RunOptions(
            controllers=dict.fromkeys(sorted(silent), "<none>"),
            inline=self._mode == "inline",
            synchronous=True,
            serves_on_demand=True,
            load=self._options,
        )
        self._runner = Runner(self._core.world, options, self._core)

    def _advance(self, runner: Runner) -> None:
        before = self._core.steps
        if runner.advance():
            return
        reason = runner.ending
        if reason != ENDED or runner.simulation is not self._core:
            raise SimulationError(f"{self._core.world.path}: the simulation was ended: {reason}")
        self._runner, self._controlled = None, []
        runner.close()
        if self._core.steps == before:
            self._core.step()

    def runs(self, robot: object) -> bool:
        """True while a robot's own controller takes part."""
        return robot in self._controlled

    def restart(self) -> None:
        """Reset the simulation; controllers start again."""
        self.changed()
        if self._runner is None:
            self._core.reset()
        else:
            self._runner.start_again()
        self.follow()
        for readings in self.readings:
            readings.restart()

    def close(self) -> None:
        """End the controllers. No step is made any more, and motors refuse targets."""
        self.forget()
        for motors in self.motors:
            for motor in motors.values():
                motor.attach(motor.device.engine, True)
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()
