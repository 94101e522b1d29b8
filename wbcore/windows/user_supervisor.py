"""Changes that the user of a page makes in a running world, by the rules of the Supervisor API.

The command groups of supervisors carry them out, so that ranges, PROTO parameters and forces are treated as
if a controller had called `wb_supervisor_...`. Warnings become errors, which the page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import field_names
from wbridge.wbcore.supervisor.command_group import WRONG, HasNode
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.forces import Forces
from wbridge.wbcore.supervisor.sets import Sets
from wbridge.wbcore.supervisor.wire import type_number
from wbridge.wbcore.windows.tree_view import given_value

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

__all__ = ["UserSupervisor"]

SINGLE = -1
"""The item of a field that is not a list."""


class _User:
    """The user in the place of the robot whose controller is a supervisor."""

    controller = ""
    name = "user"
    dialect: Dialect = R2025A
    devices: Sequence[HasNode] = ()

    def __init__(self, node: Node) -> None:
        self.node = node
        self.outbox: list[tuple[int, tuple[Any, ...]]] = []
        self.removed_tags: set[int] = set()
        self.questions: dict[bytes, Callable[[], bytes | None]] = {}
        self.warnings: list[str] = []

    @property
    def codec(self) -> Codec:
        """The user sends no packets.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("the user of a page sends no packets")

    def send(self, message: str, *values: Any) -> None:
        """Ignore answers: pages read the state of the world."""

    def send_newest(self, message: str, *values: Any) -> None:
        """Ignore answers, as `send`."""

    def warn(self, text: str) -> None:
        """Collect a warning."""
        self.warnings.append(text)


class UserSupervisor:
    """Sets fields, pushes and holds solids of one simulation. All methods raise ValueError with a reason."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._user = _User(simulation.nodes.root)
        self._dispatcher = Dispatcher(self._user, simulation)
        groups = self._dispatcher.groups
        sets, forces = groups["sets"], groups["forces"]
        assert isinstance(sets, Sets) and isinstance(forces, Forces), "the groups have these names"
        self._sets, self._forces = sets, forces
        simulation.edits.observers.append(self._dispatcher)

    def close(self) -> None:
        """Follow the simulation no more."""
        self._simulation.edits.observers.remove(self._dispatcher)

    def node(self, number: int) -> Node:
        """Return the node with a number."""
        found = self._simulation.nodes.node(number)
        if found is None:
            raise ValueError("the node does not exist or was removed")
        return found

    def set(self, number: int, name: str, item: int, value: Any) -> None:
        """Set a field, as setSFFloat and so on, or an element of a list (`item` is 0 or more)."""
        node = self.node(number)
        names = field_names(node)
        if name not in names:
            raise ValueError(f'{node.type} has no field "{name}"{did_you_mean(name, names)}')
        spec = node.spec.fields[name]
        if spec.is_list != (item >= 0):
            raise ValueError(f"{name} is {'a list: name an element' if spec.is_list else 'not a list'}")

        given = given_value(spec, value)

        def change() -> None:
            self._sets.on_set_field(number, names.index(name), type_number(spec), item, given)
            self._sets.carry_out()

        self._checked(change)

    def push(self, number: int, force: Vec3, point: Vec3) -> None:
        """Apply a force (N, world axes) at a point in a solid's frame during the next step."""
        self._checked(lambda: self._wake(number))
        self._checked(lambda: self._forces.on_add_force_with_offset(number, force, point, False))

    def turn(self, number: int, torque: Vec3) -> None:
        """Apply a torque (N m, world axes) to a solid during the next step."""
        self._checked(lambda: self._wake(number))
        self._checked(lambda: self._forces.on_add_torque(number, torque, False))

    def hold(self, number: int) -> None:
        """Stop a solid, and keep it in its place during the next step, as resetPhysics."""
        self._checked(lambda: self._forces.on_reset_physics(number))

    def _wake(self, number: int) -> None:
        physics = self._simulation.physics
        body = physics.handles.bodies.get(physics.solid(self.node(number)).body)
        if body is not None and body.kind == "dynamic":
            body.awake = True

    def _checked(self, action: Callable[[], None]) -> None:
        warnings = self._user.warnings
        warnings.clear()
        try:
            action()
        except WRONG as problem:
            raise ValueError(str(problem)) from problem
        if warnings:
            raise ValueError(warnings[0].removeprefix("set_field: "))

    # Phases of a step.

    def before_step(self) -> None:
        """Act before a physics step."""
        self._forces.before_step()

    def after_step(self) -> None:
        """Act after a physics step."""
        self._forces.after_step()

    def reset(self) -> None:
        """The simulation was reset."""
        self._forces.reset()
        self._sets.reset()
