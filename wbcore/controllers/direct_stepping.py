"""Direct steps: an inline controller steps the engine without packets.

In most steps the controller sets motor targets, the physics advances, and the engine reads the sensors. Such
a step is one call to the engine (`_engine.DirectStepper`), without packets or a switch to another greenlet.
Direct steps are possible while

* the simulation runs as fast as possible, without windows or a recording (`Runner.free_steps`),
* the run has a single controller,
* no part or device of a robot acts in the steps (`Simulation.is_plain`): no battery, supervisor, emitter ...
* the engine samples all enabled sensors by itself (`Samples.single_pass`): no cameras ...

The direct stepper is open while the controller runs and closed when the controller waits or ends. Commands
that a device carries out immediately (`Device.quick_handler`) are executed in the step, others need a packet,
which closes the stepper. Steps with and without packets are bit-identical.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from wbcore.engine import _engine

if TYPE_CHECKING:
    from wbcore.controllers.lockstep import ControllerSession
    from wbcore.controllers.runner import Runner
    from wbcore.robots.robot import Robot
    from wbcore.robots.routine import QuickCommand, Target
    from wbcore.robots.sample_pass import SamplePass

__all__ = ["DirectStepping"]

LONGEST_PAUSE = 63
"""Maximum steps with packets before direct steps are tried again for a controller that could not use them."""


class Client(Protocol):
    """The exchange of the controller (hal.modes.exchange)."""

    quitting: bool
    closed: bool
    direct_stepper: Any
    """Set while direct steps are possible (hal.modes.connection.DirectStepper)."""

    def command_key(self, tag: int, code: int) -> int:
        """The key of a device's command in the stepper's numbers."""

    def listener(self, tag: int, code: int) -> Callable[..., None]:
        """The handler of a message."""


class Stepper:
    """A direct stepper of the engine, with the objects that it was created for."""

    def __init__(
        self,
        engine: _engine.World,
        robot: Robot,
        client: Client,
        targets: list[Target],
        sensors: SamplePass | None,
    ) -> None:
        self.key = robot, client, targets, sensors
        self.direct = _engine.DirectStepper(engine)
        for one in targets:
            self.direct.add_target(client.command_key(one.tag, one.code), one.motor, one.is_velocity)
        for quick in robot.quick_commands():
            self.direct.add_switch(client.command_key(quick.tag, quick.code), self._executor(quick))
        self.direct.add_listener(client.listener(0, robot.codec.message_codes["time"]))
        if sensors is not None:
            listeners = [client.listener(one.tag, one.message_code) for one in sensors.sensors]
            self.direct.set_sensors(sensors.native, listeners)

    def _executor(self, quick: QuickCommand) -> Callable[[int], bool]:
        """Return a function that executes a command, and returns whether the stepper is still valid."""
        robot, _, targets, _ = self.key

        def execute(value: int) -> bool:
            quick.handler(value)
            return robot.plain_targets() is targets and robot.is_plain

        return execute

    def is_for(self, robot: Robot, client: Client, targets: list[Target], sensors: SamplePass | None) -> bool:
        """True if the stepper can be used again."""
        return all(a is b for a, b in zip(self.key, (robot, client, targets, sensors), strict=True))


class DirectStepping:
    """Lets the only controller of a run make direct steps.

    Call `open` before the controller resumes, `close` when its greenlet yields, and `finish` when the
    process is back in the simulator's greenlet.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._stepper: Stepper | None = None
        self._open: tuple[Stepper, ControllerSession, Client] | None = None
        self._broken_off: Stepper | None = None
        self._pause = self._wait = 0

    def open(self, session: ControllerSession, client: Client | None) -> None:
        """Allow the controller of a session to make direct steps, if they are possible."""
        if self._wait:
            self._wait -= 1
            return
        steps, seconds = self._runner.free_steps()
        if steps == 0 or client is None:
            return
        stepper = self._stepper_for(session, client)
        if stepper is None:
            self._back_off()
            return
        exchange = session.exchange
        assert exchange is not None, "only a connected controller has a stepper"
        stepper.direct.open(steps, seconds, *self._runner.simulation.physics.clock.terms, exchange.asked)
        self._open, client.direct_stepper = (stepper, session, client), stepper.direct

    def _stepper_for(self, session: ControllerSession, client: Client) -> Stepper | None:
        robot, exchange = session.robot, session.exchange
        if exchange is None or not exchange.is_plain or client.quitting or client.closed:
            return None
        if session.is_free or not self._runner.simulation.is_plain:
            return None
        sessions = self._runner.lockstep.sessions
        if any(one.exchange is not None or one.expected for one in sessions if one is not session):
            return None
        sensors = robot.samples.single_pass
        if not robot.is_plain or (sensors is None and not robot.samples.is_empty):
            return None
        targets = robot.plain_targets()
        if self._stepper is None or not self._stepper.is_for(robot, client, targets, sensors):
            self._stepper = Stepper(self._runner.simulation.physics.engine, robot, client, targets, sensors)
        return self._stepper

    def close(self) -> None:
        """Take over the changes of the direct steps."""
        if self._open is None:
            return
        (stepper, session, client), self._open = self._open, None
        client.direct_stepper = None
        made, asked, due = stepper.direct.close()
        if not made and due is None:
            self._back_off()
            return
        self._pause = 0
        self._runner.steps += made
        assert session.exchange is not None, "it leaves later"
        session.exchange.follow(asked, due)
        if due is None:
            session.robot.sent_time = self._runner.simulation.time_ms
        else:
            self._broken_off = stepper

    def forget(self) -> None:
        """Drop all references to a controller that has ended."""
        self._stepper = None
        self._pause = self._wait = 0

    def _back_off(self) -> None:
        self._pause = self._wait = min(2 * self._pause + 1, LONGEST_PAUSE)

    def finish(self) -> None:
        """Finish a step that the direct stepper began but could not finish.

        Raises:
            UnstableError: the physics became unstable during the step.
        """
        if self._broken_off is None:
            return
        stepper, self._broken_off = self._broken_off, None
        try:
            stepper.direct.raise_failure()
        except _engine.PhysicsError as failure:
            raise self._runner.simulation.physics.unstable(failure) from None
        self._runner.answer_step()
