"""Drives an e-puck forward, and turns it away from what is near."""

from controller import Robot

SPEED = 3.0  # of the wheels, in rad/s; the e-puck's maximum is 6.28
NEAR = 80.0  # reading of a proximity sensor a few centimeters from an object


def main() -> None:
    """Run until the simulation ends."""
    robot = Robot()
    step = int(robot.getBasicTimeStep())
    left, right = robot.getDevice("left wheel motor"), robot.getDevice("right wheel motor")
    for motor in (left, right):
        motor.setPosition(float("inf"))  # control the velocity, not the position
        motor.setVelocity(0.0)
    sensors = [robot.getDevice(f"ps{number}") for number in (0, 1, 6, 7)]  # the four in front
    for sensor in sensors:
        sensor.enable(step)

    while robot.step(step) != -1:
        is_near = max(sensor.getValue() for sensor in sensors) > NEAR
        left.setVelocity(SPEED)
        right.setVelocity(-SPEED if is_near else SPEED)


if __name__ == "__main__":
    main()
