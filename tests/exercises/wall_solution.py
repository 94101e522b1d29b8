"""A solution of the exercise "Follow the wall": it turns left at walls ahead, and keeps ps2 at a value."""

from controller import Robot

SPEED, AHEAD, WANTED, FAR = 4.0, 110, 130, 80
robot = Robot()
step = int(robot.getBasicTimeStep())
left = robot.getDevice("left wheel motor")
right = robot.getDevice("right wheel motor")
for motor in (left, right):
    motor.setPosition(float("inf"))
    motor.setVelocity(0)
sensors = [robot.getDevice(f"ps{number}") for number in range(8)]
for sensor in sensors:
    sensor.enable(step)

while robot.step(step) != -1:
    values = [sensor.getValue() for sensor in sensors]
    if max(values[0], values[7], values[1]) > AHEAD:
        turn, forward = 2.0, 0.0
    else:
        error = max(-60.0, min(60.0, values[2] - WANTED))
        turn, forward = 0.012 * error, SPEED
    left.setVelocity(forward - turn)
    right.setVelocity(forward + turn)
