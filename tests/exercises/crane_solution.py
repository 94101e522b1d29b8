"""A solution of the exercise "Pick and place"."""

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
    wanted = (x, y, z)
    for motor, position in zip(motors, wanted, strict=True):
        motor.setPosition(position)
    while robot.step(step) != -1:
        pairs = zip(sensors, wanted, strict=True)
        if all(abs(sensor.getValue() - position) < 1e-3 for sensor, position in pairs):
            return


move_to(-0.3, -0.15, 0)
for motor, position in zip(motors, (-0.3, -0.15, -0.26), strict=True):
    motor.setPosition(position)
while robot.step(step) != -1 and magnet.getPresence() != 1:
    pass
magnet.lock()
robot.step(step)
low = sensors[2].getValue()
move_to(-0.3, -0.15, 0)
move_to(0.23, 0.2, 0)
move_to(0.23, 0.2, low + 0.012)
magnet.unlock()
robot.step(step)
move_to(0.23, 0.2, 0)
while robot.step(step) != -1:
    pass
