"""The base class of a supervisor's command groups, and their interfaces to robot and simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.errors import SimulationError
from wbridge.wbcore.physics.initial import InitialState
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.hidden import HiddenNodes
from wbridge.wbcore.world.chargers import Chargers
from wbridge.wbcore.world.docks import Docks
from wbridge.wbcore.world.edits import Edits, Observer
from wbridge.wbcore.world.free_bodies import FreeBodies
from wbridge.wbcore.world.node_ids import NodeIds

if TYPE_CHECKING:
    from wbridge.wbcore.supervisor.dispatcher import Dispatcher
    from wbridge.wbcore.visual.main_view import MainView

WRONG = (SimulationError, _engine.EngineError, ProtocolError, LookupError, OverflowError, ValueError)
"""Errors caused by a controller's values; they are reported as warnings."""


class HasNode(Protocol):
    """A device with its node."""

    @property
    def node(self) -> Node:
        """The device's node."""


class SupervisorRobot(Protocol):
    """The robot whose controller is a supervisor."""

    node: Node

    @property
    def name(self) -> str:
        """The field `name`."""

    @property
    def controller(self) -> str:
        """The field `controller`."""

    @property
    def dialect(self) -> Dialect:
        """The dialect of the controller protocol that the controller uses."""

    @property
    def codec(self) -> Codec:
        """Commands and messages of the robot itself, in this dialect."""

    @property
    def devices(self) -> Sequence[HasNode]:
        """All its devices, ordered by tag."""

    @property
    def removed_tags(self) -> set[int]:
        """Tags of devices whose nodes were removed from the world."""

    @property
    def questions(self) -> dict[bytes, Callable[[], bytes | None]]:
        """Requests with a single query, and the function that writes the answer."""

    def send(self, message: str, *values: object) -> None:
        """Send a message with the next answer."""

    def send_newest(self, message: str, *values: object) -> None:
        """Send a message, replacing one of the same kind that still waits."""

    def drop(self, message: str, matches: Callable[[tuple[object, ...]], bool]) -> None:
        """Drop messages of a kind that still wait, if their values match."""

    def warn(self, text: str) -> None:
        """Issue a warning, once per text."""


class Robots(Protocol):
    """All robots of the world."""

    @property
    def chargers(self) -> Chargers:
        """The chargers of the world."""

    @property
    def docks(self) -> Docks:
        """The connectors of the world."""

    def of(self, node: Node) -> Any:
        """Return the robot of a node, or None."""

    def device(self, node: Node) -> Any:
        """Return the device of a node, or None."""


class RunControl(Protocol):
    """The part of a host that controls the run."""

    def quit(self, status: int) -> None:
        """End the run with this status."""

    def reload(self) -> None:
        """Load the same world file again."""

    def load_world(self, path: str) -> None:
        """Load another world: an absolute path that exists."""

    def restart_controller(self, robot: Any) -> None:
        """Terminate a robot's controller and start it again."""


class SupervisedSimulation(Protocol):
    """The simulation as supervisors see and change it."""

    @property
    def world(self) -> World:
        """The scene tree."""

    @property
    def physics(self) -> PhysicsWorld:
        """Poses, velocities and forces."""

    @property
    def initial(self) -> InitialState:
        """The initial state."""

    @property
    def nodes(self) -> NodeIds:
        """The numbers of nodes."""

    @property
    def bodies(self) -> FreeBodies:
        """Solids that consist of a single body."""

    @property
    def edits(self) -> Edits:
        """Changes of the tree."""

    @property
    def robots(self) -> Robots:
        """All robots."""

    @property
    def host(self) -> RunControl:
        """The host that runs the simulation."""

    @property
    def selected(self) -> Node | None:
        """The node that the user has selected."""

    @property
    def hidden(self) -> HiddenNodes:
        """Nodes that are hidden from cameras, range finders, lidars and viewpoints."""

    @property
    def main_view(self) -> MainView:
        """Takes pictures of what the Viewpoint sees."""

    @property
    def node_states(self) -> dict[tuple[Node, str], Any]:
        """States saved by supervisors, by node and name."""

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""

    def at_end_of_step(self, action: Callable[[], None]) -> None:
        """Call an action once, at the end of the current step or of the next one."""

    def reset_at_end_of_step(self) -> None:
        """Reset at the end of the current step or of the next one."""

    def set_mode(self, mode: int) -> None:
        """Change the mode (0 paused, 1 real time, 2 fast)."""

    def set_field(self, node: Node, name: str, value: object) -> None:
        """Set a field of a node and update physics, devices and controllers."""

    def sync(self) -> World:
        """Write poses and joint positions into the tree and return it."""


class CommandGroup(Observer):
    """Commands of one supervisor about one subject: `x` of the codec in a method `on_x(*values)`.

    Handlers raise ValueError (or an error of the simulation) for invalid values; it is reported as one
    warning, and the controller receives the protocol's "not found".
    """

    def __init__(self, dispatcher: Dispatcher) -> None:
        self.dispatcher = dispatcher
        self.robot = dispatcher.robot
        self.simulation = dispatcher.simulation

    def node(self, number: int) -> Node:
        """Return the node with a number.

        Raises:
            ValueError: no such node; it may have been removed.
        """
        found = self.simulation.nodes.node(number)
        if found is None:
            raise ValueError("the node does not exist or was removed")
        return found

    def solid(self, number: int) -> Node:
        """Return the solid with a number.

        Raises:
            ValueError: the solid does not exist.
        """
        node = self.node(number)
        if not node.is_a("Solid"):
            raise ValueError(f"{node_path(node)} is not a Solid")
        return node

    # Notifications; subclasses override those that concern them.

    def connect(self) -> None:
        """A controller has connected: drop the requests of the previous one."""

    def sample(self, now: float) -> None:
        """A step has ended (ms): send what is due."""

    def begin_step(self) -> None:
        """Start a step."""

    def before_step(self) -> None:
        """Act before a physics step, after all sets."""

    def after_step(self) -> None:
        """Act after a physics step."""

    def reset(self) -> None:
        """The simulation was reset."""

    def save(self) -> object:
        """Return the state between two steps, as a plain value."""
        return None

    def load(self, state: Any) -> None:
        """Restore what `save` returned."""

    def leave(self) -> None:
        """React to the removal of the robot's node."""
