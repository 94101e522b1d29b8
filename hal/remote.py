"""The remote-control plugin interface: what Webots calls wbr_*, as a Python class.

A plugin is a module with a class `Plugin` that derives from `RemoteControl`. The field `remoteControl` of the
robot names it; `hal.remote_plugins` says where it is looked for. Once
`wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, arg)` was called, commands go to the plugin instead of the
simulation, and what it injects is what the controller reads.

Beside the methods of `RemoteControl`, a plugin may have any of these; a command for which it has neither its
own method nor a general one is dropped with one warning. tag is the number of the device:

    robot_battery_set_sampling_period(period)     set_sampling_period(tag, period)
    motor_set_force_sampling_period(tag, period)  motor_set_torque_sampling_period(tag, period)
    motor_set_position, motor_set_velocity, motor_set_acceleration, motor_set_available_force,
    motor_set_force, motor_set_available_torque, motor_set_torque (tag, value)
    motor_set_control_pid(tag, p, i, d)
    camera_set_fov, camera_set_exposure, camera_set_focal_distance, lidar_set_frequency (tag, value)
    led_set(tag, value)      pen_set_ink_color(tag, color, density)    pen_write(tag, write)
    brake_set_damping_constant(tag, value)        connector_lock(tag, lock)
    vacuum_gripper_turn_on(tag, on)
    display_draw_line(tag, x1, y1, x2, y2) ...    what a display shows: see hal.modes.remote.drawing
    set_period(tag, function, period)             general: all sampling periods, by the enabling function
    set_channel(tag, channel, value)              general: all commands, by the channel of the device table
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from hal.modes.remote.inject import InjectedRobot, inject

if TYPE_CHECKING:
    from hal.modes.device_registry import DeviceRegistry
    from hal.modes.remote.trace import Trace
    from hal.protocol.configure import RobotInfo
    from hal.table import DeviceTable

__all__ = ["RemoteControl", "RemoteRobot"]

Vector = Sequence[float]


class RemoteControl:
    """A remote-control plugin; derive from it and name the class `Plugin`."""

    def init(self, robot: RemoteRobot) -> bool:
        """The robot is configured; called once, before the first `start`.

        Returns:
            False: the plugin cannot work with this robot.
        """
        return True

    def cleanup(self) -> None:
        """The controller ends."""

    def start(self, arg: str) -> bool:
        """Connect to the robot.

        Args:
            arg: of `wb_robot_set_mode`, for example a port.

        Returns:
            False: it is not there; the controller stays in simulation.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """Disconnect from the robot, its actuators stopped."""
        raise NotImplementedError

    def has_failed(self) -> bool:
        """The connection is lost for good; asked after each step. True: back to simulation."""
        raise NotImplementedError

    def is_silent(self) -> bool:
        """The robot does not answer at the moment; asked after each step when somebody looks on."""
        return False

    def resume(self) -> None:
        """The controller has called set_mode again for this robot: end a stop that lasts until then."""

    def stop_actuators(self) -> None:
        """Stop all that moves."""
        raise NotImplementedError

    def robot_step(self, period: int) -> int:
        """Send commands, take sensors' values (see `RemoteRobot.inject`), and wait until the step is over.

        Args:
            period: of the step in ms of real time.

        Returns:
            0 when the step was in time, else by how many ms commands or readings are late.
        """
        raise NotImplementedError

    def duration(self, period: int, delay: int) -> int:
        """How much time the last step has taken, in ms; the controller's clock goes on by it.

        Args:
            period: of the step.
            delay: what `robot_step` has returned. A plugin whose delays are something else than more time,
                for example the age of readings, has its own method.
        """
        return period + delay

    def custom_function(self, arg: Any) -> Any:
        """Whatever plugin and controller agree on (`wb_remote_control_custom_function`)."""
        return None


class PluginRobot(InjectedRobot, Protocol):
    """The controller's robot as `RemoteRobot` needs it."""

    devices: DeviceRegistry
    alone: bool

    @property
    def info(self) -> RobotInfo:
        """How it was configured."""


