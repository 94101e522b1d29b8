"""A motor, which drives a joint with a target position, velocity, or force."""

from __future__ import annotations

from math import isinf, isnan

from wbridge.hal.modes.device import NAN
from wbridge.hal.modes.devices.joint_device import JointDevice
from wbridge.hal.modes.rules import is_acceleration_refused, is_velocity_refused
from wbridge.hal.reports import messages

__all__ = ["Motor"]

POSITION, VELOCITY, AVAILABLE_FORCE, FORCE, FEEDBACK, ACCELERATION, PID, SIBLING = range(1, 9)
UNLIMITED = -1.0


class Motor(JointDevice):
    """A motor, which drives a joint with a target position, velocity, or force (torque if rotational)."""

    ask_sibling = SIBLING
    state = (VELOCITY, AVAILABLE_FORCE, FEEDBACK, ACCELERATION, PID)
    min_position = max_position = 0.0
    max_velocity = max_force = available_force = 10.0
    acceleration = UNLIMITED
    multiplier = 1.0
    couplings: list[int] = []
    force_feedback = NAN
    feedback_period = 0
    configured = False
    force: float | None = None
    """The last force that was set; valid while `last_position` is NaN."""
    target_position, velocity = 0.0, 10.0
    last_position = NAN
    """What the controller has set last; NaN: nothing."""
    sensor_tag: int | None = None
    """Tag of the position sensor on the same joint, once requested."""

    def take_constants(
        self,
        type_: int,
        min_position: float,
        max_position: float,
        max_velocity: float,
        acceleration: float,
        max_force: float,
        p: float,
        i: float,
        d: float,
        position: float,
        velocity: float,
        multiplier: float,
        couplings: list[int],
    ) -> None:
        """Store limits, gains and targets; the simulator sends them again after each change."""
        followed = not self.configured or self.available_force == self.max_force
        self.type, self.multiplier, self.couplings = type_, multiplier, couplings
        self.min_position, self.max_position = min_position, max_position
        self.max_velocity, self.max_force = max_velocity, max_force
        self.acceleration = acceleration
        self.target_position, self.velocity = position, velocity
        self.available_force = max_force if followed else min(self.available_force, max_force)
        self.configured = True

    def take_feedback(self, force: float) -> None:
        """Store a new sample of the force."""
        self.force_feedback = force

    def resend_all(self) -> None:
        """Also add the current position or force command."""
        if not isnan(self.last_position):
            self.command(POSITION, self.last_position)
        elif self.force is not None:
            self.command(FORCE, self.force)
        self.resend_lasting()

    def siblings(self) -> list[Motor]:
        """The motors that are coupled to this one."""
        found = [self.exchange.device(tag) for tag in self.couplings]
        return [one for one in found if isinstance(one, Motor)]

    def set_position(self, position: float) -> None:
        """Set the target position of the motor and of coupled motors.

        Args:
            position: in rad or m, clamped to the motor's limits by the simulation; infinity selects velocity
                control.
        """
        if position.__class__ is not float:
            position = float(position)
        if position != position:
            self.is_nan("set_position", "position", position)
            return
        self.target_position = self.last_position = position
        self.command(POSITION, position)
        if self.couplings:
            for one in self.siblings():
                one.target_position = position if isinf(position) else position * one.multiplier

    def set_velocity(self, velocity: float) -> None:
        """Set the maximum velocity in position control, or the target velocity in velocity control.

        Args:
            velocity: in rad/s or m/s, up to the motor's maximum; may be negative only in velocity control.
        """
        if velocity.__class__ is not float:
            velocity = float(velocity)
        if velocity != velocity:
            self.is_nan("set_velocity", "velocity", velocity)
            return
        if is_velocity_refused(velocity, self.target_position):
            self.error("set_velocity", messages.negative_velocity(velocity))
            return
        self.velocity = velocity
        self.command(VELOCITY, velocity)
        if self.couplings:
            for one in self.siblings():
                one.velocity = velocity * one.multiplier

    def set_acceleration(self, acceleration: float) -> None:
        """Set the maximum acceleration, in rad/s^2 or m/s^2; -1: no limit."""
        if self.is_nan("set_acceleration", "acceleration", acceleration):
            return
        if is_acceleration_refused(acceleration):
            self.error(
                "set_acceleration",
                messages.negative_acceleration(),
            )
            return
        self.command(ACCELERATION, float(acceleration))
        self.acceleration = float(acceleration)

    def set_available_force(self, force: float) -> None:
        """Set the available force (torque), in N (N m): from 0 to the motor's maximum."""
        if self.is_nan("set_available_force", "force", force):
            return
        if force < 0:
            self.error("set_available_force", messages.negative_force())
            return
        self.command(AVAILABLE_FORCE, float(force))
        self.available_force = float(force)

    def set_force(self, force: float) -> None:
        """Apply a force (torque), in N (N m), up to the available force, until another target is set."""
        if self.is_nan("set_force", "force", force):
            return
        self.command(FORCE, float(force))
        self.force, self.last_position = float(force), NAN

    def set_control_pid(self, p: float, i: float, d: float) -> None:
        """Set the gains of the position controller.

        Args:
            p: proportional gain, in 1/s; above 0.
            i: integral gain, in 1/s^2; at least 0.
            d: derivative gain, without unit; at least 0.
        """
        for name, gain, wrong in (("p", p, not p > 0), ("i", i, not i >= 0), ("d", d, not d >= 0)):
            if wrong:
                self.error("set_control_pid", messages.invalid_argument(name, gain))
                return
        self.command(PID, float(p), float(i), float(d))

    def get_target_position(self) -> float:
        """The target position, in rad or m; infinite in velocity control."""
        return self.target_position

    def get_min_position(self) -> float:
        """The minimum position, in rad or m; equal to the maximum position if there are no limits."""
        return self.min_position

    def get_max_position(self) -> float:
        """The maximum position, in rad or m; equal to the minimum position if there are no limits."""
        return self.max_position

    def get_velocity(self) -> float:
        """The last velocity set, in rad/s or m/s; initially the maximum velocity."""
        return self.velocity

    def get_max_velocity(self) -> float:
        """The maximum velocity, in rad/s or m/s."""
        return self.max_velocity

    def get_acceleration(self) -> float:
        """The maximum acceleration, in rad/s^2 or m/s^2; -1: no limit."""
        return self.acceleration

    def get_available_force(self) -> float:
        """The available force (torque), in N (N m)."""
        return self.available_force

    def get_max_force(self) -> float:
        """The maximum force (torque), in N (N m)."""
        return self.max_force

    def get_multiplier(self) -> float:
        """The multiplier of this motor's commands relative to the motors it is coupled to."""
        return self.multiplier

    def enable_force_feedback(self, sampling_period: int) -> None:
        """Enable the force (torque) feedback.

        Args:
            sampling_period: in ms; 0 disables the feedback.
        """
        period = int(sampling_period)
        if not self.is_bad_period("enable_force_feedback", period):
            self.feedback_period = period
            self.command(FEEDBACK, period)

    def disable_force_feedback(self) -> None:
        """Disable the force (torque) feedback."""
        self.enable_force_feedback(0)

    def get_force_feedback_sampling_period(self) -> int:
        """The sampling period of the force (torque) feedback in ms, or 0 if it is disabled."""
        return self.feedback_period

    def get_force_feedback(self) -> float:
        """The force (torque) that the motor applies, in N (N m); NaN before the first sample."""
        return self.force_feedback

    set_available_torque = set_available_force
    set_torque = set_force
    get_available_torque = get_available_force
    get_max_torque = get_max_force
    enable_torque_feedback = enable_force_feedback
    disable_torque_feedback = disable_force_feedback
    get_torque_feedback_sampling_period = get_force_feedback_sampling_period
    get_torque_feedback = get_force_feedback

    def get_brake(self) -> int:
        """The tag of the brake on the same joint, or 0. Queries the simulator."""
        return self.find_sibling("get_brake", "Brake")

    def get_position_sensor(self) -> int:
        """The tag of the position sensor on the same joint, or 0. Queries the simulator."""
        return self.find_sibling("get_position_sensor", "PositionSensor")
