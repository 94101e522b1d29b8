"""Moves the arm's tip to a sequence of points by inverse kinematics; a GPS measures the error."""

from math import acos, atan2, cos, dist, hypot, sin

from controller import Robot

SHOULDER_HEIGHT, UPPER_ARM, FOREARM = 0.2, 0.3, 0.25  # m
POINTS = [(0.4, 0.0, 0.3), (0.2, 0.3, 0.15), (-0.25, 0.25, 0.35), (0.1, -0.3, 0.5), (0.4, 0.0, 0.3)]
JOINTS = ["base", "shoulder", "elbow"]
TOLERANCE = 0.002  # rad


def angles(x, y, z):
    """Angles (rad) of base, shoulder and elbow that move the tip to a point (m)."""
    outward, upward = hypot(x, y), z - SHOULDER_HEIGHT
    square = outward**2 + upward**2
    elbow = -acos((square - UPPER_ARM**2 - FOREARM**2) / (2 * UPPER_ARM * FOREARM))
    shoulder = atan2(upward, outward) - atan2(FOREARM * sin(elbow), UPPER_ARM + FOREARM * cos(elbow))
    return atan2(y, x), shoulder, elbow


robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{name} motor") for name in JOINTS]
sensors = [robot.getDevice(f"{name} sensor") for name in JOINTS]
tip = robot.getDevice("tip")
for device in [*sensors, tip]:
    device.enable(step)

for point in POINTS:
    targets = angles(*point)
    for motor, target in zip(motors, targets):
        motor.setPosition(target)
    while robot.step(step) != -1:
        if all(abs(one.getValue() - target) < TOLERANCE for one, target in zip(sensors, targets)):
            break
    error = 1000 * dist(tip.getValues(), point)
    print(f"{robot.getTime():6.2f} s: reached {point}, error {error:.1f} mm")
