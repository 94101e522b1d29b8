"""What workers carry out: runs of a sweep, and replays of a log. Both travel as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from wbridge.wbfleet.fitting.work import carry_out_replay
from wbridge.wbfleet.sweeps.job import Job, simulate


class Work(Protocol):
    """Something that any process or machine can carry out."""

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data for `carry_out_work`; "kind" names the kind of work."""


def carry_out_work(data: Mapping[str, object]) -> dict[str, object]:
    """Carry out work.

    Args:
        data: of `Work.to_data`.

    Returns:
        plain data with at least status and reason.
    """
    values = {name: value for name, value in data.items() if name != "kind"}
    if data["kind"] == "replay":
        return carry_out_replay(values)

    return simulate(Job.from_data(values))
