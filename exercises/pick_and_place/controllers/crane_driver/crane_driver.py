"""Your part: let the crane carry the blue box to the green plate.

The motors x, y and z move the hook; z is 0 at the top and negative below. The magnet of the hook takes what
it touches after lock(), and lets go after unlock(). All lengths are in m.
"""

from controller import Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{axis} motor") for axis in "xyz"]
sensors = [robot.getDevice(f"{axis} sensor") for axis in "xyz"]
for sensor in sensors:
    sensor.enable(step)
magnet = robot.getDevice("magnet")
magnet.enablePresence(step)


def move_to(x, y, z):
    """Move the hook; return when it is there."""
    wanted = (x, y, z)
    for motor, position in zip(motors, wanted, strict=True):
        motor.setPosition(position)
    while robot.step(step) != -1:
        pairs = zip(sensors, wanted, strict=True)
        if all(abs(sensor.getValue() - position) < 1e-3 for sensor, position in pairs):
            return


# Moves above the box. What comes next? magnet.getPresence() is 1 when it can take the box.
move_to(-0.3, -0.15, 0)
while robot.step(step) != -1:
    pass