class RemoteRobot:
    """The controller's robot as its plugin sees it: devices to look at, and values to inject."""

    def __init__(
        self, robot: PluginRobot, table: DeviceTable | None = None, trace: Trace | None = None
    ) -> None:
        """
        Args:
            robot: of the controller.
            table: its device table, if the program that started the controller knows it.
            trace: who wants to know what is injected.
        """
        self._robot, self.table, self._trace = robot, table, trace
        self._buffers: dict[int, bytearray] = {}

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._robot.info.name

    @property
    def is_alone(self) -> bool:
        """There is no simulation to go back to: the controller drives the real robot, or ends."""
        return self._robot.alone

    @property
    def basic_time_step(self) -> float:
        """In ms."""
        return self._robot.info.basic_time_step

    @property
    def world_path(self) -> str:
        """The file of the world; "" when it is not known."""
        return self._robot.info.world_path

    @property
    def number_of_devices(self) -> int:
        """Number of devices; their tags are 1 to this number."""
        return len(self._robot.devices) - 1

    def device_name(self, tag: int) -> str:
        """The name of a device; "" when there is none."""
        device = self._robot.device(tag)
        return device.name if device else ""

    def device_type(self, tag: int) -> str:
        """The node type of a device, for example "DistanceSensor"; "" when there is none."""
        device = self._robot.device(tag)
        return device.node_type if device else ""

    def find(self, name: str) -> int:
        """The tag of the first device of this name; 0 when there is none."""
        device = self._robot.devices.named(name)
        return device.tag if device else 0

    def inject(self, tag: int, channel: str, value: Any) -> None:
        """Let the controller read a value.

        Args:
            tag: of the device; 0 is the robot.
            channel: of the device table, for example "value" of a DistanceSensor.
            value: as the channel's type says.

        Raises:
            KeyError: there is no such device, or nothing can be injected into the channel.
        """
        inject(self._robot, tag, channel, value)
        if self._trace is not None:
            self._trace.reading(tag, channel, value)

    # Webots' names for it.

    def robot_battery_sensor_set_value(self, value: float) -> None:
        """The energy in the battery, in J."""
        self.inject(0, "battery", value)

    def accelerometer_set_values(self, tag: int, values: Vector) -> None:
        """An acceleration, in m/s^2."""
        self.inject(tag, "acceleration", values)

    def compass_set_values(self, tag: int, values: Vector) -> None:
        """The direction of north."""
        self.inject(tag, "north", values)

    def gps_set_values(self, tag: int, values: Vector) -> None:
        """A place."""
        self.inject(tag, "position", values)

    def gps_set_speed(self, tag: int, value: float) -> None:
        """A speed, in m/s."""
        self.inject(tag, "speed", value)

    def gps_set_velocity_vector(self, tag: int, values: Vector) -> None:
        """A velocity, in m/s."""
        self.inject(tag, "velocity", values)

    def gyro_set_values(self, tag: int, values: Vector) -> None:
        """An angular velocity, in rad/s."""
        self.inject(tag, "angularVelocity", values)

    def inertial_unit_set_quaternion(self, tag: int, values: Vector) -> None:
        """An orientation: x, y, z, w."""
        self.inject(tag, "orientation", values)

    def distance_sensor_set_value(self, tag: int, value: float) -> None:
        """A reading."""
        self.inject(tag, "value", value)

    def light_sensor_set_value(self, tag: int, value: float) -> None:
        """A reading."""
        self.inject(tag, "value", value)

    def touch_sensor_set_value(self, tag: int, value: float) -> None:
        """A reading of a bumper or force sensor."""
        self.inject(tag, "value", value)

    def touch_sensor_set_values(self, tag: int, values: Vector) -> None:
        """A force in space, in N."""
        self.inject(tag, "force", values)

    def position_sensor_set_value(self, tag: int, value: float) -> None:
        """A position, in rad or m."""
        self.inject(tag, "position", value)

    def motor_set_force_feedback(self, tag: int, value: float) -> None:
        """The force of a linear motor, in N."""
        self.inject(tag, "forceFeedback", value)

    def motor_set_torque_feedback(self, tag: int, value: float) -> None:
        """The torque of a rotational motor, in N m."""
        self.inject(tag, "torqueFeedback", value)

    def motor_set_position_feedback(self, tag: int, value: float) -> None:
        """The position of a motor, in rad or m: what the PositionSensor at its joint reads, if there is one.

        Which one that is tells `table`, or the controller has asked `wb_motor_get_position_sensor`.
        """
        device = self.table.devices[tag - 1] if self.table and 0 < tag <= len(self.table.devices) else None
        sensor = int(device.constants.get("positionSensor", 0)) if device is not None else 0
        sensor = sensor or getattr(self._robot.device(tag), "sibling", 0)
        if self.device_type(sensor) == "PositionSensor":
            self.inject(sensor, "position", value)

    def camera_set_image(self, tag: int, image: bytes) -> None:
        """A picture: rows from the top, B, G, R, A of each pixel."""
        self.inject(tag, "image", image)

    def camera_get_image_buffer(self, tag: int) -> bytearray:
        """Where a plugin may write pictures of a camera (see `camera_set_image`); taken after each step.

        Raises:
            KeyError: there is no such camera.
        """
        camera = self._robot.device(tag)
        if camera is None or camera.node_type != "Camera":
            raise KeyError(f"device {tag} is no camera")
        width, height = camera.get_width(), camera.get_height()  # type: ignore[attr-defined]
        return self._buffers.setdefault(tag, bytearray(4 * width * height))

    def take_buffers(self) -> None:
        """The step is over: take the pictures that were written into buffers."""
        for tag, buffer in self._buffers.items():
            self.camera_set_image(tag, bytes(buffer))

    def display_save_image(self, tag: int, id: int, width: int, height: int, image: bytes) -> None:
        """What `display_image_save` has asked for: rows from the top, B, G, R, A of each pixel."""
        self.inject(tag, "image", (id, width, height, image))

    def camera_recognition_set_object(self, tag: int, objects: Sequence[Any]) -> None:
        """Recognized objects (`hal.link.values.RecognizedObject`)."""
        self.inject(tag, "objects", objects)

    def lidar_set_image(self, tag: int, ranges: Vector) -> None:
        """Distances in m, layer after layer."""
        self.inject(tag, "rangeImage", ranges)

    def radar_set_targets(self, tag: int, targets: Sequence[Any]) -> None:
        """Targets: distance, power, speed, azimuth."""
        self.inject(tag, "targets", targets)

    def microphone_set_buffer(self, tag: int, samples: bytes) -> None:
        """Sound."""
        self.inject(tag, "samples", samples)
