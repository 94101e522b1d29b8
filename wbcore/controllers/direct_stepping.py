"""Direct steps: an inline controller steps the engine without packets.

In most steps the controller sets motor targets, the physics advances, and the engine samples the sensors.
Such a step needs no packets (`_engine.DirectStepper`). There are two kinds:

* Rounds of all controllers (wbridge.wbcore.controllers.direct_round), if each of them is able to make direct
  steps.
* Shared steps: commands and values pass through the engine, but the scheduler resumes each controller, and
  the runner makes the step.

Both need sensors that the engine samples by itself (`Samples.single_pass`): no cameras ... Commands that a
device carries out immediately (`Device.quick_handler`) are executed when the step begins; others need a
packet. Steps with and without packets are bit-identical.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.engine import _engine

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.lockstep import ControllerSession
    from wbridge.wbcore.robots.robot import Robot
    from wbridge.wbcore.robots.routine import QuickCommand, Target
    from wbridge.wbcore.robots.sample_pass import SamplePass

TAG_BITS = 16
"""Place of the tag in the key of a command."""
LONGEST_PAUSE = 63
"""Maximum steps with packets before direct steps are tried again for a controller that could not use them."""


class Client(Protocol):
    """The client of the controller (wbridge.hal.client.native.HostedExchange)."""

    quitting: bool
    closed: bool

    def allow_direct(self, stepper: _engine.DirectStepper | None) -> None:
        """Make steps by a stepper; None: not any more."""


class Stepper:
    """A direct stepper of the engine, with the objects that it was created for."""

    def __init__(
        self,
        engine: _engine.World,
        robot: Robot,
        targets: list[Target],
        sensors: SamplePass | None,
    ) -> None:
        self.robot, self.targets, self.sensors = robot, targets, sensors
        self.direct = _engine.DirectStepper(engine)
        for one in targets:
            self.direct.add_target(_key(one.tag, one.code), one.motor, one.is_velocity)
        for quick in robot.routine.quick_commands():
            self.direct.add_switch(_key(quick.tag, quick.code), self._executor(quick))
        if sensors is not None:
            self.direct.set_sensors(sensors.native)

    def _executor(self, quick: QuickCommand) -> Callable[[int], bool]:
        """Return a function that executes a command, and returns whether the stepper is still valid."""

        def execute(value: int) -> bool:
            quick.handler(value)
            return self.has_targets and self.robot.is_plain

        return execute

    @property
    def has_targets(self) -> bool:
        """True if it sets the current targets."""
        return self.robot.routine.targets() is self.targets

    @property
    def has_sensors(self) -> bool:
        """True if it tells the values of all enabled sensors."""
        samples = self.robot.samples
        return samples.single_pass is self.sensors and (self.sensors is not None or samples.is_empty)


def _key(tag: int, code: int) -> int:
    """The key of a device's command."""
    return tag << TAG_BITS | code


