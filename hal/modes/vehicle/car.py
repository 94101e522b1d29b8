"""The car: parameters, wheels, steering and lights. Methods are named after the functions `wbu_car_...`."""

from __future__ import annotations

from math import inf

from wbridge.hal.modes.vehicle.differential import Differential
from wbridge.hal.modes.vehicle.lights import Indicators, Light
from wbridge.hal.modes.vehicle.parameters import Parameters
from wbridge.hal.modes.vehicle.parts import WHEELS, CarRobot, Parts
from wbridge.hal.modes.vehicle.wheels import WheelSpeeds
from wbridge.hal.reports import messages, report

__all__ = ["Car"]

PREFIX = "wbu_car_"


class Car:
    """A car with two steered front wheels and two or four driven wheels."""

    def __init__(self, robot: CarRobot) -> None:
        """
        Raises:
            VehicleError: the robot is not a car.
        """
        self.period = int(robot.info.basic_time_step)
        """Basic time step, in ms."""
        self.parameters = Parameters.parse(robot.custom_data)
        self.parts = Parts(robot)
        self.differential = Differential(self.parameters, self.parts.driven)
        self.wheels = WheelSpeeds(self.parts.sensors)
        self.indicators = Indicators(self.parts)
        self.backward_lights = Light(self.parts, "backwards_lights")
        # Cars of releases before R2021 misspell the name.
        self.brake_lights = Light(self.parts, "brake_lights", "brake_ligths")
        self.angles = [0.0, 0.0]
        """Commanded angles of the right and the left front wheel, in rad."""
        for sensor in self.parts.steering_sensors:
            sensor.enable(self.period)
        for motor in self.parts.motors.values():
            motor.set_position(inf)
            motor.set_velocity(0.0)

    def get_type(self) -> int:
        """The driven wheels: 0 front (traction), 1 rear (propulsion), 2 all (4x4)."""
        return self.parts.driven

    def get_engine_type(self) -> int:
        """The engine type: 0 combustion, 1 electric, 2 parallel hybrid, 3 power-split hybrid."""
        return self.parameters.engine

    def get_wheelbase(self) -> float:
        """The distance between the front and rear axles, in m."""
        return self.parameters.wheelbase

    def get_track_front(self) -> float:
        """The distance between the front wheels, in m."""
        return self.parameters.track_front

    def get_track_rear(self) -> float:
        """The distance between the rear wheels, in m."""
        return self.parameters.track_rear

    def get_front_wheel_radius(self) -> float:
        """The radius of the front wheels, in m; -1 if the model does not define it."""
        return self.parameters.front_wheel_radius

    def get_rear_wheel_radius(self) -> float:
        """The radius of the rear wheels, in m; -1 if the model does not define it."""
        return self.parameters.rear_wheel_radius

    def set_indicator_period(self, period: float) -> None:
        """Set the period of the indicators.

        Args:
            period: duration of the on phase and of the off phase, in s; above 0; initially 0.34.
        """
        if not 0 < period < inf:
            report.error(
                f"{PREFIX}set_indicator_period",
                messages.invalid_indicator_period(period),
            )
            return
        self.indicators.period = float(period)

    def get_indicator_period(self) -> float:
        """The duration of the indicators' on phase and of their off phase, in s."""
        return self.indicators.period

    def get_backwards_lights(self) -> bool:
        """True if the reversing lights are on."""
        return self.backward_lights.on

    def get_brake_lights(self) -> bool:
        """True if the brake lights are on."""
        return self.brake_lights.on

    def get_wheel_encoder(self, wheel_index: int) -> float:
        """The position of a wheel, in rad; NaN before the first sample. Enables its sensor if necessary.

        Args:
            wheel_index: 0 front right, 1 front left, 2 rear right, 3 rear left.
        """
        if not self._is_wheel("get_wheel_encoder", wheel_index):
            return 0.0
        return self.wheels.sensor(wheel_index, self.period).get_value()

    def get_wheel_speed(self, wheel_index: int) -> float:
        """The speed of a wheel in the driver's last step, in rad/s; NaN in the first two steps.

        Args:
            wheel_index: 0 front right, 1 front left, 2 rear right, 3 rear left.
        """
        return self.wheels.speeds[wheel_index] if self._is_wheel("get_wheel_speed", wheel_index) else 0.0

    def _is_wheel(self, function: str, index: int) -> bool:
        if index in range(len(WHEELS)):
            return True
        report.error(PREFIX + function, messages.invalid_wheel(index, len(WHEELS) - 1))
        return False

    def set_right_steering_angle(self, angle: float) -> None:
        """Set the steering angle of the right front wheel only.

        Args:
            angle: in rad, positive to the right; clamped to the limits of the motor.
        """
        self._steer("set_right_steering_angle", 0, angle)

    def set_left_steering_angle(self, angle: float) -> None:
        """Set the steering angle of the left front wheel only.

        Args:
            angle: in rad, positive to the right; clamped to the limits of the motor.
        """
        self._steer("set_left_steering_angle", 1, angle)

    def _steer(self, function: str, side: int, angle: float) -> None:
        if -inf < angle < inf:
            self.turn(side, angle)
        else:
            report.error(PREFIX + function, messages.invalid_angle(angle))

    def turn(self, side: int, angle: float) -> None:
        """Set the steering angle of a front wheel (0 right, 1 left), in rad."""
        self.angles[side] = angle
        self.parts.steering[side].set_position(angle)

    def get_right_steering_angle(self) -> float:
        """The measured angle of the right front wheel, in rad; NaN before the first sample."""
        return self.parts.steering_sensors[0].get_value()

    def get_left_steering_angle(self) -> float:
        """The measured angle of the left front wheel, in rad; NaN before the first sample."""
        return self.parts.steering_sensors[1].get_value()

    def enable_limited_slip_differential(self, enable: bool) -> None:
        """Enable or disable the limited-slip differential, which is initially enabled."""
        self.differential.limited = bool(enable)

    def enable_indicator_auto_disabling(self, enable: bool) -> None:
        """Enable or disable the automatic switching off of the indicators, which is initially enabled."""
        self.indicators.ends_itself = bool(enable)
