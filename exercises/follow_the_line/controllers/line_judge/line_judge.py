"""Measures how an e-puck follows the line: RESULT.translation has its laps and the share of time on the line.

The line consists of two straight parts and two half circles; all lengths are in m.
"""

from math import atan2, copysign, hypot, pi

from controller import Supervisor

HALF_LENGTH = 0.3  # of the straight parts
RADIUS = 0.25
NEAR = 0.03

judge = Supervisor()
step = int(judge.getBasicTimeStep())
robot = judge.getFromDef("E_PUCK")
result = judge.getFromDef("RESULT").getField("translation")


def distance(x, y):
    """Return the distance of a point from the line."""
    beyond = max(abs(x) - HALF_LENGTH, 0)
    return abs(hypot(copysign(beyond, x), y) - RADIUS)


steps = near = 0
turned, last = 0.0, None
while judge.step(step) != -1:
    x, y, _ = robot.getPosition()
    is_near = distance(x, y) < NEAR
    steps += 1
    near += is_near
    angle = atan2(y, x)
    if last is not None and is_near:
        turned += (angle - last + pi) % (2 * pi) - pi
    last = angle
    result.setSFVec3f([abs(turned) / (2 * pi), near / steps, 0])
