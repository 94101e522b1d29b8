"""A node as the supervisor functions access it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wbridge.hal.modes.arguments import needs, report_missing
from wbridge.hal.modes.device import MAX_PERIOD, NAN
from wbridge.hal.modes.scene.field import Field
from wbridge.hal.modes.scene.proto import Proto, find_field, find_proto
from wbridge.hal.readings import ContactPoint
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.scene.scene import Scene

__all__ = ["Node"]

COUNT_FIELDS, VELOCITY, RESET_PHYSICS, RESTART, VISIBILITY, VIEWPOINT = 65, 66, 67, 68, 69, 70
FORCE, FORCE_AT, TORQUE, SAVE, LOAD, JOINT, EXPORT = 71, 72, 73, 74, 75, 76, 77
POSITION, ORIENTATION, POSE, CENTER_OF_MASS, CONTACTS, BALANCE, GET_VELOCITY, REMOVE = range(90, 98)
TRACK_POSE, TRACK_CONTACTS = 102, 103
WORLD = 0
POSITION_CELLS, ORIENTATION_CELLS = (3, 7, 11), (0, 1, 2, 4, 5, 6, 8, 9, 10)


class Node:
    """A node of the scene."""

    def __init__(
        self, scene: Scene, uid: int, type_: int, tag: int, parent: int, is_proto: bool, model: str
    ) -> None:
        self.scene, self.id, self.type, self.tag, self.parent = scene, uid, type_, tag, parent
        self._is_proto, self.model = is_proto, model
        self.in_proto, self.def_name, self.exists = False, "", True
        self.fields: dict[tuple[int, str, bool], Field] = {}
        self.by_index: dict[tuple[int, int, bool], Field] = {}
        self.tracked_poses: set[int] = set()
        self.tracked_contacts: bool | None = None
        self._counted_contacts = False
        self._last_poses: dict[int, tuple[float, ...]] = {}
        """The pose that was last queried, by the number of the node to which it is relative."""

    # Updates from the simulator.

    def set_count(self, name: str, count: int) -> None:
        """Store the new length of a multiple-value field."""
        for field in (*self.fields.values(), *self.by_index.values()):
            if field.name == name:
                field.count = count

    def forget_internal(self) -> None:
        """Remove cached fields that are internal to a PROTO."""
        self.fields = {key: one for key, one in self.fields.items() if not one.internal}
        self.by_index = {key: one for key, one in self.by_index.items() if not one.internal}

    def function(self, method: str) -> str:
        """The name of the C function that calls a method."""
        return "wb_supervisor_node_" + method

    def ask(self, method: str, code: int, *values: Any) -> tuple[Any, ...] | None:
        """Query the simulator about this node; None, with an error message, if it was removed."""
        return self.scene.ask(self.function(method), code, *values) if self.is_here(method) else None

    def command(self, method: str, code: int, *values: Any) -> None:
        """Send a command about this node."""
        if self.is_here(method):
            self.scene.command(self.function(method), code, *values)

    def is_here(self, method: str) -> bool:
        """Return False and report an error if the node was removed."""
        if not self.exists:
            report.error(self.function(method), messages.removed_node())
        return self.exists

    # Properties of removed nodes are unknown, as they are to robots that are not supervisors.

    def _may_know(self, method: str) -> bool:
        return self.is_here(method) and self.scene.may_know(method)

    def get_id(self) -> int:
        """The unique identifier of the node; 0 is the root.

        -1 for a removed node or one that is internal to a PROTO.
        """
        if not self._may_know("get_id"):
            return -1
        if self.in_proto:
            report.error(self.function("get_id"), messages.node_in_proto())
            return -1
        return self.id

    def get_type(self) -> int:
        """The number of the node's type (`Node.SOLID` ...); for a PROTO instance that of its base node."""
        return self.type if self._may_know("get_type") else 0

    def get_type_name(self) -> str:
        """The name of the PROTO or of the node's type."""
        return self.model if self._may_know("get_type_name") else ""

    def get_base_type_name(self) -> str:
        """The name of the node's type; for a PROTO instance that of its base node."""
        known = self._may_know("get_base_type_name")
        return self.scene.exchange.dialect.node(self.type) if known else ""

    def get_def(self) -> str:
        """The DEF name, or ""."""
        return self.def_name if self._may_know("get_def") else ""

    def is_proto(self) -> bool:
        """True if the node is a PROTO instance."""
        return self._is_proto and self._may_know("is_proto")

    def get_parent_node(self) -> Node | None:
        """The parent node, or None for the root. Queries the simulator."""
        known = self.parent >= 0 and self._may_know("get_parent_node")
        return self.scene.get_from_id(self.parent) if known else None

    @needs("def_name")
    def get_from_proto_def(self, def_name: str) -> Node | None:
        """The node with a DEF name inside this PROTO instance, or None. Queries the simulator."""
        if not self._is_proto:
            report.error(self.function("get_from_proto_def"), messages.not_a_proto())
            return None
        return self.scene.get_from_def(def_name, self) if self.is_here("get_from_proto_def") else None

    def get_proto(self) -> Proto | None:
        """The PROTO of the node, or None. Queries the simulator."""
        return find_proto(self, -1) if self.is_here("get_proto") else None

    def export_string(self) -> str | None:
        """The node in world file syntax. Queries the simulator."""
        found = self.ask("export_string", EXPORT, self.id)
        return found[0] if found else "" if self.scene.exchange.is_over else None

    # Fields.

    @needs("name")
    def get_field(self, name: str) -> Field | None:
        """The field, or PROTO parameter, with a name, or None. Queries the simulator."""
        return find_field(self, "get_field", -1, name, False) if self.is_here("get_field") else None

    @needs("index")
    def get_field_by_index(self, index: int) -> Field | None:
        """The field at an index (from 0), or None. Queries the simulator."""
        return (
            find_field(self, "get_field_by_index", -1, int(index), False)
            if self.is_here("get_field_by_index")
            else None
        )

    def get_number_of_fields(self) -> int:
        """The number of fields or PROTO parameters; -1 if unknown. Queries the simulator."""
        found = self.ask("get_number_of_fields", COUNT_FIELDS, self.id, False)
        return found[0] if found else -1

    @needs("name")
    def get_base_node_field(self, name: str) -> Field | None:
        """The read-only field of the PROTO's base node with a name, or None. Queries the simulator."""
        method = "get_base_node_field"
        return find_field(self, method, -1, name, True) if self.is_here(method) else None

    @needs("index")
    def get_base_node_field_by_index(self, index: int) -> Field | None:
        """The read-only field of the PROTO's base node at an index, or None. Queries the simulator."""
        method = "get_base_node_field_by_index"
        return find_field(self, method, -1, int(index), True) if self.is_here(method) else None

    def get_number_of_base_node_fields(self) -> int:
        """The number of fields of the PROTO's base node; -1 if unknown. Queries the simulator."""
        found = self.ask("get_number_of_base_node_fields", COUNT_FIELDS, self.id, True)
        return found[0] if found else -1

    def get_proto_field(self, name: str) -> Field | None:
        """Old name of `get_base_node_field`, before R2025a."""
        return self.get_base_node_field(name)

    def get_proto_field_by_index(self, index: int) -> Field | None:
        """Old name of `get_base_node_field_by_index`, before R2025a."""
        return self.get_base_node_field_by_index(index)

    def get_proto_number_of_fields(self) -> int:
        """Old name of `get_number_of_base_node_fields`, before R2025a."""
        return self.get_number_of_base_node_fields()

    # Pose, contacts and motion.

    def _from_pose(self, cells: tuple[int, ...]) -> list[float] | None:
        """Cells of the tracked pose in world coordinates, if it is up to date."""
        if not self.exists or WORLD not in self.tracked_poses or (WORLD, self.id) not in self.scene.poses:
            return None
        time, matrix = self.scene.poses[WORLD, self.id]
        return [matrix[k] for k in cells] if time == self.scene.robot.time else None

    def _numbers(self, method: str, code: int, count: int) -> list[float]:
        found = self.ask(method, code, self.id)
        return list(found[0]) if found else [NAN] * count

    def get_position(self) -> list[float]:
        """The position of the node in world coordinates: x, y, z in m; NaN for nodes without a position.

        Queries the simulator.
        """
        return self._from_pose(POSITION_CELLS) or self._numbers("get_position", POSITION, 3)

    def get_orientation(self) -> list[float]:
        """The orientation of the node in world coordinates: a 3 x 3 rotation matrix, row by row.

        NaN for nodes without an orientation. Queries the simulator.
        """
        return self._from_pose(ORIENTATION_CELLS) or self._numbers("get_orientation", ORIENTATION, 9)

    def get_pose(self, from_node: Node | None = None) -> list[float]:
        """The pose relative to another node (default: the world): a 4 x 4 matrix, row by row.

        NaN for nodes without a pose. Queries the simulator, unless the pose is tracked.
        """
        if not self.is_here("get_pose"):
            return [NAN] * 16
        uid = from_node.id if from_node else WORLD
        if uid in self.tracked_poses and (uid, self.id) in self.scene.poses:
            time, matrix = self.scene.poses[uid, self.id]
            if time == self.scene.robot.time or self.scene.exchange.stepping:
                return list(matrix)
        found = self.ask("get_pose", POSE, uid, self.id)
        if found:
            self._last_poses[uid] = found[2]
        elif self.scene.exchange.is_over:
            return list(self._last_poses.get(uid, (NAN,) * 16))
        return list(found[2]) if found else [NAN] * 16

    def enable_pose_tracking(self, sampling_period: int, from_node: Node | None = None) -> None:
        """Enable the tracking of the pose: the simulator sends it periodically.

        Args:
            sampling_period: in ms; above 0.
            from_node: node that the pose is relative to; None: the world.
        """
        method, uid = "enable_pose_tracking", from_node.id if from_node else WORLD
        if self._is_period(method, sampling_period):
            self.tracked_poses.add(uid)
            self.command(method, TRACK_POSE, uid, self.id, int(sampling_period))

    def disable_pose_tracking(self, from_node: Node | None = None) -> None:
        """Disable the tracking of the pose."""
        uid = from_node.id if from_node else WORLD
        self.tracked_poses.discard(uid)
        self.command("disable_pose_tracking", TRACK_POSE, uid, self.id, None)

    def _is_period(self, method: str, period: int) -> bool:
        if 0 < period <= MAX_PERIOD:
            return True
        text = messages.invalid_tracking_period(period, MAX_PERIOD)
        report.error(self.function(method), text)
        return False

    def get_center_of_mass(self) -> list[float]:
        """The center of mass of a solid and its descendants in world coordinates: x, y, z in m.

        NaN for other nodes. Queries the simulator.
        """
        return self._numbers("get_center_of_mass", CENTER_OF_MASS, 3)

    def get_contact_points(self, include_descendants: bool = False) -> list[ContactPoint]:
        """The contact points of a solid.

        Queries the simulator, unless contact points are tracked.

        Args:
            include_descendants: include the contact points of descendant solids.
        """
        key = (self.id, bool(include_descendants))
        time, points = self.scene.contacts.get(key, (NAN, []))
        if not self.exists or self.tracked_contacts != key[1] or time != self.scene.robot.time:
            found = self.ask("get_contact_points", CONTACTS, *key)
            points = found[2] if found else []
        return [ContactPoint(one[:3], one[3]) for one in points]

    def get_number_of_contact_points(self, include_descendants: bool = False) -> int:
        """The number of contact points of the solid. Queries the simulator.

        Args:
            include_descendants: include the contact points of descendant solids, also in the indices of
                `get_contact_point`.
        """
        self._counted_contacts = bool(include_descendants)
        return len(self.get_contact_points(self._counted_contacts))

    @needs("index", otherwise=[NAN] * 3)
    def get_contact_point(self, index: int) -> list[float]:
        """The contact point at an index (from 0) of the last count: x, y, z in m; NaN if there is none."""
        points = self.get_contact_points(self._counted_contacts)
        return list(points[index].point) if 0 <= index < len(points) else [NAN] * 3

    @needs("index")
    def get_contact_point_node(self, index: int) -> Node | None:
        """The solid at a contact point of the last count, or None."""
        points = self.get_contact_points(self._counted_contacts)
        return self.scene.get_from_id(points[index].node_id) if 0 <= index < len(points) else None

    def enable_contact_points_tracking(self, sampling_period: int, include_descendants: bool = False) -> None:
        """Enable the tracking of contact points: the simulator sends them periodically.

        Args:
            sampling_period: in ms; above 0.
            include_descendants: include the contact points of descendant solids.
        """
        method = "enable_contact_points_tracking"
        if self._is_period(method, sampling_period):
            self.tracked_contacts = bool(include_descendants)
            self.command(method, TRACK_CONTACTS, self.id, bool(include_descendants), int(sampling_period))

    def disable_contact_points_tracking(self) -> None:
        """Disable the tracking of contact points."""
        descendants, self.tracked_contacts = bool(self.tracked_contacts), None
        self.command("disable_contact_points_tracking", TRACK_CONTACTS, self.id, descendants, None)

    def enable_contact_point_tracking(self, sampling_period: int, include_descendants: bool = False) -> None:
        """Old name of `enable_contact_points_tracking`."""
        self.enable_contact_points_tracking(sampling_period, include_descendants)

    def disable_contact_point_tracking(self, include_descendants: bool = False) -> None:
        """Old name of `disable_contact_points_tracking`."""
        self.disable_contact_points_tracking()

    def get_static_balance(self) -> bool:
        """True if the center of mass projects into the support polygon. Queries the simulator."""
        found = self.ask("get_static_balance", BALANCE, self.id)
        return bool(found and found[0])

    def get_velocity(self) -> list[float]:
        """The linear velocity in m/s and the angular velocity in rad/s, in world coordinates: six numbers.

        NaN for nodes other than solids. Queries the simulator.
        """
        return self._numbers("get_velocity", GET_VELOCITY, 6)

    def _vector(self, method: str, values: Sequence[float], count: int) -> tuple[float, ...] | None:
        numbers = tuple(float(one) for one in values)
        if len(numbers) == count and all(one - one == 0 for one in numbers):
            return numbers
        text = messages.no_finite_numbers(", ".join(map(repr, values)), count)
        report.error(self.function(method), text)
        return None

    @needs("velocity")
    def set_velocity(self, velocity: Sequence[float]) -> None:
        """Set the linear velocity (m/s) and angular velocity (rad/s) in world coordinates: six numbers."""
        numbers = self._vector("set_velocity", velocity, 6)
        if numbers:
            self.command("set_velocity", VELOCITY, self.id, numbers)

    @needs("force")
    def add_force(self, force: Sequence[float], relative: bool) -> None:
        """Apply a force to the center of mass during the next physics step.

        Args:
            force: x, y, z in N.
            relative: the force is in node coordinates; else in world coordinates.
        """
        numbers = self._vector("add_force", force, 3)
        if numbers:
            self.command("add_force", FORCE, self.id, numbers, bool(relative))

    @needs("force", "offset")
    def add_force_with_offset(self, force: Sequence[float], offset: Sequence[float], relative: bool) -> None:
        """Apply a force to a point during the next physics step.

        Args:
            force: x, y, z in N.
            offset: of the point from the center of mass, in node coordinates, in m.
            relative: the force is in node coordinates; else in world coordinates.
        """
        method = "add_force_with_offset"
        numbers, place = self._vector(method, force, 3), self._vector(method, offset, 3)
        if numbers and place:
            self.command(method, FORCE_AT, self.id, numbers, place, bool(relative))

    @needs("torque")
    def add_torque(self, torque: Sequence[float], relative: bool) -> None:
        """Apply a torque to the solid during the next physics step.

        Args:
            torque: x, y, z in N m.
            relative: the torque is in node coordinates; else in world coordinates.
        """
        numbers = self._vector("add_torque", torque, 3)
        if numbers:
            self.command("add_torque", TORQUE, self.id, numbers, bool(relative))

    def reset_physics(self) -> None:
        """Set the velocities and forces of the solid and its descendants to 0."""
        self.command("reset_physics", RESET_PHYSICS, self.id)

    def set_joint_position(self, position: float, index: int = 1) -> None:
        """Set the position of a joint without applying forces.

        Args:
            position: in rad or m.
            index: axis of the joint, 1 to 3.
        """
        if not 1 <= index <= 3 or self._vector("set_joint_position", (position,), 1) is None:
            report.error(self.function("set_joint_position"), messages.invalid_joint_index(index))
            return
        self.command("set_joint_position", JOINT, self.id, float(position), int(index))

    # Operations.

    @needs("state_name")
    def save_state(self, state_name: str) -> None:
        """Save the state of the node under a name."""
        self.command("save_state", SAVE, self.id, state_name)

    @needs("state_name")
    def load_state(self, state_name: str) -> None:
        """Restore a saved state of the node; "__init__" is the initial state."""
        self.command("load_state", LOAD, self.id, state_name)

    def remove(self) -> None:
        """Remove the node from the scene; the supervisor's own node is removed at the end of the step."""
        self._after_sets("remove", REMOVE)

    def _after_sets(self, method: str, code: int) -> None:
        if self.is_here(method) and self.scene.may(self.function(method)):
            self.scene.send_sets()
            self.command(method, code, self.id)

    def restart_controller(self) -> None:
        """Restart the controller of a robot at the end of the step."""
        self.command("restart_controller", RESTART, self.id)

    def move_viewpoint(self) -> None:
        """Move the viewpoint to the node."""
        self.command("move_viewpoint", VIEWPOINT, self.id)

    def set_visibility(self, from_node: Node | None, visible: bool) -> None:
        """Show or hide the node in a camera or viewpoint."""
        if from_node is None:
            report_missing("node", self.function("set_visibility"))
            return
        self.command("set_visibility", VISIBILITY, self.id, from_node.id, bool(visible))
