"""Drives in a square and sends its wheel speeds by radio."""

import struct
from math import pi

from controller import Robot

RADIUS, AXLE = 0.02, 0.057  # m: wheel radius, distance between the wheels
LENGTH = 0.2  # m, side of the square
FAST, SLOW = 5.0, 2.0  # rad/s
# Duration (s) and wheel speeds (rad/s) for a side of the square and for a quarter turn.
SIDE = (LENGTH / (FAST * RADIUS), FAST, FAST)
TURN = (pi / 2 * AXLE / (2 * SLOW * RADIUS), SLOW, -SLOW)
PLAN = [SIDE, TURN] * 4
STOP = (0.0, 0.0)

robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
emitter = robot.getDevice("emitter")


def drive(left, right):
    """Set and send the wheel speeds."""
    for motor, speed in zip(motors, (left, right)):
        motor.setVelocity(speed)
    emitter.send(struct.pack("dd", left, right))


for motor in motors:
    motor.setPosition(float("inf"))
sent = 0
for duration, left, right in PLAN:
    end = robot.getTime() + duration
    while robot.getTime() < end:
        drive(left, right)
        sent += 1
        robot.step(step)
drive(*STOP)
robot.step(step)
print(f"sent {sent + 1} messages")
