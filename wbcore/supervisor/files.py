"""Export of nodes and worlds as text."""

from __future__ import annotations

from pathlib import Path

from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.saving import save_world
from wbridge.wbcore.scene.writer import node_text, nodes_text
from wbridge.wbcore.supervisor.command_group import CommandGroup


class Files(CommandGroup):
    """Writes the tree, with the current poses."""

    def on_export_node(self, number: int) -> None:
        """Send the text of a node; an empty one when there is none."""
        node = self.simulation.nodes.node(number)
        text = ""
        if node is not None:
            self.simulation.sync()
            is_root = node is self.simulation.nodes.root
            world = self.simulation.world
            text = nodes_text(world.nodes, world.expander) if is_root else node_text(node, world.expander)
        self.robot.send("exported_node", text)

    def on_save_world(self, name: str | None) -> None:
        """Save the world, by default to its own file, and report whether that worked."""
        world = self.simulation.sync()
        path = full_path(world, self.robot.controller, name) if name is not None else Path(world.path)
        problem = "the name must end in .wbt" if path.suffix != ".wbt" else ""
        if not problem:
            try:
                save_world(world, path)
            except OSError as error:
                is_folder = path.parent.is_dir()
                problem = error.strerror or str(error) if is_folder else f"no folder {path.parent}"
            except ValueError as error:
                problem = str(error)
        if problem:
            self.robot.warn(f"the world was not saved as {path}: {problem}")
        self.robot.send("world_saved", not problem)


def full_path(world: World, controller: str, name: str) -> Path:
    """Return the full path of a file; relative paths start at the controller's folder."""
    folder = Path(world.project) / "controllers" / controller
    return (folder if folder.is_dir() else Path(world.path).parent) / name
