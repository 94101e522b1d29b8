"""The run as a whole: its end, its mode, resets, other worlds and restarts of controllers."""

from __future__ import annotations

from pathlib import Path

from wbcore.physics.tree import node_path
from wbcore.supervisor.files import full_path
from wbcore.supervisor.subject import Subject

__all__ = ["Run"]

MODES = {0: 0, 1: 1, 2: 2, 3: 2}
"""Modes as releases before R2021 number them, too: 3 was the fastest one."""


class Run(Subject):
    """Passes requests on to the simulation and its host."""

    def on_quit_simulation(self, status: int) -> None:
        """End the run with an exit status."""
        self.simulation.host.quit(status)

    def on_reset_simulation(self) -> None:
        """Go back to the start when this step, or the next one, has ended."""
        self.simulation.reset_at_end_of_step()

    def on_set_mode(self, mode: int) -> None:
        """Pause, or run in real time or as fast as possible."""
        if mode not in MODES:
            raise ValueError(f"there is no mode {mode}; allowed: 0 (pause), 1 (real time) and 2 (fast)")
        self.simulation.set_mode(MODES[mode])

    def on_reload_world(self) -> None:
        """Reload the world."""
        self.simulation.host.reload()

    def on_load_world(self, path: str) -> None:
        """Load another world."""
        found = full_path(self.simulation.world, self.robot.controller, path)
        if not _is_world(found):
            raise ValueError(f"there is no world file {found}; a path must end in .wbt")
        self.simulation.host.load_world(str(found))

    def on_restart_controller(self, number: int) -> None:
        """Restart the controller of a robot."""
        node = self.node(number)
        robot = self.simulation.robots.of(node)
        if robot is None:
            raise ValueError(f"{node_path(node)} is not a Robot")
        self.simulation.host.restart_controller(robot)


def _is_world(path: Path) -> bool:
    try:
        return path.suffix == ".wbt" and path.is_file()
    except (OSError, ValueError):
        return False
