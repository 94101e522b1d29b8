"""The remote-control plugin interface: Webots' wbr_* functions as a Python class.

A plugin is a module with a class `Plugin` that derives from `RemoteControl`. The robot's field
`remoteControl` contains its name; `wbridge.hal.remote_plugins` defines where it is searched. After
`wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, arg)`, commands go to the plugin instead of the simulation, and the
controller reads the values that the plugin injects.

In addition to the methods of `RemoteControl`, a plugin may implement any of the following. A command without
its own or a general method is dropped, with one warning. tag is the number of the device:

    robot_battery_set_sampling_period(period)     set_sampling_period(tag, period)
    motor_set_force_sampling_period(tag, period)  motor_set_torque_sampling_period(tag, period)
    motor_set_position, motor_set_velocity, motor_set_acceleration, motor_set_available_force,
    motor_set_force, motor_set_available_torque, motor_set_torque (tag, value)
    motor_set_control_pid(tag, p, i, d)
    camera_set_fov, camera_set_exposure, camera_set_focal_distance, lidar_set_frequency (tag, value)
    led_set(tag, value)      pen_set_ink_color(tag, color, density)    pen_write(tag, write)
    brake_set_damping_constant(tag, value)        connector_lock(tag, lock)
    vacuum_gripper_turn_on(tag, on)
    display_draw_line(tag, x1, y1, x2, y2) ...    drawing on displays: see wbridge.hal.gateway.drawing
    set_period(tag, function, period)             general: all sampling periods, by enabling function
    set_channel(tag, channel, value)              general: all commands, by device table channel
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from wbridge.hal.gateway.inject import inject
from wbridge.hal.remote_inputs import RemoteInputs

if TYPE_CHECKING:
    from wbridge.hal.gateway.host import RemoteHost
    from wbridge.hal.gateway.trace import Trace
    from wbridge.hal.table import DeviceTable

__all__ = ["RemoteControl", "RemoteRobot"]


class RemoteControl:
    """A remote-control plugin; derive from it and name the class `Plugin`."""

    GUARDED: ClassVar[bool | None] = None
    """True: the plugin runs in a guard, a process of its own that stops the robot when the controller dies;
    `custom_function` then takes and returns JSON values only. None: the same, unless the class has a
    `custom_function` or `UNGUARDED`. False: it runs in the controller's process."""
    UNGUARDED: ClassVar[str] = ""
    """Why the plugin needs no guard, for example "the robot stops by itself"."""
    watchdog_ms = 200
    """The guard calls `stop_actuators` if the controller makes no step for this time, in ms, and sends the
    last commands again with the next step; 0: the plugin watches the steps itself."""
    TAKES_JSON: ClassVar[bool] = True
    """False: `custom_function` takes an address in its own process, which a guard cannot pass on."""

    def init(self, robot: RemoteRobot) -> bool:
        """Initialize the plugin after the robot was configured; called once, before the first `start`.

        Returns:
            False: the plugin cannot work with this robot.
        """
        return True

    def cleanup(self) -> None:
        """Clean up when the controller ends."""

    def start(self, arg: str) -> bool:
        """Connect to the robot.

        Args:
            arg: argument of `wb_robot_set_mode`, for example a port.

        Returns:
            False if the robot was not found; the controller then stays in simulation.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """Stop the actuators and disconnect from the robot."""
        raise NotImplementedError

    def has_failed(self) -> bool:
        """True if the connection is lost permanently; called after each step. True ends remote control."""
        raise NotImplementedError

    def is_silent(self) -> bool:
        """True if the robot does not answer at present; called after each step while a window is open."""
        return False

    def fault(self) -> str:
        """Why the robot keeps its motors off until `resume`; "" if it does not. Called after each step."""
        return ""

    def resume(self) -> None:
        """End a stop by a latch, because the controller or a person has asked for it."""

    def note_outage(self) -> None:
        """Keep a robot with a latch stopped until `resume`: an outage before `start` has stopped it."""

    def stop_actuators(self) -> None:
        """Stop all actuators."""
        raise NotImplementedError

    def abandon(self) -> None:
        """Stop all actuators at once and for good: the controller is gone.

        Called from another thread, also during a step; `stop` follows.
        """

    def robot_step(self, period: int) -> int:
        """Send commands, inject sensor values (see `RemoteRobot.inject`), and wait for the end of the step.

        Args:
            period: duration of the step, in ms of real time.

        Returns:
            0 if the step was in time, else the delay of commands or readings in ms.
        """
        raise NotImplementedError

    def duration(self, period: int, delay: int) -> int:
        """The duration of the last step, in ms, by which the controller's clock advances.

        Override this method if the delay does not extend the step, for example if it is the age of readings.

        Args:
            period: requested duration of the step, in ms.
            delay: result of `robot_step`, in ms.
        """
        return period + delay

    def plugin_of(self, tag: int) -> RemoteControl:
        """The plugin that drives a device (0: the robot): this one, unless it is a combination."""
        return self

    def custom_function(self, arg: Any) -> Any:
        """Custom function of the plugin (`wb_remote_control_custom_function`)."""
        return None


class RemoteRobot(RemoteInputs):
    """The plugin's view of the controller's robot: lists its devices and injects values."""

    def __init__(
        self, robot: RemoteHost, table: DeviceTable | None = None, trace: Trace | None = None
    ) -> None:
        """
        Args:
            robot: the controller's robot.
            table: its device table, if the program that started the controller knows it.
            trace: receives all injected values.
        """
        self._robot, self.table, self._trace = robot, table, trace
        self._buffers: dict[int, bytearray] = {}

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._robot.info.name

    @property
    def is_alone(self) -> bool:
        """True without a simulation to return to: the controller drives the real robot, or ends."""
        return self._robot.alone

    @property
    def first_data(self) -> bytes:
        """The first packet of the simulator, which describes the robot."""
        return self._robot.first_data

    @property
    def basic_time_step(self) -> float:
        """In ms."""
        return self._robot.info.basic_time_step

    @property
    def world_path(self) -> str:
        """The path of the world file; "" if unknown."""
        return self._robot.info.world_path

    @property
    def number_of_devices(self) -> int:
        """The number of devices; their tags are 1 to this number."""
        return len(self._robot.devices) - 1

    def device_name(self, tag: int) -> str:
        """The name of a device, or ""."""
        device = self._robot.devices.device(tag)
        return device.name if device else ""

    def device_type(self, tag: int) -> str:
        """The node type of a device, for example "DistanceSensor", or ""."""
        device = self._robot.devices.device(tag)
        return device.node_type if device else ""

    def find(self, name: str) -> int:
        """The tag of the first device with a name, or 0."""
        known = (device for device in self._robot.devices if device is not None)
        return next((device.tag for device in known if device.name == name), 0)

    def inject(self, tag: int, channel: str, value: Any) -> None:
        """Inject a sensor value for the controller.

        Args:
            tag: tag of the device; 0 is the robot.
            channel: channel of the device table, for example "value" of a DistanceSensor.
            value: of the channel's type.

        Raises:
            KeyError: the device does not exist, or the channel accepts no values.
        """
        inject(self._robot, tag, channel, value)
        if self._trace is not None:
            self._trace.reading(tag, channel, value)

    def motor_set_position_feedback(self, tag: int, value: float) -> None:
        """The position of a motor, in rad or m, as the value of the PositionSensor on its joint, if any.

        The sensor is known from `table` or from a call of `wb_motor_get_position_sensor`.
        """
        device = self.table.devices[tag - 1] if self.table and 0 < tag <= len(self.table.devices) else None
        sensor = int(device.constants.get("positionSensor", 0)) if device is not None else 0
        sensor = sensor or getattr(self._robot.devices.device(tag), "sibling", 0)
        if self.device_type(sensor) == "PositionSensor":
            self.inject(sensor, "position", value)

    def camera_get_image_buffer(self, tag: int) -> bytearray:
        """A buffer in which a plugin writes a camera's images (see `camera_set_image`); read after each step.

        Raises:
            KeyError: the device is not a camera.
        """
        width, height = self.camera_size(tag)
        return self._buffers.setdefault(tag, bytearray(4 * width * height))

    def camera_size(self, tag: int) -> tuple[int, int]:
        """Width and height of a camera's images, in pixels.

        Raises:
            KeyError: the device is not a camera.
        """
        camera = self._device_of(tag, "Camera")
        return camera.width, camera.height

    def lidar_size(self, tag: int) -> int:
        """The number of distances in a lidar's image.

        Raises:
            KeyError: the device is not a lidar.
        """
        lidar = self._device_of(tag, "Lidar")
        return int(lidar.layers * lidar.horizontal_resolution)

    def _device_of(self, tag: int, node_type: str) -> Any:
        device = self._robot.devices.device(tag)
        if device is None or device.node_type != node_type:
            raise KeyError(f"device {tag} is not a {node_type.lower()}")
        return device

    def take_buffers(self) -> None:
        """Inject the images in the buffers at the end of a step."""
        for tag, buffer in self._buffers.items():
            self.camera_set_image(tag, bytes(buffer))

    def display_save_image(self, tag: int, id: int, width: int, height: int, image: bytes) -> None:
        """The image that `display_image_save` requested: rows from the top, B, G, R, A of each pixel."""
        self.inject(tag, "image", (id, width, height, image))
