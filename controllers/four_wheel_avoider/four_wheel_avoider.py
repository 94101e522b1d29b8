"""Explores an arena with a robot of hobby parts, using an ultrasonic sensor and three infra-red sensors.

The readings of the infra-red sensors decrease again below 6 cm. The robot turns early enough to avoid that.
"""

from controller import Robot

SPEED, TURN = 6.0, 6.0  # rad/s of the wheels
FAR, NEAR = 45, 30  # cm ahead, by ultrasound: keep turning below FAR, start turning below NEAR
IR = 200  # infra-red readings are higher if an obstacle is nearer than 28 cm
WHEELS = {"left": ("front left", "rear left"), "right": ("front right", "rear right")}

robot = Robot()
step = int(robot.getBasicTimeStep())
motors = {side: [robot.getDevice(f"{name} motor") for name in names] for side, names in WHEELS.items()}
for motor in motors["left"] + motors["right"]:
    motor.setPosition(float("inf"))
    motor.setVelocity(0)
ultrasonic = robot.getDevice("ultrasonic")
infrared = [robot.getDevice(f"ir {place}") for place in ("left", "center", "right")]
for sensor in [ultrasonic] + infrared:
    sensor.enable(step)
red, green = robot.getDevice("red led"), robot.getDevice("green led")


def drive(left, right):
    """Set the wheel speeds of both sides."""
    for side, speed in (("left", left), ("right", right)):
        for motor in motors[side]:
            motor.setVelocity(speed)


turn = 0  # 1: to the left, -1: to the right
while robot.step(step) != -1:
    ahead = ultrasonic.getValue()
    on_left, center, on_right = (sensor.getValue() for sensor in infrared)
    limit = NEAR if turn == 0 else FAR  # hysteresis: turn until the way is clear
    if ahead > limit and max(on_left, center, on_right) < IR:
        turn = 0
    elif turn == 0:
        turn = 1 if on_right > on_left else -1
    red.set(int(turn != 0))
    green.set(int(turn == 0))
    if turn == 0:
        drive(SPEED, SPEED)
    else:
        drive(-turn * TURN, turn * TURN)
