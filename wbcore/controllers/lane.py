"""Steps that a controller inside of this process makes by itself, where it asks for them.

Most steps of most runs are alike: the controller sets targets of motors, the physics makes a step, and the
engine reads the sensors. Such a step is one call of the engine (`_engine.Lane`): no packets, no change to
another greenlet and its world. This lane is open while

* nobody of the run looks on: as fast as possible, no windows, no recording (`Runner.free_steps`),
* the robot's controller is the only one,
* no part or device of a robot works in the steps (`Simulation.is_plain`): no battery, supervisor, emitter ...
* the engine reads all enabled sensors (`Robot.plain_batches`): none with noise, no cameras ...

It is opened before the controller goes on and closed when it waits or ends. All of this holds in between:
whatever the controller says besides targets takes the long way, and with it the lane ends. Steps on either
way are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from wbcore.engine import _engine

if TYPE_CHECKING:
    from wbcore.controllers.lockstep import ControllerSession
    from wbcore.controllers.runner import Runner
    from wbcore.robots.batch_readings import BatchReadings
    from wbcore.robots.robot import Robot
    from wbcore.robots.routine import Target

__all__ = ["Lane"]

LONGEST_PAUSE = 63
"""Steps on the long way, before it is tried again with a controller for which the lane is of no use."""


class Client(Protocol):
    """The exchange of the controller (hal.modes.exchange)."""

    quitting: bool
    closed: bool
    lane: Any
    """Where the controller finds the lane (hal.modes.channel.Lane)."""

    def command_key(self, tag: int, code: int) -> int:
        """By which the lane gets the number of a device's command."""

    def listener(self, tag: int, code: int) -> Callable[..., None]:
        """Who takes a message."""


class Parts:
    """A lane of the engine, and what it was made for."""

    def __init__(
        self,
        engine: _engine.World,
        robot: Robot,
        client: Client,
        targets: list[Target],
        batches: list[BatchReadings],
    ) -> None:
        self.key = robot, client, targets, batches
        self.batches = batches
        self.lane = _engine.Lane(engine)
        for one in targets:
            self.lane.add_target(client.command_key(one.tag, one.code), one.motor, one.is_velocity)
        self.lane.add_listener(client.listener(0, robot.codec.message_codes["time"]))
        for batch in batches:
            listeners = [client.listener(one.tag, one.message_code) for one in batch.sensors]
            self.lane.add_gauge(batch.readings, batch.period, listeners)

    def are_for(
        self, robot: Robot, client: Client, targets: list[Target], batches: list[BatchReadings]
    ) -> bool:
        """True when the lane can be used again."""
        return all(a is b for a, b in zip(self.key, (robot, client, targets, batches), strict=True))


class Lane:
    """Lets the only controller of a run make steps by itself.

    `open` is called before the controller goes on, `close` when its greenlet is left, and `finish` when the
    process is in the simulator's world again.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._parts: Parts | None = None
        self._open: tuple[Parts, ControllerSession, Client] | None = None
        self._broken_off: Parts | None = None
        self._pause = self._wait = 0

    def open(self, session: ControllerSession, client: Client | None) -> None:
        """Let the controller of a session make steps, if everything is as usual."""
        if self._wait:
            self._wait -= 1
            return
        steps, seconds = self._runner.free_steps()
        if steps == 0 or client is None:
            return
        parts = self._parts_for(session, client)
        if parts is None:
            self._stay_away()
            return
        exchange = session.exchange
        assert exchange is not None, "there are parts only for a connected controller"
        lasts = [one.last for one in parts.batches]
        parts.lane.open(steps, seconds, *self._runner.simulation.physics.clock.terms, exchange.asked, lasts)
        self._open, client.lane = (parts, session, client), parts.lane

    def _parts_for(self, session: ControllerSession, client: Client) -> Parts | None:
        robot, exchange = session.robot, session.exchange
        if exchange is None or not exchange.is_plain or client.quitting or client.closed:
            return None
        if session.is_free or not self._runner.simulation.is_plain:
            return None
        sessions = self._runner.lockstep.sessions
        if any(one.exchange is not None or one.expected for one in sessions if one is not session):
            return None
        batches = robot.plain_batches()
        if batches is None:
            return None
        targets = robot.plain_targets()
        if self._parts is None or not self._parts.are_for(robot, client, targets, batches):
            self._parts = Parts(self._runner.simulation.physics.engine, robot, client, targets, batches)
        return self._parts

    def close(self) -> None:
        """Take over what the steps have changed."""
        if self._open is None:
            return
        (parts, session, client), self._open = self._open, None
        client.lane = None
        made, asked, due, samples = parts.lane.close()
        if not made and due is None:
            self._stay_away()
            return
        self._pause = 0
        self._runner.steps += made
        assert session.exchange is not None, "it leaves later"
        session.exchange.follow(asked, due)
        for batch, (last, waits) in zip(parts.batches, samples, strict=True):
            batch.last, batch.waits = last, waits
        if due is None:
            session.robot.told_time = self._runner.simulation.time_ms
        else:
            self._broken_off = parts

    def forget(self) -> None:
        """A controller has ended: keep nothing of it and its world."""
        self._parts = None
        self._pause = self._wait = 0

    def _stay_away(self) -> None:
        self._pause = self._wait = min(2 * self._pause + 1, LONGEST_PAUSE)

    def finish(self) -> None:
        """End a step that was begun, but could not be ended where the controller is.

        Raises:
            UnstableError: the physics broke down in it.
        """
        if self._broken_off is None:
            return
        parts, self._broken_off = self._broken_off, None
        try:
            parts.lane.raise_failure()
        except _engine.PhysicsError as failure:
            raise self._runner.simulation.physics.unstable(failure) from None
        self._runner.answer_step()
