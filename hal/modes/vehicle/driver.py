"""The driver: controls a car. Methods are named after the functions `wbu_driver_...`."""

from __future__ import annotations

import warnings
from math import inf, isnan
from typing import Protocol

from wbridge.hal.modes.vehicle import engine
from wbridge.hal.modes.vehicle.car import Car
from wbridge.hal.modes.vehicle.differential import FOUR_BY_FOUR, PROPULSION, TRACTION, Ratios
from wbridge.hal.modes.vehicle.lights import INDICATOR_OFF, LEFT, Light
from wbridge.hal.modes.vehicle.parameters import UNKNOWN
from wbridge.hal.modes.vehicle.sound import Sounds
from wbridge.hal.modes.vehicle.steering import quotient, wheel_angles
from wbridge.hal.modes.vehicle.wipers import DOWN, FAST, Wipers
from wbridge.hal.reports import messages, report

__all__ = ["UNDEFINED", "Driver"]

PREFIX = "wbu_driver_"
UNDEFINED, SPEED, TORQUE = -1, 0, 1
"""Control modes."""
REVERSE = -1
KMH = 3.6
"""km/h per m/s."""
MOST_SHOWN_SPEED, MOST_SHOWN_RPM = 220.0, 11000.0
"""Maximum values of the gauges: km/h and 1/min."""
WHEEL_TURNS = 10
"""Angle of the steering wheel relative to the steering angle."""


class DrivenRobot(Protocol):
    """The part of the robot that its driver uses."""

    time: float

    def step(self, duration: int) -> int:
        """Simulate for `duration` ms; -1 when the simulation ends."""


