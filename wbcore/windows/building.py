"""What pages build in a running world: nodes from the shelf, copies, removals; all can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from math import isfinite

from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3, add, scaled
from wbridge.wbcore.physics.settings import directions
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.places import place
from wbridge.wbcore.scene.world import World
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.history import History
from wbridge.wbcore.windows.interventions import Done, Interventions
from wbridge.wbcore.windows.request_handler import WindowRequest
from wbridge.wbcore.windows.selection import Selection
from wbridge.wbcore.windows.shelf import WHEEL, WHEEL_RADIUS, WHEEL_WIDTH, Entry, entry
from wbridge.wbcore.windows.user_supervisor import Added, UserSupervisor
from wbridge.wbcore.world.node_ids import ROOT

APART = 0.05
"""Distance (m) of a copy from its original."""
CLEARANCE = 0.002
"""Distance (m) of a wheel from the body beside it."""
Box = tuple[Vec3, Vec3]


class NodeRequests:
    """What carries out requests of pages for nodes."""

    def __init__(
        self,
        interventions: Interventions,
        history: History,
        selection: Selection,
        answer: Callable[[WindowRequest], Done],
    ) -> None:
        """
        Args:
            interventions: of the run.
            history: keeps what takes changes back.
            selection: what requests for one node concern.
            answer: returns what is called with the reason why a request was not possible.
        """
        self._does, self._history, self._answer = interventions, history, answer
        self._selection = selection


class Building(NodeRequests):
    """Carries out requests of pages that add, copy and remove nodes."""

    def requests(self) -> Mapping[str, Callable[[WindowRequest], None]]:
        """Return the handlers of requests, by name."""
        return {
            "add": self._add,
            "copy": self._copy,
            "remove": self._remove,
            "undo": lambda request: self._history.undo(self._answer(request)),
            "redo": lambda request: self._history.redo(self._answer(request)),
        }

    def _add(self, request: WindowRequest) -> None:
        values = request.values
        item = entry(values["model"])
        x, y, z = values["point"]
        self._history.make(
            f"Add {item.name}",
            lambda: self._added(item, (x, y, z), values["node"]),
            self._answer(request),
        )

    def _added(self, item: Entry, point: Vec3, number: int) -> Added:
        if item.is_part:
            return self._attached(item, point, number)
        name = "robot" if item.name == "Robot" else item.name.lower()
        return self._put(item.text(self.release, point, name), point)

    def _attached(self, item: Entry, point: Vec3, number: int) -> Added:
        """Attach a part to the solid that a point (m, world) is on."""
        simulation = self._simulation
        holder = self._does.user.node(number) if number else None
        solid = simulation.physics.handles.solids.get(holder.root) if holder is not None else None
        if holder is None or solid is None or not _is_of_robot(holder):
            raise ValueError(f"drop the {item.name} on a robot: it becomes a part of it")
        if "children" not in holder.spec.fields:
            raise ValueError(f"{holder.type} is a model without a place for parts")
        at = simulation.physics.solid_pose(solid).relative(Pose(point)).position
        name = item.name
        if item.name == WHEEL:
            name, at = f"{'left' if at[1] > 0 else 'right'} wheel", self._beside(solid, at)
        return self._insert(number, len(holder.get("children")), item.text(self.release, at, name))

    def _beside(self, solid: SolidPlan, at: Vec3) -> Vec3:
        """Return where a wheel is beside a body, and stands on the same ground (frame of the body, m)."""
        box = self._box([solid])
        if box is None:
            return at
        pose = self._simulation.physics.solid_pose(solid)
        corners = [pose.relative(Pose((x, y, z))).position for x, y, z in product(*zip(*box, strict=True))]
        across, low = [corner[1] for corner in corners], min(corner[2] for corner in corners)
        gap = WHEEL_WIDTH / 2 + CLEARANCE
        return at[0], max(across) + gap if at[1] > 0 else min(across) - gap, low + WHEEL_RADIUS

    def put(self, name: str, text: str, point: Vec3, done: Done) -> None:
        """Add a node at the top level, and set it onto a point.

        Args:
            name: what the page shows.
            text: the node as a file.
            point: m, world.
            done: called with the reason why that was not possible, or "".
        """
        self._history.make(f"Add {name}", lambda: self._put(text, point), done)

    def _put(self, text: str, point: Vec3) -> Added:
        added = self._insert(ROOT, len(self._simulation.world.nodes), text)
        box, up = self._extent(added.node), self._up
        if box is not None:
            lowest = sum(a * min(low, high) for a, low, high in zip(up, *box, strict=True))
            height = sum(a * b for a, b in zip(up, point, strict=True)) - lowest
            node = added.node
            self._set(node, "translation", add(node.get("translation"), scaled(up, height)))
        return added

    def _insert(self, number: int, index: int, text: str) -> Added:
        added = self._does.do("add", number, "children", index, text)
        assert isinstance(added, Added), "nodes are added"
        self._simulation.selected = added.node
        return added

    def _set(self, node: Node, name: str, value: object) -> None:
        self._does.do("set", self._simulation.nodes.number(node), name, -1, value)

    def _copy(self, request: WindowRequest) -> None:
        nodes, copies = self._selection.whole(request.values["node"]), list[Node]()

        def copy(node: Node) -> Added:
            added = self._copied(node)
            copies.append(added.node)
            return added

        def done(problem: str) -> None:
            if not problem:
                self._selection.put(copies)
            self._answer(request)(problem)

        acts = [partial(copy, node) for node in nodes]
        self._history.make_all(f"Copy {_title_of_all(nodes)}", acts, done)

    def _copied(self, node: Node) -> Added:
        user = self._does.user
        holder, index = spot_among_children(user, node, "copied")
        box = self._extent(node)
        added = self._insert(user.number(holder), index + 1, user.file_of(node, with_name=False))
        if "translation" in node.spec.fields:
            width = box[1][0] - box[0][0] if box is not None else 0.0
            aside = (width + APART, 0.0, 0.0)
            self._set(added.node, "translation", add(node.get("translation"), aside))
        return added

    def _remove(self, request: WindowRequest) -> None:
        nodes = self._selection.whole(request.values["node"])
        numbers = map(self._simulation.nodes.number, nodes)
        acts = [partial(self._does.do, "remove", number) for number in numbers]
        self._history.make_all(f"Delete {_title_of_all(nodes)}", acts, self._answer(request))

    @property
    def _simulation(self) -> Simulation:
        return self._does.simulation

    @property
    def release(self) -> str:
        """The release in the first line of the world's file, such as "R2025a"."""
        return str(self.world.header.version)

    @property
    def world(self) -> World:
        """The world that is changed."""
        return self._simulation.world

    @property
    def _up(self) -> Vec3:
        return directions(str(self._simulation.world.coordinate_system))[1]

    def _extent(self, node: Node) -> Box | None:
        """Return the box around a solid with what hangs on it, as `_box`."""
        solids = self._simulation.physics.handles.solids
        return self._box([solids[inner] for inner in walk(node) if inner in solids])

    def _box(self, solids: list[SolidPlan]) -> Box | None:
        """Return the lowest and highest corner (m, world) of the bounding objects of solids; None without
        finite ones."""
        geoms_of = self._simulation.physics.handles.geoms_of
        boxes = [geom.bounds for solid in solids for geom in geoms_of.get(solid, ())]
        if not boxes or not all(isfinite(number) for box in boxes for corner in box for number in corner):
            return None
        low, high = zip(*boxes, strict=True)
        (a, b, c), (x, y, z) = map(min, zip(*low, strict=True)), map(max, zip(*high, strict=True))
        return (a, b, c), (x, y, z)


def _is_of_robot(node: Node) -> bool:
    above: Node | None = node
    while above is not None and not above.is_a("Robot"):
        above = above.parent
    return above is not None


def _title_of_all(nodes: Sequence[Node]) -> str:
    return title_of(nodes[0]) if len(nodes) == 1 else f"{len(nodes)} nodes"


def spot_among_children(user: UserSupervisor, node: Node, what: str) -> tuple[Node, int]:
    """Return which node (the root at the top level) has a node among its children, and at which place.

    Args:
        user: of the page.
        node: the node.
        what: is to be done with it, for the message.

    Raises:
        ValueError: it is in no list of children, or in the body of a model.
    """
    holder, field, index = user.spot(node)
    if place(node).is_body or field != "children":
        raise ValueError(f"{title_of(node)} cannot be {what}: it is not in a list of children")
    return holder, index


def title_of(node: Node) -> str:
    """Return how the user knows a node: its name, DEF name or type."""
    name = str(node.root.get("name")) if "name" in node.root.spec.fields else ""
    return name or node.def_name or node.type
