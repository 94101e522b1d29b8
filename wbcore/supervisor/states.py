"""Named states of nodes, which supervisors save and load."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from wbridge.wbcore.physics import sync
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.tree import is_frame, node_path
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.places import inside_of
from wbridge.wbcore.scene.values import copied
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.poses import solids_below

__all__ = ["START", "States"]

START = "__init__"
"""The state that every node has: that at the start, or when it was added."""
MOST_STATES = 10_000
_PLACE = ("translation", "rotation")
_VELOCITY = ("linearVelocity", "angularVelocity")
_OWN = (("Robot", "battery"), ("Charger", "battery"), ("Connector", "isLocked"))
"""Fields of solids that a state also has (WbRobot, WbCharger and WbConnector, save and reset)."""


class _State(NamedTuple):
    """The state of each node: fields by name, joint positions by axis."""

    fields: dict[Node, dict[str, Any]]
    joints: dict[Node, list[float]]


class States(CommandGroup):
    """Keeps and loads states. They belong to the simulation, so that all supervisors share them."""

    @property
    def _states(self) -> dict[tuple[Node, str], _State]:
        return self.simulation.node_states

    def on_save_state(self, number: int, name: str) -> None:
        """Save the state of a node and its descendants."""
        node = self.node(number)
        if len(self._states) >= MOST_STATES:
            raise ValueError(f"cannot save more than {MOST_STATES} states")
        self._states[node, name] = self._taken(node)

    def on_load_state(self, number: int, name: str) -> None:
        """Load a state of a node and its descendants."""
        node = self.node(number)
        state = self._states.get((node, name))
        if state is None and name == START:
            state = self._at_start(node)
        if state is None:
            known = sorted({START, *(name for owner, name in self._states if owner is node)})
            raise ValueError(f'{node_path(node)} has no state "{name}"; it has {", ".join(map(repr, known))}')
        self._load(node, state, at_rest=name != START)

    def node_added(self, node: Node) -> None:
        """Save the initial state of an added node."""
        self._states[node, START] = self._taken(node)

    def node_removed(self, node: Node) -> None:
        """Drop the states of a node and its descendants."""
        for key in [key for key in self._states if inside_of(key[0], node)]:
            del self._states[key]

    # Saving.

    def _taken(self, node: Node) -> _State:
        physics = self.simulation.physics
        fields: dict[Node, dict[str, object]] = {}
        joints: dict[Node, list[float]] = {}
        for inner in _built_in(node):
            if inner in physics.handles.solids:
                sync.write_place(physics, inner)
                own = next((name for kind, name in _OWN if inner.is_a(kind)), None)
                names = (*_PLACE, *_VELOCITY, *([own] if own is not None else []))
                fields[inner] = {name: copied(inner.get(name)) for name in names}
            elif inner in physics.handles.joints:
                joints[inner] = list(physics.handles.joints[inner].positions)
            elif _is_plain_frame(inner):
                fields[inner] = {name: copied(inner.get(name)) for name in _PLACE}
        return _State(fields, joints)

    def _at_start(self, node: Node) -> _State:
        """Return the state at the start of the simulation, from the data of a reset."""
        initial, physics = self.simulation.initial, self.simulation.physics
        fields: dict[Node, dict[str, Any]] = {}
        joints: dict[Node, list[float]] = {}
        for inner in _built_in(node):
            if inner in physics.handles.solids:
                known = {name: inner.fields[name] for name in (*_PLACE, *_VELOCITY) if name in inner.fields}
                fields[inner] = {
                    name: initial.value(field) for name, field in known.items() if initial.holds(field)
                }
                fields[inner] |= self._own_at_start(inner)
            elif _is_plain_frame(inner):
                fields[inner] = {name: self._first(inner, name) for name in _PLACE}
            plan = physics.handles.joint_plans.get(inner)
            if plan is not None and inner in physics.handles.joints:
                positions = list(physics.handles.joints[inner].positions)
                for index, axis in enumerate(plan.axes):
                    target = sync.position_field(plan, axis, index)
                    field = target[0].fields.get(target[1]) if target is not None else None
                    if field is not None and initial.holds(field):
                        positions[index] = float(initial.value(field))
                joints[inner] = positions
        return _State(fields, joints)

    def _own_at_start(self, node: Node) -> dict[str, Any]:
        """Return a battery or lock at the start; nothing for other solids."""
        robots = self.simulation.robots
        dock, powered = robots.docks.of(node), robots.chargers.of(node)
        if dock is not None:
            return {"isLocked": dock.first}
        if powered is None:
            robot = robots.of(node)
            powered = robot.battery if robot is not None else None
        return {"battery": array("d", powered.first)} if powered is not None else {}

    def _first(self, node: Node, name: str) -> Any:
        """Return a field's initial value."""
        field = node.fields.get(name)
        return node.get(name) if field is None else copied(self.simulation.edits.journal.first(field))

    # Loading.

    def _load(self, node: Node, state: _State, at_rest: bool) -> None:
        physics = self.simulation.physics
        for saved, values in state.fields.items():
            solid = physics.handles.solids.get(saved)
            if solid is not None:
                self._load_solid(solid, values)
            elif _is_plain_frame(saved):
                self._load_frame(saved, values)
        for saved, positions in state.joints.items():
            made = physics.handles.joints.get(saved)
            if made is not None and len(made.positions) == len(positions):
                for index, position in enumerate(positions):
                    physics.set_joint_position(saved, position, index)
        if node.is_a("Solid"):
            physics.halt(node)
            self._restart_motors(node)
        if not at_rest:
            self._load_velocities(state)
        for saved, values in state.fields.items():
            if "isLocked" in values:
                self._load_lock(saved, values["isLocked"])

    def _load_frame(self, node: Node, values: dict[str, Any]) -> None:
        for name, value in values.items():
            if node.get(name) != value:
                self.simulation.edits.set(node, name, copied(value))

    def _load_solid(self, solid: SolidPlan, values: dict[str, object]) -> None:
        node, edits = solid.node, self.simulation.edits
        if "battery" in values:
            edits.set(node, "battery", copied(values["battery"]))
            charger = self.simulation.robots.chargers.of(node)
            if charger is not None:
                charger.begin()
        if solid.joint is not None:
            return  # its joint defines its pose
        sync.write_place(self.simulation.physics, node)
        new = {name: values[name] for name in _PLACE if name in values and node.get(name) != values[name]}
        for name, value in new.items():
            node.field(name).value = value
        if new:
            self.simulation.physics.moved(node)

    def _load_lock(self, node: Node, locked: bool) -> None:
        """Undock a connector, as Webots does; where it stands now, a locked one docks in the next step."""
        robots = self.simulation.robots
        dock, device = robots.docks.of(node), robots.device(node)
        if dock is not None:
            dock.begin(locked)
        if device is not None:
            device.send_constants()

    def _load_velocities(self, state: _State) -> None:
        physics = self.simulation.physics
        for node, values in state.fields.items():
            if node in physics.handles.solids and any(any(values.get(name, ())) for name in _VELOCITY):
                physics.set_velocity(node, values.get("linearVelocity"), values.get("angularVelocity"))

    def _restart_motors(self, node: Node) -> None:
        """Let motors hold their positions with maximum velocity and force."""
        handles = self.simulation.physics.handles
        below = {id(solid) for solid in solids_below(self, node)}
        for plan in handles.joint_plans.values():
            if plan.child is None or id(plan.child) not in below:
                continue
            for axis in plan.axes:
                motor = handles.motors.get(axis.motor.node) if axis.motor is not None else None
                if motor is not None:
                    motor.set_velocity(motor.max_velocity)
                    motor.set_available_force(motor.max_force)


def _is_plain_frame(node: Node) -> bool:
    """True for Pose and Transform nodes that are not solids: their fields move their children."""
    return is_frame(node) and not node.is_a("Solid")


def _built_in(node: Node) -> list[Node]:
    return [inner for inner in walk(node) if inner.body is None and inner.use_of is None]