class Driver:
    """Drives a car by its cruising speed, or by throttle and gear (torque)."""

    def __init__(self, robot: DrivenRobot, car: Car) -> None:
        self.robot, self.car = robot, car
        self._indicators, self._sounds = car.indicators, Sounds(car.parts, car.parameters)
        self._beams = [Light(car.parts, name) for name in ("front_lights", "rear_lights")]
        self._antifog = Light(car.parts, "antifog_lights")
        self._wipers = Wipers(car.parts, car.period)
        self._wheel, self._rpm_gauge, self._speed_gauge = (
            car.parts.motor(f"{name}_motor") for name in ("steering_wheel", "rpm_needle", "speed_needle")
        )
        self._mode = UNDEFINED
        self._angle = self._cruising = self._throttle = self._brake = self._rpm = 0.0
        self._gear = 0
        self._dipped = False

    def step(self) -> int:
        """Apply the driver's commands and simulate for one basic time step.

        Returns:
            The result of `wb_robot_step`: -1 when the simulation ends.
        """
        car, time = self.car, self.robot.time
        self._indicators.update(time)
        self._wipers.update(time)
        car.backward_lights.set(
            self._gear == REVERSE if self._mode == TORQUE else self._mode == SPEED and self._cruising < 0
        )
        car.wheels.update(car.period)
        self._rpm = engine.engine_rpm(car.parameters, self._gear, car.wheels.speeds)
        self._update_gauges()
        if self._mode == TORQUE:
            self._apply_torque()
        if self._brake > 0:
            self._apply_brakes()
        self._sound()
        return self.robot.step(car.period)

    def _update_gauges(self) -> None:
        """Move the needles of the dashboard."""
        speed = abs(self.get_current_speed()) if self._speed_gauge is not None else 0.0
        for gauge, value, most in (
            (self._speed_gauge, speed, MOST_SHOWN_SPEED),
            (self._rpm_gauge, self._rpm, MOST_SHOWN_RPM),
        ):
            if gauge is not None and not isnan(value):
                gauge.set_position(min(value, most) * gauge.max_position / most)

    def _apply_torque(self) -> None:
        """Distribute the engine's torque to the wheels."""
        car = self.car
        if car.differential.limited:
            car.differential.update(car.wheels.speeds)
        torque = engine.engine_torque(car.parameters, self._rpm) * self._throttle
        torque *= engine.gear_ratio(car.parameters, self._gear)
        torque = engine.limit_torque(torque, car.wheels.acceleration)
        for wheel, one in car.differential.torques(torque, self._ratios()).items():
            car.parts.motors[wheel].set_force(one)

    def _apply_brakes(self) -> None:
        """Brake with a torque independent of the speed: the damping is inversely proportional to it."""
        for brake, speed in zip(self.car.parts.brakes, self.car.wheels.speeds, strict=True):
            damping = abs(quotient(self._brake * self.car.parameters.brake_coefficient, speed))
            if not isnan(damping):
                brake.set_damping_constant(damping)

    def _sound(self) -> None:
        speeds = self.car.wheels.speeds
        if self._mode == SPEED:
            lacking = self._cruising - self.get_current_speed()
            self._sounds.cruise((speeds[0] + speeds[1] + speeds[2] + speeds[3]) / 4, lacking)
        else:
            self._sounds.run(self._rpm, self._throttle)

    def _ratios(self) -> Ratios:
        right, left = self.car.angles
        return self.car.differential.ratios(self._angle, right, left)

    def set_steering_angle(self, steering_angle: float) -> None:
        """Set the steering angle; each front wheel gets its Ackermann angle.

        Args:
            steering_angle: angle of a virtual wheel between the front wheels, in rad, positive to the
                right.
        """
        angle = float(steering_angle)
        if not -inf < angle < inf:
            self._refuse("set_steering_angle", messages.invalid_angle(angle))
            return
        if self._wheel is not None:
            self._wheel.set_position(angle * WHEEL_TURNS)
        self._angle = angle
        car = self.car.parameters
        for side, one in enumerate(wheel_angles(angle, car.wheelbase, car.track_front)):
            self.car.turn(side, one)
        if self._mode == SPEED:
            self.set_cruising_speed(self._cruising)
        self._indicators.follow(angle)
        self._blink()

    def get_steering_angle(self) -> float:
        """The mean measured angle of the front wheels, in rad; NaN before the first sample."""
        return (self.car.get_right_steering_angle() + self.car.get_left_steering_angle()) / 2

    def set_cruising_speed(self, speed: float) -> None:
        """Switch to speed control and set the cruising speed, which the wheels' motors reach and hold.

        Args:
            speed: in km/h; negative is backward.
        """
        speed = float(speed)
        if not -inf < speed < inf:
            self._refuse("set_cruising_speed", messages.invalid_speed(speed))
            return
        for wheel, one in self.car.differential.speeds(speed, self._ratios()).items():
            radius = self._radius(wheel, "set_cruising_speed")
            if radius:
                motor = self.car.parts.motors[wheel]
                motor.set_velocity(one / KMH / radius)
                if self._mode == TORQUE:
                    motor.set_position(inf)
        self._cruising, self._mode = speed, SPEED

    def _radius(self, wheel: int, function: str) -> float:
        """The radius of a wheel in m; 0, with a warning, if the model does not define it."""
        car = self.car.parameters
        radius = car.front_wheel_radius if wheel < 2 else car.rear_wheel_radius
        if radius == UNKNOWN:
            report.warning(PREFIX + function, messages.unknown_radius())
            return 0.0
        return radius

    def get_target_cruising_speed(self) -> float:
        """The last cruising speed set, in km/h."""
        return self._cruising

    def get_current_speed(self) -> float:
        """The speed of the car, estimated from its driven wheels, in km/h; NaN in the first two steps."""
        speeds, driven = self.car.wheels.speeds, self.car.parts.driven
        axles = {TRACTION: (0,), PROPULSION: (2,), FOUR_BY_FOUR: (0, 2)}[driven]
        share = 0.5 / len(axles)
        speed = 0.0
        for first in axles:
            radius = self._radius(first, "get_current_speed")
            speed += share * (speeds[first] + speeds[first + 1]) * radius
        return speed * KMH

    def set_throttle(self, throttle: float) -> None:
        """Switch to torque control and set the throttle.

        Args:
            throttle: 0 to 1.
        """
        if isnan(throttle):
            self._refuse("set_throttle", messages.share_not_a_number("a", "throttle"))
            return
        self._throttle = self._share("set_throttle", "throttle", throttle)
        self._mode = TORQUE

    def get_throttle(self) -> float:
        """The throttle, 0 to 1."""
        return self._throttle

    def set_brake_intensity(self, intensity: float) -> None:
        """Brake all wheels.

        Args:
            intensity: 0 to 1, relative to the torque of the car's field `brakeCoefficient`, in N m.
        """
        if isnan(intensity):
            self._refuse("set_brake_intensity", messages.share_not_a_number("an", "intensity"))
            return
        self._brake = self._share("set_brake_intensity", "intensity", intensity)
        self.car.brake_lights.set(self._brake > 0)
        if not self._brake:
            for brake in self.car.parts.brakes:
                brake.set_damping_constant(0.0)

    def get_brake_intensity(self) -> float:
        """The brake intensity, 0 to 1."""
        return self._brake

    def set_brake(self, brake: float) -> None:
        """Old name of `set_brake_intensity`."""
        _deprecated("set_brake", "set_brake_intensity")
        self.set_brake_intensity(brake)

    def get_brake(self) -> float:
        """Old name of `get_brake_intensity`."""
        _deprecated("get_brake", "get_brake_intensity")
        return self.get_brake_intensity()

    def _share(self, function: str, name: str, value: float) -> float:
        article = "an" if name[0] in "aeiou" else "a"
        kept = min(max(float(value), 0.0), 1.0)
        if kept != value:
            text = messages.kept_share(article, name, value, kept)
            report.warning(PREFIX + function, text)
        return kept

    def set_indicator(self, state: int) -> None:
        """Switch the indicators: 0 off, 1 right, 2 left. They switch off when the car steers back."""
        if state not in range(INDICATOR_OFF, LEFT + 1):
            self._refuse("set_indicator", messages.invalid_indicator(state))
            return
        self._indicators.choose(int(state), self._angle)
        self._blink()

    def get_indicator(self) -> int:
        """The state of the indicators: 0 off, 1 right, 2 left."""
        return self._indicators.state

    def set_hazard_flashers(self, state: bool) -> None:
        """Switch the hazard flashers on or off."""
        self._indicators.hazard = bool(state)
        self._blink()

    def get_hazard_flashers(self) -> bool:
        """True if the hazard flashers are on."""
        return self._indicators.hazard

    def _blink(self) -> None:
        self._sounds.blink(self._indicators.blinking)

    def set_dipped_beams(self, state: bool) -> None:
        """Switch the dipped beams (front and rear lights) on or off."""
        self._dipped = bool(state)
        for light in self._beams:
            light.set(self._dipped)

    def get_dipped_beams(self) -> bool:
        """True if the dipped beams are on."""
        return self._dipped

    def set_antifog_lights(self, state: bool) -> None:
        """Switch the fog lights on or off."""
        self._antifog.set(bool(state))

    def get_antifog_lights(self) -> bool:
        """True if the fog lights are on; False for a car without fog lights."""
        return self._antifog.on

    def get_rpm(self) -> float:
        """The engine speed in 1/min; 0, with a warning, in speed control."""
        return self._rpm if self._has_engine("get_rpm") else 0.0

    def get_gear(self) -> int:
        """The engaged gear: -1 reverse, 0 neutral; 0, with a warning, in speed control."""
        return self._gear if self._has_engine("get_gear") else 0

    def _has_engine(self, function: str) -> bool:
        if self._mode == SPEED:
            report.warning(PREFIX + function, messages.no_engine())
        return self._mode != SPEED

    def set_gear(self, gear: int) -> None:
        """Engage a gear.

        Args:
            gear: -1 reverse, 0 neutral, 1 to `get_gear_number() - 1` forward.
        """
        kept = min(max(int(gear), REVERSE), self.get_gear_number() - 1)
        if kept != gear:
            last = self.get_gear_number() - 1
            text = messages.kept_gear(gear, last, kept)
            report.warning(PREFIX + "set_gear", text)
        self._gear = kept

    def get_gear_number(self) -> int:
        """The number of gears, including reverse."""
        return len(self.car.parameters.gear_ratios)

    def get_control_mode(self) -> int:
        """The control mode: -1 undefined, 0 speed, 1 torque."""
        return self._mode

    def set_wiper_mode(self, mode: int) -> None:
        """Set the wiper mode: 0 down, 1 slow, 2 normal, 3 fast. No effect on a car without wipers."""
        if mode not in range(DOWN, FAST + 1):
            self._refuse("set_wiper_mode", messages.invalid_wiper_mode(mode))
            return
        self._wipers.choose(int(mode))

    def get_wiper_mode(self) -> int:
        """The wiper mode: 0 down, 1 slow, 2 normal, 3 fast."""
        return self._wipers.mode

    def set_wipers_mode(self, mode: int) -> None:
        """Old name of `set_wiper_mode`."""
        _deprecated("set_wipers_mode", "set_wiper_mode")
        self.set_wiper_mode(mode)

    def get_wipers_mode(self) -> int:
        """Old name of `get_wiper_mode`."""
        _deprecated("get_wipers_mode", "get_wiper_mode")
        return self.get_wiper_mode()

    def _refuse(self, function: str, text: str) -> None:
        report.error(PREFIX + function, text)


def _deprecated(old: str, new: str) -> None:
    warnings.warn(f"{PREFIX}{old} {messages.deprecated(PREFIX + new)}", DeprecationWarning, stacklevel=4)
