"""RotationalMotor and LinearMotor; arguments are checked as in the simulation."""

from wb import channels, messages, robot, rules
from wb.device import Device


def _is_nan(value):
    return value != value


class Motor(Device):
    """A motor of a robot on a board."""

    def _set(self, field, value):
        if _is_nan(value):
            print(messages.NO_NUMBER)
        else:
            channels.command(self._row[field], value)

    def _set_or(self, field, first):
        """Return the last value set, or the initial one."""
        value = channels.read(self._row[field])
        return first if _is_nan(value) else value

    def set_position(self, position):
        """Set the target position; infinity runs the motor at its velocity."""
        self._set("position", position)

    def get_target_position(self):
        """Return the target position."""
        return self._set_or("position", 0.0)

    def set_velocity(self, velocity):
        """Set the target velocity."""
        if rules.is_velocity_refused(velocity, self.get_target_position()):
            print(messages.NEGATIVE_VELOCITY)
        else:
            self._set("velocity", velocity)

    def get_velocity(self):
        """Return the target velocity."""
        return self._set_or("velocity", self._row["max_velocity"])

    def set_acceleration(self, acceleration):
        """Set the acceleration; -1: unlimited."""
        if rules.is_acceleration_refused(acceleration):
            print(messages.NEGATIVE_ACCELERATION)
        else:
            self._set("acceleration", acceleration)

    def get_acceleration(self):
        """Return the acceleration."""
        return self._set_or("acceleration", self._row["start_acceleration"])

    def set_available_force(self, force):
        """Set the available force."""
        if force < 0:
            print(messages.NEGATIVE_FORCE)
        else:
            self._set("available_force", force)

    set_available_torque = set_available_force

    def get_available_force(self):
        """Return the available force."""
        return self._set_or("available_force", self._row["max_force"])

    get_available_torque = get_available_force

    def set_force(self, force):
        """Set the force."""
        self._set("force", force)

    set_torque = set_force

    def set_control_pid(self, p, i, d):
        """Set the gains."""
        if p > 0 and i >= 0 and d >= 0:
            channels.command(self._row["control_pid"], (p, i, d))
        else:
            print(messages.INVALID_GAINS)

    def enable_force_feedback(self, period):
        """Set the sampling period of the feedback in ms."""
        channels.enable(self._row["feedback"], period)

    def disable_force_feedback(self):
        """Disable the feedback."""
        channels.enable(self._row["feedback"], 0)

    def get_force_feedback_sampling_period(self):
        """Return the sampling period of the feedback in ms."""
        return channels.period(self._row["feedback"])

    def get_force_feedback(self):
        """Return the measured force."""
        return channels.read(self._row["feedback"])

    enable_torque_feedback = enable_force_feedback
    disable_torque_feedback = disable_force_feedback
    get_torque_feedback_sampling_period = get_force_feedback_sampling_period
    get_torque_feedback = get_force_feedback

    def get_max_force(self):
        """Return the maximum force."""
        return self._row["max_force"]

    get_max_torque = get_max_force

    def get_min_position(self):
        """Return the minimum position."""
        return self._row["min_position"]

    def get_max_position(self):
        """Return the maximum position."""
        return self._row["max_position"]

    def get_max_velocity(self):
        """Return the maximum velocity."""
        return self._row["max_velocity"]

    def get_multiplier(self):
        """Return the field `multiplier`."""
        return self._row["multiplier"]

    def get_position_sensor(self):
        """Return the position sensor of the joint, or None."""
        return robot.device(self._row["sensor"])

    def get_brake(self):
        """Return the brake of the joint, or None."""
        return robot.device(self._row["brake"])

    def get_type(self):
        """Return 0 for a rotational, 1 for a linear motor."""
        return self._row["type"]
