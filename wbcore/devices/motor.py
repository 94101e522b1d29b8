"""Motors: the controller's commands to the engine's motors, their limits and energy consumption.

The control law is the engine's (manual, chapter Motor); here are the commands, the exchange between coupled
motors, and the measured force. Angles in rad, lengths in m, N or N m.
"""

from __future__ import annotations

from functools import cached_property
from math import copysign, isclose
from typing import ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.joint_device import JointDevice
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.motor_limits import Limits, coupled_limits, joint_position, widened
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.tables.rules import Place

AVAILABLE_FORCE = "available force"
"""The only command that the multiplier does not change."""
ROUNDING = 1e-6
"""Relative difference of 32-bit numbers from those that they stand for."""


class Motor(JointDevice, Sensor):
    """A rotational or linear motor on a joint, track or propeller.

    A motor that drives nothing still accepts commands; on a joint without an end point it moves the joint's
    position, which the position sensor reads.
    """

    MESSAGE = "feedback"
    KEPT: ClassVar[tuple[str, ...]] = ("idle_position",)
    works = False

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self._physics = self.simulation.physics
        self._structure = -1
        self._told: set[str] = set()
        self._takes = False
        self._is_lone = not self.entry.constants["coupled"]
        self.is_attached = False
        """Whether it drives something in the engine."""
        self.idle_position = self._start = joint_position(self.place.holder, self.node)
        """The position of a joint without an end point."""
        self._engine = self._idle_motor()
        self._find()

    @property
    def engine(self) -> _engine.Motor:
        """The engine's motor."""
        if self._structure != self._physics.structure:
            self._find()
        return self._engine

    def _find(self) -> None:
        """Look up the engine's motor; a motor that drives nothing gets one of its own for its commands."""
        self._structure = self._physics.structure
        motor = self.engine_motor()
        if motor is not None:
            self._engine = motor
        elif self.is_attached:
            self._engine = self._idle_motor()
        self.is_attached = motor is not None
        holder = self.place.holder
        self.set_active(motor is None and holder is not None and holder.is_a("Joint"))

    def engine_motor(self) -> _engine.Motor | None:
        """The motor in the engine; None if it drives nothing."""
        return self._physics.handles.motors.get(self.node)

    def _idle_motor(self) -> _engine.Motor:
        c = self.entry.constants
        motor = _engine.Motor()
        motor.max_velocity, motor.max_force = abs(c["maxVelocity"]), abs(self._max_force)
        motor.min_position, motor.max_position = c["minPosition"], c["maxPosition"]
        motor.multiplier = c["multiplier"] or 1.0
        motor.set_pid(*(abs(gain) for gain in c["controlPID"]))
        motor.set_acceleration(c["acceleration"] if c["acceleration"] >= 0 else -1.0)
        motor.reset(self.idle_position)
        return motor

    @property
    def _max_force(self) -> float:
        c = self.entry.constants
        return float(c["maxTorque"] if "maxTorque" in c else c["maxForce"])

    def constants(self) -> dict[str, object]:
        """The current limits (coupled motors limit each other), gains and targets."""
        m = self.engine
        p, i, d = m.pid
        return {
            "min_position": m.min_position,
            "max_position": m.max_position,
            "max_velocity": m.max_velocity,
            "acceleration": m.acceleration,
            "max_force": m.max_force,
            "p": p,
            "i": i,
            "d": d,
            "position": m.target_position,
            "velocity": m.target_velocity,
            "multiplier": m.multiplier,
            "couplings": self.entry.constants["coupled"],
        }

    # Commands.

    @cached_property
    def group(self) -> tuple[Motor, ...]:
        """The motors that execute a command: this one and those coupled to it."""
        others = (self.robot.devices[tag - 1] for tag in self.entry.constants["coupled"])
        return (self, *(other for other in others if isinstance(other, Motor)))

    def on_set_position(self, position: float) -> None:
        """Set the target position (rad or m), also of coupled motors; infinity selects velocity control."""
        if self._is_lone and self._structure == self._physics.structure:  # fast path of the common case
            if self._engine.set_position(position):
                self.warn_clipped(
                    "target position", position, "minPosition and maxPosition", self._engine.target_position
                )
            return
        for motor in self.group:
            if motor.engine.set_position(position):
                motor.warn_clipped(
                    "target position", position, "minPosition and maxPosition", motor.engine.target_position
                )

    def on_set_velocity(self, velocity: float) -> None:
        """Set the velocity (rad/s or m/s), also of coupled motors."""
        if self._is_lone and self._structure == self._physics.structure:
            if self._engine.set_velocity(velocity):
                self.warn_clipped("velocity", velocity, "maxVelocity", self._engine.target_velocity)
            return
        for motor in self.group:
            if motor.engine.set_velocity(velocity):
                motor.warn_clipped("velocity", velocity, "maxVelocity", motor.engine.target_velocity)

    def engine_target(self, command: str) -> tuple[_engine.Motor, bool] | None:
        """Return the engine's motor if this motor is not coupled."""
        if len(self.group) > 1 or command not in ("set_position", "set_velocity"):
            return None
        return self.engine, command == "set_velocity"

    def on_set_force(self, force: float) -> None:
        """Set the force (N or N m), also of coupled motors; it acts until a position is set."""
        group = self.group
        for motor in group:
            # The manual: limits also apply to coupled motors, but without a warning.
            if motor.engine.set_force(force) and len(group) == 1:
                motor.warn_clipped(
                    "force", force, "the available force", copysign(motor.engine.available_force, force)
                )
        self._warn_no_physics()

    def on_set_available_force(self, force: float) -> None:
        """Set the maximum force that the motor may use (N or N m)."""
        if not self.robot.has_power:
            return
        if self.engine.set_available_force(force):
            self.warn_clipped(AVAILABLE_FORCE, force, "maxForce or maxTorque", self.engine.available_force)

    def on_set_acceleration(self, acceleration: float) -> None:
        """Set the maximum acceleration (rad/s^2 or m/s^2); -1: unlimited."""
        self.engine.set_acceleration(acceleration)

    def on_set_control_pid(self, p: float, i: float, d: float) -> None:
        """Set the gains of position control."""
        self.engine.set_pid(p, i, d)

    def warn_clipped(self, what: str, value: float, limit: str, clipped: float) -> None:
        """Warn, once per kind of command, that a value was clipped to a limit.

        Args:
            what: the kind of command.
            value: what the controller wants.
            limit: what limits it.
            clipped: what is used; a difference by rounding, such as 6.28 as a 32-bit number, is no mistake.
        """
        factor = 1.0 if what == AVAILABLE_FORCE else self.engine.multiplier
        wanted = value * factor
        if what not in self._told and not isclose(wanted, clipped, rel_tol=ROUNDING):
            self._told.add(what)
            product = "" if factor == 1 else f" ({value:g} times the multiplier {factor:g})"
            self.robot.warn(
                f'motor "{self.name}": {what} {wanted:g}{product} is clipped to {limit} ({clipped:g}); '
                "this warning is shown once"
            )

    def _warn_no_physics(self) -> None:
        joint = self.joint
        if joint is not None and joint.kinematic and "physics" not in self._told:
            self._told.add("physics")
            self.robot.warn(
                f'motor "{self.name}": a force has no effect: the end point of its joint has no Physics node'
            )

    # Force feedback.

    def on_enable_feedback(self, period: int) -> None:
        """Set the sampling period of the force in ms; 0 disables it."""
        self.on_enable(period)
        if period > 0:
            self.measure_force()
            reason = self.why_no_feedback()
            if reason and "feedback" not in self._told:
                self._told.add("feedback")
                self.robot.warn(f'motor "{self.name}": force feedback is not available and reads 0: {reason}')

    def measure_force(self) -> None:
        """Enable the engine's measurement of the joint force."""
        joint = self.joint
        if joint is not None and not joint.feedback:
            joint.feedback = True

    def why_no_feedback(self) -> str:
        """Return why the force reads 0, or "" if it can be measured."""
        node = self.joint_node
        plan = self._physics.handles.joint_plans.get(node) if node is not None else None
        if plan is None:
            return "it does not drive a joint between two solids"
        ends = {"the solid that holds the joint": plan.parent, "the end point of the joint": plan.child}
        missing = [what for what, solid in ends.items() if solid is None or not solid.has_physics]
        return f"{' and '.join(missing)} must have a Physics node" if missing else ""

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return the force or torque of the last step."""
        return (0.0 if self.why_no_feedback() else self.engine.feedback,)

    # Energy.

    def measure_power(self) -> None:
        """Measure the force, from which the consumption follows."""
        self.measure_force()

    def consumption(self) -> float:
        """Return the power used in the last step (W)."""
        propeller = self._physics.handles.propellers.get(self.joint_node) if self.joint_node else None
        if propeller is not None:
            used = abs(propeller.thrust) + abs(propeller.torque)
        else:
            self.measure_force()
            used = abs(self.engine.feedback)
        return used * number(self.node, "consumptionFactor", 10.0)

    def set_power(self, on: bool) -> None:
        """React to an empty battery (False) or to restored energy (True)."""
        motor = self.engine
        motor.set_available_force(motor.max_force if on else 0.0)
        if not on:
            motor.stop()

    # The state of a simulation.

    def save_more(self) -> bytes | None:
        """The commands to a motor that drives nothing; the engine keeps those of the others."""
        return None if self.is_attached else self.engine.state()

    def load_more(self, state: bytes | None) -> None:
        """See `save_more`."""
        if state is not None and not self.is_attached:
            self.engine.restore(state)
        if self.sampling.period:
            self.measure_force()

    # The phases of a simulation.

    def before_step(self) -> None:
        """Move a joint without an end point."""
        self.idle_position = self.engine.move(self.idle_position, self.simulation.step_s)

    def reset(self) -> None:
        """Restore the initial commands and the position of a joint without an end point."""
        super().reset()
        self.idle_position = self._start
        self._structure = -1
        if not self.is_attached:
            self._engine = self._idle_motor()
        if self.sampling.period:
            self.measure_force()

    def field_changed(self, name: str) -> None:
        """Limits or gains have changed: send the controller all constants, and update coupled motors."""
        self.update_entry()
        if not self.is_attached:
            self._engine = self._idle_motor()
        self.send_constants()
        if name in ("minPosition", "maxPosition"):
            self._take(widened(self.node, self.engine.position if self.is_attached else self.idle_position))
        if name in ("minPosition", "maxPosition", "maxVelocity", "multiplier") and not self._takes:
            for motor in self.group[1:]:
                motor._take(coupled_limits(self.node, motor.node))

    def _take(self, limits: Limits) -> None:
        """Write limits to the fields as a supervisor would; coupled motors do not follow."""
        before, self._takes = self._takes, True
        for name, value in limits.items():
            if not isclose(number(self.node, name), value, abs_tol=1e-12):
                self.simulation.set_field(self.node, name, value)
        self._takes = before
