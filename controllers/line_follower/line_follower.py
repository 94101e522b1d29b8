"""Follows a black line with the ground sensors of an e-puck.

The difference between the outer sensors shows on which side the line is; the robot turns toward it in
proportion. If it loses the line, it turns on the spot toward the side where it last saw it.
"""

from controller import Robot

SPEED = 5.0  # rad/s of the wheels on a straight line
TURN = 0.006  # rad/s per unit of the sensors
SEARCH = 1.5  # rad/s
DARK = 500  # readings are lower on black
SMOOTH = 0.5  # weight of the newest reading

robot = Robot()
step = int(robot.getBasicTimeStep())
left, right = (robot.getDevice(f"{side} wheel motor") for side in ("left", "right"))
sensors = [robot.getDevice(f"gs{number}") for number in range(3)]
for motor in (left, right):
    motor.setPosition(float("inf"))
    motor.setVelocity(0)
for sensor in sensors:
    sensor.enable(step)

robot.step(step)
values = [sensor.getValue() for sensor in sensors]
side = 1
while robot.step(step) != -1:
    values = [old + SMOOTH * (one.getValue() - old) for old, one in zip(values, sensors)]
    difference = values[2] - values[0]  # positive: the line is to the left
    if min(values) < DARK:
        side = 1 if difference > 0 else -1
        turn = TURN * difference
        forward = SPEED - min(abs(turn), SPEED / 2)
    else:
        turn, forward = side * SEARCH, 0.0
    left.setVelocity(forward - turn)
    right.setVelocity(forward + turn)
