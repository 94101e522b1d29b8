"""Measures how an e-puck follows the walls: RESULT.translation has its laps, and the share of time at a wall.

The arena is a square; all lengths are in m.
"""

from math import atan2, dist, pi

from controller import Supervisor

HALF_SIDE = 0.4
NEAREST, FARTHEST = 0.03, 0.13  # between a wall and the middle of the robot
LEAST = 1e-5  # way in a step: a robot that stands still follows nothing

judge = Supervisor()
step = int(judge.getBasicTimeStep())
robot = judge.getFromDef("E_PUCK")
result = judge.getFromDef("RESULT").getField("translation")

steps = near = 0
before = robot.getPosition()
turned, last = 0.0, None
while judge.step(step) != -1:
    x, y, _ = now = robot.getPosition()
    is_near = NEAREST < HALF_SIDE - max(abs(x), abs(y)) < FARTHEST and dist(now, before) > LEAST
    before = now
    steps += 1
    near += is_near
    angle = atan2(y, x)
    if last is not None and is_near:
        turned += (angle - last + pi) % (2 * pi) - pi
    last = angle
    result.setSFVec3f([abs(turned) / (2 * pi), near / steps, 0])
