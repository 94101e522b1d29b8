"""A controller that uses every device in plain Webots style and prints what it reads, one JSON line per step.

It runs with the official library and with this project's, so it may only use what both offer.
"""

import json
import math
import sys

from controller import Node, Supervisor

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 200
SCALARS = (
    "left encoder",
    "right encoder",
    "lift position",
    "generic",
    "sonar",
    "laser",
    "infra-red",
    "light",
)
SCALARS += ("bumper", "altimeter")
VECTORS = ("gps", "gyro", "accelerometer", "compass", "force")


def three(values):
    """The first three of some values."""
    return [values[i] for i in range(3)]


KINDS = {value: name for name, value in vars(Node).items() if isinstance(value, int) and name.isupper()}
"""Node types by the numbers that the library gives them."""

robot = Supervisor()
step = int(robot.getBasicTimeStep())
left, right, lift = (robot.getDevice(name) for name in ("left motor", "right motor", "lift"))
for motor in (left, right):
    motor.setPosition(math.inf)
    motor.setVelocity(0)
    motor.enableTorqueFeedback(step)
lift.force_feedback_sampling_period = 2 * step
scalars = {name: robot.getDevice(name) for name in SCALARS}
vectors = {name: robot.getDevice(name) for name in VECTORS}
imu, radar, led = (robot.getDevice(name) for name in ("inertial unit", "radar", "led"))
emitter, receiver = robot.getDevice("emitter"), robot.getDevice("receiver")
for number, device in enumerate((*scalars.values(), *vectors.values(), imu, radar, receiver)):
    device.enable(step * (1 + number % 3))
robot.batterySensorEnable(step)

print(
    json.dumps(
        {
            "time step": robot.getBasicTimeStep(),
            "devices": [robot.getDeviceByIndex(i).getName() for i in range(robot.getNumberOfDevices())],
            "types": [
                KINDS[robot.getDeviceByIndex(i).getNodeType()] for i in range(robot.getNumberOfDevices())
            ],
            "limits": [m.getMaxVelocity() for m in (left, right, lift)],
            "bounds": [left.getMaxTorque(), lift.getMaxPosition()],
            "tables": {name: scalars[name].getLookupTable() for name in ("generic", "infra-red", "light")},
            "data": robot.getCustomData(),
        }
    )
)

ball = robot.getFromDef("BALL")
place = ball.getField("translation")
for count in range(STEPS):
    if robot.step(step) == -1:
        break
    left.setVelocity(4 * math.sin(count / 20))
    right.setVelocity(4 * math.sin(count / 25))
    lift.setPosition(0.05 + 0.04 * math.sin(count / 15))
    led.set(count % 3)
    emitter.send(b"step %d" % count)
    if count == 60:
        place.setSFVec3f([0.1, 0.5, 0.4])
    if count == 80:
        ball.addForce([0.0, 0.3, 0.0], False)
    if count == 90:
        left.setAvailableTorque(0.3)
        robot.setCustomData("ninety")
    row = {
        "time": robot.getTime(),
        "scalars": {name: device.getValue() for name, device in scalars.items()},
        # Before the first sample Webots' library gives what was in its memory; its vectors may lack an end.
        "vectors": {name: three(device.getValues()) for name, device in vectors.items()} if count > 4 else {},
        "angles": list(imu.getRollPitchYaw()) if count > 4 else [],
        "quaternion": list(imu.getQuaternion()) if count > 4 else [],
        "speed": vectors["gps"].getSpeed(),
        "torques": [left.getTorqueFeedback(), right.getTorqueFeedback(), lift.getForceFeedback()],
        "battery": robot.batterySensorGetValue(),
        "targets": [[t.distance, t.speed, t.azimuth] for t in radar.getTargets()],
        "queue": receiver.getQueueLength(),
        "ball": list(ball.getPosition()),
        "field": list(place.getSFVec3f()),
        "velocity": list(ball.getVelocity()),
        "data": robot.getCustomData(),
    }
    print(json.dumps(row))
