"""Moves the tool of a UR5e along a rectangle above the floor by inverse kinematics; a GPS measures the error.

The tool points down. The angles follow from the lengths that the maker publishes.
"""

from math import acos, asin, atan2, cos, dist, hypot, pi, sin

from controller import Robot

JOINTS = ["shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3"]
D1, A2, A3, D4, D5, D6 = 0.1625, 0.425, 0.3922, 0.1333, 0.0997, 0.0996  # m
CORNERS = [(0.4, -0.2, 0.3), (0.6, -0.2, 0.3), (0.6, 0.2, 0.3), (0.4, 0.2, 0.3), (0.4, -0.2, 0.3)]
TOLERANCE = 0.002  # rad


def angles(x, y, z):
    """Angles (rad) of the joints that bring the tool to a point (m), pointing down."""
    # The tool lies beside the plane of the arm, by D4.
    pan = atan2(y, x) - asin(D4 / hypot(x, y))
    # Wrist 1 in that plane: outward from the shoulder, and above it.
    outward, upward = x * cos(pan) + y * sin(pan) - D5, z + D6 - D1
    square = outward**2 + upward**2
    elbow = acos((square - A2**2 - A3**2) / (2 * A2 * A3))
    lift = -atan2(upward, outward) - atan2(A3 * sin(elbow), A2 + A3 * cos(elbow))
    return pan, lift, elbow, -pi / 2 - lift - elbow, -pi / 2, 0.0


robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{name}_joint") for name in JOINTS]
sensors = [robot.getDevice(f"{name}_joint_sensor") for name in JOINTS]
tool = robot.getDevice("tool")
for device in [*sensors, tool]:
    device.enable(step)
for motor in motors:
    motor.setVelocity(1.0)

for corner in CORNERS:
    targets = angles(*corner)
    for motor, target in zip(motors, targets):
        motor.setPosition(target)
    while robot.step(step) != -1:
        if all(abs(one.getValue() - target) < TOLERANCE for one, target in zip(sensors, targets)):
            break
    error = 1000 * dist(tool.getValues(), corner)
    print(f"{robot.getTime():6.2f} s: reached {corner}, error {error:.1f} mm")
