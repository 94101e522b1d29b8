"""Where the inline controllers of a run stand between two steps, and bringing them there again.

    there = standings_of(runner)
    ...
    astray = stand_again(runner, there, state)

The controllers begin again and go through their logs without the simulation (`Readings`); then the world
gets its state. So this takes the time of the controllers' code only.
"""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbcore.controllers.exchange import Pending
from wbridge.wbcore.controllers.inline import InlineControllers
from wbridge.wbcore.controllers.lockstep import ControllerSession
from wbridge.wbcore.controllers.readings import Place, Readings
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.devices.image_device import ImageDevice


class Standing(NamedTuple):
    """Where one controller stands."""

    session: ControllerSession
    readings: Readings
    place: Place
    """The end of the log at this moment."""
    pending: Pending
    """What it waits for."""


class Standings(NamedTuple):
    """Where all controllers of a run stand."""

    each: tuple[Standing, ...]
    """In the order of their starts."""
    gap: str = ""
    """Why the controllers cannot be brought there again, for users; "" if that is possible."""

    @property
    def problem(self) -> str:
        """Why the controllers cannot be brought there again, for users; "" if that is possible."""
        return self.gap or next(filter(None, (standing.readings.gap for standing in self.each)), "")


def standings_of(runner: Runner) -> Standings:
    """Return where the controllers stand; call after a step, before the controllers are answered."""
    inline = runner.controllers.inline
    for session in runner.lockstep.sessions:
        gap = _gap(session, inline)
        if gap:
            return Standings((), f'the controller of robot "{session.robot.name}" {gap}')
    return Standings(tuple(_standings(inline))) if inline is not None else Standings(())


def _gap(session: ControllerSession, inline: InlineControllers | None) -> str:
    """Return why a controller cannot be brought to the same place again; "" if there is none, or it can."""
    exchange, readings = session.exchange, inline.readings(session) if inline is not None else None
    if exchange is None:
        return "is starting" if session.expected else ""
    if readings is None:
        return "runs in a process, or has begun before anybody looked"
    if exchange.link is not None:
        return "has an emulated link"
    if exchange.time_to_event is not None:
        return "waits for a user"
    if session.robot.is_remote:
        return "drives a real robot"
    return _pictures(session)


def _pictures(session: ControllerSession) -> str:
    """Images pass beside the answers; their logs would be too large."""
    devices = session.robot.devices
    used = [camera.name for camera in devices if isinstance(camera, ImageDevice) and camera.has_memory]
    return f'uses the pictures of "{used[0]}"' if used else ""


def _standings(inline: InlineControllers) -> list[Standing]:
    return [
        Standing(session, readings, readings.place, session.exchange.pending)
        for session in inline.running
        if session.exchange is not None and (readings := inline.readings(session)) is not None
    ]


def stand_again(runner: Runner, there: Standings, state: bytes) -> dict[str, str]:
    """Bring world and controllers to an earlier moment of the run; then call `runner.answer_step`.

    Args:
        runner: the run, between two steps.
        there: where the controllers stood, without a problem.
        state: of the simulation at that moment.

    Returns:
        why controllers did something else and are started again, by robot name.

    Raises:
        StateError: solids or devices were added or removed since; or by controllers that ended now.
    """
    runner.simulation.restore(state)  # fails before a controller ends, if it does
    runner.controllers.end_each()
    reasons = {standing.session: _go_through(runner, standing) for standing in there.each}
    runner.simulation.restore(state)
    astray = {session: why for session, why in reasons.items() if why}
    for session in astray:
        runner.controllers.restart(session)
    return {session.robot.name: why for session, why in astray.items()}


def _go_through(runner: Runner, standing: Standing) -> str:
    """Start a controller, and let it go through its log; what it prints was printed before."""
    streams, inline = runner.controllers.open_again(standing.session), runner.controllers.inline
    if streams is None or inline is None:
        return "it could not be started"
    standing.readings.cut(standing.place)
    for stream in streams:
        stream.is_muted = True
    try:
        return inline.run_again(standing.session, standing.readings, standing.pending)
    finally:
        for stream in streams:
            stream.is_muted = False
