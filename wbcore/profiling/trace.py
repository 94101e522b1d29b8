"""A timeline of spans as a file for Perfetto (ui.perfetto.dev) or chrome://tracing.

The format is Chrome's "Trace Event Format": complete events ("X") with begin and duration in microseconds,
and metadata events ("M") with the names of the process and its threads. Spans of one thread must nest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from wbridge.hal.folders import replacement
from wbridge.wbcore.engine import BUILD_NOTE

MOST_EVENTS = 200_000
"""Limit of events: later ones are only counted. About 20 MB in the file."""
PROCESS = 1
SIMULATOR = 1
"""The track of the simulator's spans."""


class Trace:
    """Stores spans on tracks and writes them to a file."""

    def __init__(self, most_events: int = MOST_EVENTS) -> None:
        """
        Args:
            most_events: maximum number of spans to store.
        """
        self.dropped = 0
        """Number of spans beyond the limit."""
        self._most = most_events
        self._start_ns = 0
        self._tracks = ["simulator"]
        self._events: list[tuple[str, int, int, int]] = []

    def start(self, start_ns: int) -> None:
        """Forget what was stored, and begin at this time (ns)."""
        self._start_ns = start_ns
        self._events.clear()
        self.dropped = 0

    def track(self, name: str) -> int:
        """Return the number of a new track, for spans that overlap with those of others."""
        self._tracks.append(name)
        return len(self._tracks)

    def add(self, name: str, begin_ns: int, end_ns: int, track: int = SIMULATOR) -> None:
        """Store a span."""
        if len(self._events) < self._most:
            self._events.append((name, begin_ns, end_ns, track))
        else:
            self.dropped += 1

    def __len__(self) -> int:
        return len(self._events)

    def events(self) -> Iterator[dict[str, object]]:
        """Yield all events of the file."""
        yield {"ph": "M", "name": "process_name", "pid": PROCESS, "args": {"name": "wbridge run"}}
        if BUILD_NOTE:
            yield {"ph": "M", "name": "process_labels", "pid": PROCESS, "args": {"labels": BUILD_NOTE}}
        for number, name in enumerate(self._tracks, 1):
            yield {"ph": "M", "name": "thread_name", "pid": PROCESS, "tid": number, "args": {"name": name}}
            order = {"sort_index": number}
            yield {"ph": "M", "name": "thread_sort_index", "pid": PROCESS, "tid": number, "args": order}
        for name, begin_ns, end_ns, track in self._events:
            begin_us, duration_us = (begin_ns - self._start_ns) / 1000, (end_ns - begin_ns) / 1000
            yield {
                "ph": "X",
                "name": name,
                "ts": begin_us,
                "dur": duration_us,
                "pid": PROCESS,
                "tid": track,
            }

    def write(self, path: Path) -> None:
        """Write the file; an existing one is replaced only by a complete one.

        Raises:
            OSError: it cannot be written.
        """
        path = path.resolve()
        with replacement(path) as draft, draft.open("w", encoding="utf-8") as file:
            file.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
            for number, event in enumerate(self.events()):
                file.write(",\n" if number else "")
                file.write(json.dumps(event, separators=(",", ":")))
            file.write("\n]}\n")
