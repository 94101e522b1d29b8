"""Your part: let the e-puck follow the line.

Three ground sensors look at the floor: gs0 on the left, gs1 in the middle, gs2 on the right. They show about
900 on the light floor, and less than 500 on the line.
"""

from controller import Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
left = robot.getDevice("left wheel motor")
right = robot.getDevice("right wheel motor")
for motor in (left, right):
    motor.setPosition(float("inf"))
    motor.setVelocity(0)
sensors = [robot.getDevice(f"gs{number}") for number in range(3)]
for sensor in sensors:
    sensor.enable(step)

while robot.step(step) != -1:
    values = [sensor.getValue() for sensor in sensors]
    # Drives straight ahead. What must the wheels do if the line is on the left?
    left.setVelocity(3)
    right.setVelocity(3)
