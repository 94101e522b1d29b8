"""All robots of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from wbridge.wbcore.devices import Device
from wbridge.wbcore.robots import device_changes
from wbridge.wbcore.robots.parts import SupervisorPart
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.step_calls import StepCalls
from wbridge.wbcore.robots.user import User
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import inside_of
from wbridge.wbcore.scene.tables.device_tables import robots as robot_nodes
from wbridge.wbcore.world.chargers import Chargers
from wbridge.wbcore.world.docks import Docks
from wbridge.wbcore.world.radio import RadioMedium

if TYPE_CHECKING:
    from wbridge.wbcore.robots.interfaces import WorldSimulation

OPTICS = ("Focus", "Zoom")
"""Nodes that are parts of their parent, a camera."""


class Robots:
    """The robots in scene-tree order, and their devices by node."""

    def __init__(
        self, simulation: WorldSimulation, make_supervisor: Callable[[Robot], SupervisorPart]
    ) -> None:
        """
        Args:
            simulation: the simulation with the robots.
            make_supervisor: creates the part of a robot that is a supervisor.
        """
        self._simulation, self._make_supervisor = simulation, make_supervisor
        self.radio = RadioMedium()
        """The packets of the current step."""
        self.user = User()
        """Keyboard, mouse and joystick."""
        nodes = robot_nodes(simulation.world.nodes)
        self._by_node: dict[Node, Device] | None = None
        self._robots_by_node: dict[Node, Robot] = {}
        self._step_calls: StepCalls | None = None
        self.first_after: list[Callable[[], None]] = []
        """Called after each physics step, before the devices."""
        self.on_step_calls: Callable[[StepCalls], StepCalls] = _unchanged
        """Called when the calls of each step were collected; returns those to make."""
        self.watchers: list[Callable[[], object]] = []
        """Called after robots or devices were added or removed."""
        self.list = [self._made(node, number) for number, node in enumerate(nodes)]
        self.chargers = Chargers(simulation.physics, self.list)
        self.docks = Docks(simulation.physics, self._warn)
        """All connectors, including those of solids outside of robots."""

    def _made(self, node: Node, number: int) -> Robot:
        made = Robot(self._simulation, node, number, self._simulation, self._make_supervisor)
        made.step_calls.on_changed = self.forget_step_calls
        return made

    def _warn(self, node: Node, text: str) -> None:
        """Let the robot that contains a device issue a warning."""
        device = self.device(node)
        if device is not None:
            device.robot.warn(text)

    def __iter__(self) -> Iterator[Robot]:
        return iter(self.list)

    def __contains__(self, robot: object) -> bool:
        return robot in self.list

    def __len__(self) -> int:
        return len(self.list)

    def find(self, name: str) -> Robot | None:
        """Return the first robot with a name."""
        return next((robot for robot in self.list if robot.name == name), None)

    def of(self, node: Node) -> Robot | None:
        """Return the robot of a node."""
        if not self._robots_by_node:
            self._robots_by_node = {robot.node: robot for robot in reversed(self.list)}
        return self._robots_by_node.get(node.root)

    def device(self, node: Node) -> Device | None:
        """Return the device of a node."""
        if self._by_node is None:
            self._by_node = {}
            for robot in self.list:
                for entry in robot.devices:
                    if entry.tag not in robot.removed_tags and entry.node is not robot.node:
                        self._by_node.setdefault(entry.node, entry)
        return self._by_node.get(node.root)

    def _forget_nodes(self) -> None:
        """Robots or devices were added or removed, or have other nodes."""
        self._by_node = None
        self._robots_by_node = {}

    # Changes of the tree during a run.

    def field_changed(self, node: Node, name: str) -> None:
        """React to a change of a field."""
        holder = node.parent if node.type in OPTICS else node
        device = self.device(holder) if holder is not None else None
        if device is not None:
            device.field_changed(name)
            return
        robot = self.of(node)
        if robot is not None:
            robot.field_changed(name)
        if node.is_a("WorldInfo"):
            for existing in self.list:
                existing.forget_routine()  # sensors measure relative to its directions and references

    def node_added(self, node: Node) -> None:
        """React to a node that was added to the tree, possibly with robots or devices in it."""
        known = {robot.node for robot in self.list}
        new = [new_node for new_node in robot_nodes([node]) if new_node not in known]
        self._refresh_above(node)
        for new_node in new:
            self._add(new_node)
        self._has_changed()

    def node_removed(self, node: Node) -> None:
        """React to a node that was removed; `node.parent` is still its former parent."""
        self._forget_nodes()
        for robot in [robot for robot in self.list if inside_of(robot.node, node)]:
            self._drop(robot)
        self._refresh_above(node)
        self._has_changed()

    def regenerated(self, instance: Node) -> None:
        """Move robots into the new body of a PROTO instance."""
        world = self._simulation.world
        now = list(robot_nodes(world.nodes))
        known = {robot.node for robot in self.list}
        lost = [robot for robot in self.list if robot.node not in set(now)]
        new = [node for node in now if node not in known]
        self._forget_nodes()
        for robot, node in zip(lost, new, strict=False):
            device_changes.move(robot, node)
        for robot in lost[len(new) :]:
            self._drop(robot)
        self._refresh_above(instance)
        for node in new[len(lost) :]:
            self._add(node)
        self._has_changed()

    def _has_changed(self) -> None:
        self.chargers.refresh()
        for hear in self.watchers:
            hear()

    def _refresh_above(self, node: Node) -> None:
        """Search again for the devices of the robot that contains a node."""
        self._forget_nodes()
        above = node.parent
        while above is not None:
            robot = self.of(above) if above.body is None else None
            if robot is not None:
                device_changes.refresh(robot)
                return
            above = above.parent

    def _add(self, node: Node) -> None:
        made = self._made(node, max((robot.number for robot in self.list), default=-1) + 1)
        self.list.append(made)
        self._forget_nodes()
        self.forget_step_calls()
        order = {node: i for i, node in enumerate(robot_nodes(self._simulation.world.nodes))}
        self.list.sort(key=lambda robot: order.get(robot.node, len(order)))
        self._simulation.host.robot_added(made)

    def _drop(self, robot: Robot) -> None:
        self.list.remove(robot)
        self.forget_step_calls()
        robot.leave()
        self._simulation.host.robot_removed(robot)

    def forget_step_calls(self) -> None:
        """The set of devices that work in each step has changed."""
        self._step_calls = None

    def _collect_step_calls(self) -> StepCalls:
        steps = [robot.step_calls.steps for robot in self.list]
        calls = StepCalls(
            [call for step in steps for call in step.begin],
            [call for step in steps for call in step.before],
            [*self.first_after, *(call for step in steps for call in step.after)],
        )
        self._step_calls = calls = self.on_step_calls(calls)
        return calls

    @property
    def are_idle(self) -> bool:
        """True if `before_step` and `after_step` have nothing to do."""
        if self.radio.packets or self.docks.are_there or self.chargers.are_there:
            return False
        return not any(self._step_calls or self._collect_step_calls())

    def before_step(self) -> None:
        """Act before a physics step."""
        if self.radio.packets:
            self.radio.clear()
        for begin in (self._step_calls or self._collect_step_calls()).begin:
            begin()
        self.docks.before_step()
        self.chargers.before_step()
        for work in (self._step_calls or self._collect_step_calls()).before:
            work()

    def after_step(self) -> None:
        """Act after a physics step."""
        for work in (self._step_calls or self._collect_step_calls()).after:
            work()

    def reset(self) -> None:
        """The simulation was reset."""
        self.radio.clear()
        self.docks.reset()
        self.chargers.reset()
        for robot in self.list:
            robot.reset()


def _unchanged(calls: StepCalls) -> StepCalls:
    """Make the calls as they are."""
    return calls
