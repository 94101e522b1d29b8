"""A Spot lies down, stands up and trots, and prints how far it got.

Feet that are diagonal to each other move together. Each foot goes back on the ground, then forward through
the air; inverse kinematics of the two links of a leg give the angles.
"""

from math import acos, atan2, cos, hypot, pi, sin

from controller import Robot

SPEED, PERIOD, LIFT, HEIGHT = 0.7, 0.5, 0.06, 0.56
# Places of elbow and foot at position 0: ahead and below of the hip, then of the elbow.
ELBOW, FOOT = (-0.182, 0.32), (0.225, 0.2713)
UPPER, LOWER = hypot(*ELBOW), hypot(*FOOT)
LEGS = [f"{end} {side}" for end in ("front", "rear") for side in ("left", "right")]

robot = Robot()
step = int(robot.getBasicTimeStep())
gps = robot.getDevice("gps")
gps.enable(step)
motors = {
    leg: [
        robot.getDevice(f"{leg} {joint} motor")
        for joint in ("shoulder abduction", "shoulder rotation", "elbow")
    ]
    for leg in LEGS
}


def angles(x, z):
    """Return rotation and elbow of a leg whose foot is x ahead of its hip and z below it, in m."""
    length = hypot(x, z)
    bend = pi - acos((UPPER**2 + LOWER**2 - length**2) / (2 * UPPER * LOWER))
    back = acos((UPPER**2 + length**2 - LOWER**2) / (2 * UPPER * length)) - atan2(x, z)
    return atan2(-ELBOW[0], ELBOW[1]) - back, bend - atan2(-ELBOW[0], ELBOW[1]) - atan2(*FOOT)


def move(targets, seconds):
    """Bring all legs evenly to rotation and elbow."""
    start = [motor.getTargetPosition() for motor in motors[LEGS[0]][1:]]
    steps = round(seconds * 1000 / step)
    for index in range(1, steps + 1):
        for leg in LEGS:
            for motor, old, new in zip(motors[leg][1:], start, targets):
                motor.setPosition(old + (new - old) * index / steps)
        robot.step(step)


def trot(seconds):
    """Trot; the speed rises from 0 in the first 1.5 s."""
    begin = robot.getTime()
    while robot.step(step) != -1 and robot.getTime() - begin < seconds:
        time = robot.getTime() - begin
        stride = SPEED * PERIOD / 2 * min(1, time / 1.5)
        for leg in LEGS:
            phase = (time / PERIOD + (0 if leg in ("front left", "rear right") else 0.5)) % 1
            if phase < 0.5:
                x, height = stride * (0.5 - 2 * phase), 0
            else:
                share = pi * (2 * phase - 1)
                x, height = -stride / 2 * cos(share), LIFT * sin(share)
            for motor, target in zip(motors[leg][1:], angles(x + 0.043, HEIGHT - height)):
                motor.setPosition(target)


move((-0.99, 1.59), 2)
print(f"lies, {gps.getValues()[2]:.2f} m high", flush=True)
move((0, 0), 2)
print(f"stands, {gps.getValues()[2]:.2f} m high", flush=True)
move(angles(0.043, HEIGHT), 0.5)
start = gps.getValues()[0]
trot(6)
print(f"trotted {gps.getValues()[0] - start:.1f} m", flush=True)
move(angles(0.043, HEIGHT), 0.5)
