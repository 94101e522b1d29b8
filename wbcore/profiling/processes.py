"""How long controller processes compute: from an answer until their next request.

They compute at the same time as others and the simulator, so these times do not add up to the run's.
"""

from __future__ import annotations

from collections.abc import Callable

from wbridge.wbcore.controllers.lockstep import ControllerSession
from wbridge.wbcore.profiling.spans import Usage, replace
from wbridge.wbcore.profiling.trace import Trace


class ProcessTimes:
    """The computing times of all controller processes of a run."""

    def __init__(self, now: Callable[[], int], trace: Trace | None) -> None:
        """
        Args:
            now: the clock (ns).
            trace: gets a track for each process.
        """
        self._now, self._trace = now, trace
        self._times: dict[str, Usage] = {}
        self._start: int | None = None

    def start(self) -> None:
        """Begin the measurement."""
        self._start = self._now()

    def stop(self) -> list[Usage]:
        """End the measurement and return the times by robot, in the order in which they first computed."""
        self._start = None
        return list(self._times.values())

    def watch(self, session: ControllerSession) -> None:
        """Measure a controller that has just connected."""
        exchange = session.exchange
        assert exchange is not None, "it has just connected"
        feed, send, name = exchange.feed, session.send, session.robot.name
        track = None if self._trace is None else self._trace.track(f"controller: {name}")
        since: int | None = None

        def receive(data: bytes) -> bytes:
            nonlocal since
            if since is not None:
                self._add(name, since, track)
            answer = feed(data)
            # Questions are answered at once, and the controller goes on.
            since = self._now() if exchange.due is None else None
            return answer

        def answer(data: bytes) -> None:
            nonlocal since
            send(data)
            since = self._now()

        replace(exchange, "feed", receive)
        session.send = answer

    def _add(self, name: str, since: int, track: int | None) -> None:
        if self._start is None:
            return
        now, since = self._now(), max(since, self._start)
        _, calls, time_ns, longest_ns = self._times.get(name, Usage(name, 0, 0, 0))
        longest_ns = max(longest_ns, now - since)
        self._times[name] = Usage(name, calls + 1, time_ns + now - since, longest_ns)
        if self._trace is not None and track is not None:
            self._trace.add(name, since, now, track)
