"""Explores an arena with the robot of worlds/two_wheels.wbt, as two_wheels_avoider.c does: drives until an
obstacle is near, then turns on the spot until the way is clear, and a little longer because a single ray
misses obstacles on the sides. The same file runs in simulation and on a board with MicroPython."""

from controller import Robot

SPEED = 6.0  # rad/s of the wheels
TURN = 3.0  # rad/s
NEAR = 600.0  # readings are higher if a white obstacle is nearer than 32 cm
FREE = 300.0  # readings are lower if no white obstacle is nearer than 56 cm
LONGER = 400  # ms to keep turning when the way is clear

robot = Robot()
step = int(robot.getBasicTimeStep())
left = robot.getDevice("left wheel motor")
right = robot.getDevice("right wheel motor")
front = robot.getDevice("front")
status = robot.getDevice("status")


def drive(left_speed, right_speed):
    left.setVelocity(left_speed)
    right.setVelocity(right_speed)


left.setPosition(float("inf"))
right.setPosition(float("inf"))
front.enable(step)
drive(0.0, 0.0)

turns = 0  # remaining steps to turn
while robot.step(step) != -1:
    near = front.getValue()
    if near > (FREE if turns > 0 else NEAR):
        turns = LONGER // step
    elif turns > 0:
        turns -= 1
    status.set(int(turns > 0))
    if turns > 0:
        drive(-TURN, TURN)
    else:
        drive(SPEED, SPEED)
