"""Node queries: by number, DEF name, device and selection; and the PROTO layers of a node."""

from __future__ import annotations

from typing import Any

from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.places import instance_of, is_internal, layers
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.wire import node_number
from wbridge.wbcore.world.node_ids import NO_NODE, ROOT

NO_LAYER = -1


class Nodes(CommandGroup):
    """Answers where nodes are and what they are."""

    def on_node_by_id(self, number: int) -> None:
        """Send about the node with a number, if there is one."""
        node = self.simulation.nodes.node(number)
        if node is not None:
            self.robot.send("node_by_id", *self.described(node))

    def on_node_by_tag(self, tag: int) -> None:
        """Send about the node of a device of this robot, if there is one."""
        if tag == 0:
            self.robot.send("node_by_tag", *self.described(self.robot.node))
        elif 0 < tag <= len(self.robot.devices) and tag not in self.robot.removed_tags:
            self.robot.send("node_by_tag", *self.described(self.robot.devices[tag - 1].node))

    def on_selected_node(self) -> None:
        """Send about the selected node, if there is one."""
        node = self.simulation.selected
        if node is not None:
            self.robot.send("selected_node", *self.described(node))

    def on_node_by_def(self, def_name: str, proto: int) -> None:
        """Send about the node with a DEF name (or a path of them), in the world or inside of a PROTO."""
        found = self._defined(def_name, proto)
        if found is None:
            self.robot.send("node_by_def", ROOT, 0, NO_NODE, NO_NODE, False, "")
            return
        *head, _, model, _ = self.described(found)
        self.robot.send("node_by_def", *head, model)

    def _defined(self, def_name: str, proto: int) -> Node | None:
        if proto == NO_NODE:
            return self.simulation.world.find(def_name)
        instance = self.simulation.nodes.node(proto)
        return _inside(instance, def_name) if instance is not None else None

    def on_get_proto(self, number: int, layer: int) -> None:
        """Send about the PROTO layer behind another one (-1: the outermost one)."""
        found = layers(self.node(number))
        index = layer + 1
        if not 0 <= index < len(found):
            self.robot.send("proto", NO_LAYER, False, 0, "")
            return
        instance = found[index]
        derived = index + 1 < len(found)
        self.robot.send("proto", index, derived, len(instance.spec.fields), instance.type)

    def renamed(self, node: Node) -> None:
        """Send the new DEF name."""
        if not self.dispatcher.is_used:
            return
        self.robot.send("node_by_id", *self.described(node))

    def described(self, node: Node) -> tuple[Any, ...]:
        """Return number, type, tag, parent, whether it is a PROTO, whether it is inside one, model, DEF."""
        node = instance_of(node)
        nodes = self.simulation.nodes
        return (
            nodes.number(node),
            node_number(node, self.robot.dialect),
            self._tag(node),
            nodes.parent(node),
            node.proto is not None,
            is_internal(node),
            node.type,
            node.def_name or "",
        )

    def _tag(self, node: Node) -> int:
        root = node.root
        if root is self.robot.node:
            return 0
        device = self.simulation.robots.device(root)
        return device.tag if device is not None and device.robot is self.robot else NO_NODE


def _inside(instance: Node, def_name: str) -> Node | None:
    """Return the node at a path of DEF names inside the bodies of an instance."""
    if instance.body is None:
        return None
    nodes = [layer.body for layer in layers(instance) if layer.body is not None]
    found: Node | None = None
    for part in def_name.split("."):
        every = walk(nodes, into_protos=False)
        found = next((node for node in every if node.def_name == part and node.use_of is None), None)
        if found is None:
            return None
        nodes = list(found.child_nodes())
    return found
