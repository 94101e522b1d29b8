"""Moves a joint: to a position, with a velocity, or with a force."""

from __future__ import annotations

from math import isinf

from hal.modes.device import NAN
from hal.modes.devices.joint_device import JointDevice

__all__ = ["Motor"]

POSITION, VELOCITY, AVAILABLE_FORCE, FORCE, FEEDBACK, ACCELERATION, PID, SIBLING = range(1, 9)
UNLIMITED = -1.0


class Motor(JointDevice):
    """Moves a joint: to a position, with a velocity, or with a force. Torques for rotational joints."""

    ask_sibling = SIBLING
    state = (VELOCITY, AVAILABLE_FORCE, FEEDBACK, ACCELERATION, PID)
    min_position = max_position = target_position = 0.0
    max_velocity = max_force = velocity = available_force = 10.0
    acceleration = UNLIMITED
    multiplier = 1.0
    couplings: list[int] = []
    force_feedback = NAN
    feedback_period = 0
    configured = False
    drive: tuple[int, float] | None = None
    """The last position or force that was set: the command and its value. The last one counts."""
    sensor_tag: int | None = None
    """Of the position sensor on the same joint, once somebody has asked."""

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
        """Limits, gains and targets; they come again when somebody changes the motor's fields."""
        followed = not self.configured or self.available_force == self.max_force
        self.type, self.multiplier, self.couplings = type_, multiplier, couplings
        self.min_position, self.max_position = min_position, max_position
        self.max_velocity, self.max_force = max_velocity, max_force
        self.acceleration = acceleration
        self.target_position, self.velocity = position, velocity
        self.available_force = max_force if followed else min(self.available_force, max_force)
        self.configured = True

    def take_feedback(self, force: float) -> None:
        """A new sample of the force."""
        self.force_feedback = force

    def say_all(self) -> None:
        """Let what moves the motor now wait, too."""
        if self.drive is not None:
            self.command(*self.drive)
        self.say_again()

    def siblings(self) -> list[Motor]:
        """Motors that are coupled to this one."""
        found = [self.exchange.device(tag) for tag in self.couplings]
        return [one for one in found if isinstance(one, Motor)]

    def set_position(self, position: float) -> None:
        """Set where the motor shall go; coupled motors go along.

        Args:
            position: in rad or m, kept within the limits of the motor by the simulation; infinite: no
                target, the motor keeps turning with its velocity.
        """
        if position.__class__ is not float:
            position = float(position)
        if position != position:
            self.is_nan("set_position", "position", position)
            return
        self.numbers[self.key + POSITION] = self.target_position = position
        self.drive = (POSITION, position)
        if self.couplings:
            for one in self.siblings():
                one.target_position = position if isinf(position) else position * one.multiplier

    def set_velocity(self, velocity: float) -> None:
        """Set how fast the motor may go, or goes if its target position is infinite.

        Args:
            velocity: in rad/s or m/s, at most the motor's maximum; negative only without a target position.
        """
        if velocity.__class__ is not float:
            velocity = float(velocity)
        if velocity != velocity:
            self.is_nan("set_velocity", "velocity", velocity)
            return
        if velocity < 0 and not isinf(self.target_position):
            text = f"called with a negative 'velocity' argument ({velocity}) in position control mode; "
            self.error("set_velocity", text + "set the position to infinity for velocity control.")
            return
        self.numbers[self.key + VELOCITY] = self.velocity = velocity
        self.said[VELOCITY] = (velocity,)
        if self.couplings:
            for one in self.siblings():
                one.velocity = velocity * one.multiplier

    def set_acceleration(self, acceleration: float) -> None:
        """Set how fast the velocity may change, in rad/s^2 or m/s^2; -1: without a limit."""
        if self.is_nan("set_acceleration", "acceleration", acceleration):
            return
        if acceleration < 0 and acceleration != UNLIMITED:
            self.error(
                "set_acceleration",
                "called with a negative 'acceleration' argument; allowed: 0 or more, or -1.",
            )
            return
        self.command(ACCELERATION, float(acceleration))
        self.acceleration = float(acceleration)

    def set_available_force(self, force: float) -> None:
        """Set the largest force that the motor may use, in N (N m): from 0 to its maximum."""
        if self.is_nan("set_available_force", "force", force):
            return
        if force < 0:
            self.error("set_available_force", "called with a negative 'force' argument.")
            return
        self.command(AVAILABLE_FORCE, float(force))
        self.available_force = float(force)

    def set_force(self, force: float) -> None:
        """Push with this force, in N (N m), until another target is set; at most the available force."""
        if self.is_nan("set_force", "force", force):
            return
        self.command(FORCE, float(force))
        self.drive = (FORCE, float(force))

    def set_control_pid(self, p: float, i: float, d: float) -> None:
        """Set the gains of the position control.

        Args:
            p: proportional gain, in 1/s; above 0.
            i: integral gain, in 1/s^2; 0 or more.
            d: derivative gain, without unit; 0 or more.
        """
        for name, gain, wrong in (("p", p, not p > 0), ("i", i, not i >= 0), ("d", d, not d >= 0)):
            if wrong:
                self.error("set_control_pid", f"called with an invalid '{name}' argument ({gain}).")
                return
        self.command(PID, float(p), float(i), float(d))

    def get_target_position(self) -> float:
        """The target position, in rad or m; infinite in velocity control."""
        return self.target_position

    def get_min_position(self) -> float:
        """The lower limit of the target position, in rad or m; equal to the upper one: no limits."""
        return self.min_position

    def get_max_position(self) -> float:
        """The upper limit of the target position, in rad or m; equal to the lower one: no limits."""
        return self.max_position

    def get_velocity(self) -> float:
        """The velocity that was set, in rad/s or m/s; at first the maximum."""
        return self.velocity

    def get_max_velocity(self) -> float:
        """The limit of the velocity, in rad/s or m/s."""
        return self.max_velocity

    def get_acceleration(self) -> float:
        """The limit of the acceleration, in rad/s^2 or m/s^2; -1: none."""
        return self.acceleration

    def get_available_force(self) -> float:
        """The largest force that the motor may use now, in N (N m)."""
        return self.available_force

    def get_max_force(self) -> float:
        """The limit of the available force, in N (N m)."""
        return self.max_force

    def get_multiplier(self) -> float:
        """The factor by which this motor follows the motors it is coupled to."""
        return self.multiplier

    def enable_force_feedback(self, sampling_period: int) -> None:
        """Start measuring the force that the motor uses.

        Args:
            sampling_period: between two samples, in ms; 0 stops it.
        """
        period = int(sampling_period)
        if not self.is_bad_period("enable_force_feedback", period):
            self.feedback_period = period
            self.command(FEEDBACK, period)

    def disable_force_feedback(self) -> None:
        """Stop measuring the force that the motor uses."""
        self.enable_force_feedback(0)

    def get_force_feedback_sampling_period(self) -> int:
        """The sampling period of the force in ms; 0 when it is not measured."""
        return self.feedback_period

    def get_force_feedback(self) -> float:
        """The force that the motor uses, in N (N m); NaN before the first sample."""
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
        """The tag of the brake on the same joint; 0 when there is none. Asks the simulator."""
        return self.find_sibling("get_brake", "Brake")

    def get_position_sensor(self) -> int:
        """The tag of the position sensor on the same joint; 0 when there is none. Asks the simulator."""
        return self.find_sibling("get_position_sensor", "PositionSensor")
