"""Answers to controllers that wait for an event of the user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.lockstep import ControllerSession


def tell_events(sessions: Iterable[ControllerSession]) -> float | None:
    """Answer controllers that wait for a user event, once it has occurred or timed out.

    Returns:
        seconds (real time) until the next call is due; None if no controller waits.
    """
    soonest: float | None = None
    for session in sessions:
        left = session.exchange.time_to_event if session.exchange is not None else None
        if session.exchange is None or left is None:
            continue
        if left == 0:
            session.send(session.exchange.event())
        elif soonest is None or left < soonest:
            soonest = left
    return soonest
