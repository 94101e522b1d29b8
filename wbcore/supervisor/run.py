"""Run control: quit, mode, resets, loading of worlds, restarts of controllers."""

from __future__ import annotations

from pathlib import Path

from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.files import full_path

MODES = {0: 0, 1: 1, 2: 2, 3: 2}
"""Mode numbers, including 3 (fast) from releases before R2021."""


class Run(CommandGroup):
    """Passes requests on to the simulation and its host."""

    def on_quit_simulation(self, status: int) -> None:
        """End the run with an exit status."""
        self.simulation.host.quit(status)

    def on_reset_simulation(self) -> None:
        """Reset the simulation at the end of this step, or of the next one."""
        self.simulation.reset_at_end_of_step()

    def on_set_mode(self, mode: int) -> None:
        """Set the mode: pause, real time or fast."""
        if mode not in MODES:
            raise ValueError(f"no mode {mode}; allowed: 0 (pause), 1 (real time) and 2 (fast)")
        self.simulation.set_mode(MODES[mode])

    def on_reload_world(self) -> None:
        """Reload the world."""
        self.simulation.host.reload()

    def on_load_world(self, path: str) -> None:
        """Load another world."""
        found = full_path(self.simulation.world, self.robot.controller, path)
        if not _is_world(found):
            raise ValueError(f"no world file {found}; the path of an existing .wbt file is required")
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