class Seat:
    """The direct steps of one inline controller.

    In a round (wbridge.wbcore.controllers.direct_round), call `join` before and `leave` after it. Otherwise,
    call `open` before the controller resumes and `close` when its greenlet yields. `tell` ends a step that
    the runner has made.
    """

    def __init__(self, stepping: DirectStepping, session: ControllerSession) -> None:
        self._stepping, self._session = stepping, session
        self._stepper: Stepper | None = None
        self._client: Client | None = None
        """Set while it may begin a shared step."""
        self._begun: tuple[Client, float | None] | None = None
        """Its client and the time (ms) of the request of a step that has not ended."""
        self._settled: tuple[Client, float | None] | None = None
        """The same of the last step if it was shared and no packet followed."""
        self._terms: tuple[float, int, float] | None = None
        """The terms of the clock that the stepper has."""
        self._pause = self._wait = 0

    @property
    def asked(self) -> float | None:
        """Time (ms) of the controller's last request for a step."""
        exchange = self._session.exchange
        return None if exchange is None else exchange.asked

    def join(self, client: Client | None) -> Stepper | None:
        """Return the stepper of a controller that is about to go on; None if it needs packets."""
        exchange = self._session.exchange
        if client is None or exchange is None or not exchange.is_plain or client.quitting or client.closed:
            return None
        return self._stepper_for()

    def leave(
        self, client: Client | None, asked: float | None, due: float | None, told: float | None
    ) -> None:
        """Take over what the controller did in a round.

        Args:
            client: of the controller.
            asked: time (ms) of its last request.
            due: time (ms) at which its step ends, unless it has ended.
            told: time (ms) of the last values that it got in the round.
        """
        self._settled = self._terms = None
        if client is not None:
            client.allow_direct(None)
            self._begun = None if due is None else (client, asked)
        if self._session.exchange is not None:
            self._session.exchange.follow(asked, due)
        if told is not None:
            self._session.robot.answer.sent_time = told

    def open(self, client: Client | None) -> None:
        """Allow a shared step, if that is possible."""
        if self._wait:
            self._wait -= 1
            return
        if self._continues(client):
            return
        stepper = self.join(client)
        if stepper is None or client is None:
            self._back_off()
            return
        self._terms = terms = self._stepping.runner.simulation.physics.clock.terms
        stepper.direct.share(*terms, self.asked)
        self._client = client
        client.allow_direct(stepper.direct)

    def _continues(self, client: Client | None) -> bool:
        """Go on with shared steps if nothing has happened since the last one."""
        settled, self._settled = self._settled, None
        exchange, stepper = self._session.exchange, self._stepper
        if settled is None or exchange is None or stepper is None:
            return False
        if settled[0] is not client or exchange.asked is not settled[1] or not exchange.is_plain:
            return False
        if not stepper.has_targets or not stepper.robot.is_plain:
            return False
        if self._stepping.runner.simulation.physics.clock.terms != self._terms:
            return False
        self._client = client
        client.allow_direct(stepper.direct)
        return True

    def _stepper_for(self) -> Stepper | None:
        stepper, robot = self._stepper, self._session.robot
        if stepper is not None and stepper.has_targets and stepper.has_sensors and robot.is_plain:
            return stepper
        sensors = robot.samples.single_pass
        if not robot.is_plain or (sensors is None and not robot.samples.is_empty):
            return None
        engine = self._stepping.runner.simulation.physics.engine
        self._stepper = Stepper(engine, robot, robot.routine.targets(), sensors)
        return self._stepper

    def close(self) -> None:
        """Take over what the controller did."""
        client, stepper = self._client, self._stepper
        if client is None or stepper is None:
            return
        self._client = None
        client.allow_direct(None)
        begun = stepper.direct.begun()
        self._settled = None
        if begun is None:
            self._back_off()
            return
        self._pause = 0
        assert self._session.exchange is not None, "it leaves later"
        self._session.exchange.follow(*begun)
        self._begun = client, begun[0]

    def tell(self, now: float) -> bool:
        """Deliver time (ms) and values at the end of a shared step; False if that needs a packet."""
        begun, self._begun = self._begun, None
        if begun is None:
            return False
        stepper, robot = self._stepper, self._session.robot
        if stepper is None or not robot.is_plain or now == robot.answer.sent_time:
            return False
        if not stepper.robot.samples.has_only(stepper.sensors):
            return False
        stepper.direct.tell()
        robot.answer.sent_time = now
        self._settled = begun
        return True

    def _back_off(self) -> None:
        self._pause = self._wait = min(2 * self._pause + 1, LONGEST_PAUSE)


class DirectStepping:
    """Lets the inline controllers of a run make direct steps.

    Call `finish` when the process is back in the simulator's greenlet.
    """

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.broken_off: _engine.DirectRound | None = None
        """A round with a step that is not finished."""
        self.steps_alone = 0
        """Basic steps that controllers made without the runner."""

    def seat(self, session: ControllerSession) -> Seat:
        """Return the direct steps of a controller."""
        return Seat(self, session)

    def free_steps(self, sessions: Sequence[ControllerSession]) -> tuple[int, float]:
        """Return how many steps controllers may make without the runner, and for how long (s); (0, 0) if
        others take part, or if more than the physics happens in a step."""
        runner = self.runner
        if not runner.simulation.is_plain:
            return 0, 0.0
        others = [one for one in runner.lockstep.sessions if one.exchange is not None or one.expected]
        if others != sessions or any(one.is_free for one in sessions):
            return 0, 0.0
        return runner.free_steps()

    def count(self, steps: int) -> None:
        """Count basic steps that controllers made without the runner."""
        self.runner.steps += steps
        self.steps_alone += steps

    def finish(self) -> None:
        """Finish a step that a round could not finish.

        Raises:
            UnstableError: the physics became unstable during the step.
        """
        if self.broken_off is None:
            return
        native, self.broken_off = self.broken_off, None
        try:
            native.raise_failure()
        except _engine.PhysicsError as failure:
            raise self.runner.simulation.physics.unstable(failure) from None
        self.runner.answer_step()
