"""Measures the speed of a ball on a ramp, prints it as JSON, and ends the simulation with a status.

Argument: the distance to measure (m). The status is 0 if the speed is within 2 % of the formula for rolling
without slipping, v = sqrt(10/7 g s sin(angle)), else 1.
"""

import json
import sys
from math import dist, hypot, sin, sqrt

from controller import Supervisor

TOLERANCE, TIMEOUT = 0.02, 10.0  # relative; s

distance = float(sys.argv[1])
supervisor = Supervisor()
step = int(supervisor.getBasicTimeStep())
ball = supervisor.getFromDef("BALL")
slope = sin(supervisor.getFromDef("RAMP").getField("rotation").getSFRotation()[3])
gravity = supervisor.getFromDef("WORLD").getField("gravity").getSFFloat()

start = ball.getPosition()
rolled = 0.0
while rolled < distance and supervisor.getTime() < TIMEOUT:
    if supervisor.step(step) == -1:
        sys.exit("the simulation ended before the ball reached the distance")
    rolled = dist(start, ball.getPosition())

speed = hypot(*ball.getVelocity()[:3])
expected = sqrt(10 / 7 * gravity * rolled * slope)
agrees = rolled >= distance and abs(speed - expected) <= TOLERANCE * expected
result = {
    "distance_m": round(rolled, 4),
    "time_s": round(supervisor.getTime(), 3),
    "speed_m_s": round(speed, 4),
    "expected_m_s": round(expected, 4),
    "agrees": agrees,
}
print(json.dumps(result))
supervisor.simulationQuit(0 if agrees else 1)
while supervisor.step(step) != -1:
    pass
