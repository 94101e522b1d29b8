"""Lines of controllers at the time at which they print them, for recordings."""

from __future__ import annotations

from wbridge.wbcore.controllers.manager import ControllerManager


class OutputReader:
    """Passes on what processes print at the time at which they print it; add it to the actors of a run.

    All controllers that take part have asked for the next step by then, and printed what comes before.
    """

    def __init__(self, manager: ControllerManager) -> None:
        self._manager = manager

    def before_step(self) -> None:
        """Pass on what was printed since the last step."""
        for task in self._manager.tasks:
            if task.process is not None:
                task.process.read_output()

    def after_step(self) -> None:
        """Nothing is printed while the simulation steps."""

    def was_reset(self) -> None:
        """What was printed before a reset was passed on."""
