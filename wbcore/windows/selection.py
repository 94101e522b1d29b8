"""What the user has selected: by a click, by its place in the tree; and what a page shows about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from wbridge.wbcore.physics.errors import SimulationError
from wbridge.wbcore.physics.mount import solid_frame
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3, unit
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import inside_of, instance_of, place
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.interventions import Interventions
from wbridge.wbcore.windows.joint_axes import joint_axis, located
from wbridge.wbcore.world.edits import is_in

FAR = 1e4
"""Length (m) of the ray of a click."""
DIGITS = 6


class Selection:
    """The nodes that are selected in one run: one that pages show in detail, and others."""

    def __init__(self, interventions: Interventions) -> None:
        """
        Args:
            interventions: of the run.
        """
        self._does = interventions
        self._others: list[Node] = []

    def choose(self, node: Node | None, more: bool) -> None:
        """Select a node.

        Args:
            node: None: select nothing.
            more: keep the others; a node that is selected already is selected no more.
        """
        before = self.nodes() if more else []
        if node in before:
            before.remove(node)
        elif node is not None:
            before.insert(0, node)
        self.put(before)

    def put(self, nodes: Sequence[Node]) -> None:
        """Select these; the first is the one shown in detail."""
        self._does.simulation.selected = nodes[0] if nodes else None
        self._others = list(nodes[1:])

    def nodes(self) -> list[Node]:
        """Return the selected nodes that exist, the one shown in detail first."""
        simulation = self._does.simulation
        if simulation.selected is None:
            return []
        nodes = (simulation.selected, *self._others)
        return [node for node in nodes if is_in(node.root, simulation.world)]

    def whole(self, number: int) -> list[Node]:
        """Return what a request for a node concerns: the node, and if it is selected, all that is.

        Nodes inside others of the selection are left out: they go with these. The node itself comes first.

        Raises:
            ValueError: there is no such node.
        """
        node = self._does.user.node(number)
        nodes = self.nodes()
        if node not in nodes:
            return [node]
        return sorted(
            (part for part in nodes if not _is_below(part, nodes)), key=lambda part: part is not node
        )


def group_around(node: Node) -> Node | None:
    """Return the Group that a node is, or that it is a child of; None if there is none.

    What belongs to the body of a model is in no group.
    """
    if node.type == "Group":
        return node
    where = place(node)
    return where.holder if not where.is_body and _is_group(where.holder) else None


def _is_group(node: Node | None) -> bool:
    return node is not None and node.type == "Group"


def _is_below(node: Node, nodes: Sequence[Node]) -> bool:
    return any(node is not above and inside_of(node.root, above.root) for above in nodes)


def pick(simulation: Simulation, origin: Vec3, toward: Vec3, part: bool) -> Node | None:
    """Return the solid that a ray from the eye meets first, or None.

    A click selects the topmost solid; another click on the selected object, or one with Alt (`part`), the
    part of it that was hit. Source: Webots' guide, chapter The 3D Window.
    """
    direction = unit(toward)
    if direction is None or not all(map(isfinite, (*origin, *toward))):
        return None
    scene = simulation.visual
    scene.refresh()
    scene.forget_step()
    rays = scene.rays(None, Pose(origin), [direction], FAR)
    rays.cast()
    instance = int(rays.instances[0])
    if instance < 0:
        return None
    shape, _ = scene.placed(instance)
    try:
        solid = simulation.physics.solid(shape)
    except SimulationError:
        return None
    top = _top(solid)
    selected = simulation.selected
    if part or (selected is not None and inside_of(selected.root, top.node)):
        return instance_of(solid.node)
    return instance_of(top.node)


def _top(solid: SolidPlan) -> SolidPlan:
    while solid.parent is not None:
        solid = solid.parent
    return solid


def described(simulation: Simulation, nodes: Sequence[Node]) -> Mapping[str, object]:
    """Return what a page shows about the first of selected nodes: names, and of a solid its mass and motion.

    Returns:
        node: its number; others: the numbers of the other nodes; path, type, def_name, name; is_locked (null:
        it has no such field); group (number of the Group that it is or is a child of, or null);
        of solids also `body` (number, or null), where it is (see `located`), position (m), velocity (m/s) and
        angular velocity (rad/s) in the world, mass (kg, null without Physics), `joint_axis` (that carries it,
        see `JointAxis.shown`, or null), mass_below (kg, with all that hangs on it), is_dynamic (if forces
        move it), asleep.
    """
    node, root = nodes[0], nodes[0].root
    shown: dict[str, object] = {
        "node": simulation.nodes.number(node),
        "others": [simulation.nodes.number(other) for other in nodes[1:]],
        "path": node_path(node),
        "type": node.type,
        "def_name": node.def_name or "",
        "name": str(root.get("name")) if "name" in root.spec.fields else "",
        "group": _number(simulation, group_around(node)),
        "is_locked": bool(node.get("locked")) if "locked" in node.spec.fields else None,
    }
    solid = simulation.physics.handles.solids.get(root)
    return shown | _motion(simulation, solid) if solid is not None else shown


def _number(simulation: Simulation, node: Node | None) -> int | None:
    return simulation.nodes.number(node) if node is not None else None


def _motion(simulation: Simulation, solid: SolidPlan) -> dict[str, object]:
    physics = simulation.physics
    velocity, spin = physics.velocity(solid.node)
    body = physics.handles.bodies.get(solid.body)
    carrier, place = solid_frame(physics, solid)
    joint = joint_axis(simulation, solid)
    masses = [plan.mass.mass for plan in _below(simulation, solid) if plan.mass is not None]
    return {
        "body": int(body.id) if body is not None else None,
        **located(carrier, place.rigid),
        "position": _rounded(physics.solid_pose(solid).position),
        "velocity": _rounded(velocity),
        "spin": _rounded(spin),
        "joint_axis": joint.shown() if joint is not None else None,
        "mass": solid.mass.mass if solid.mass is not None else None,
        "mass_below": sum(masses) if masses else None,
        "is_dynamic": solid.body.is_dynamic,
        "asleep": body is not None and solid.body.is_dynamic and not body.awake,
    }


def _below(simulation: Simulation, top: SolidPlan) -> list[SolidPlan]:
    """Return a solid and those below it."""
    part = next(part for part in simulation.physics.plan.parts if top in part.solids)
    below, found = {id(top)}, [top]
    for solid in part.solids:
        if solid.parent is not None and id(solid.parent) in below:
            below.add(id(solid))
            found.append(solid)
    return found


def _rounded(values: Sequence[float]) -> list[float | None]:
    """Round for JSON; what is not finite becomes null."""
    return [round(value, DIGITS) if isfinite(value) else None for value in values]
