"""Lets an e-puck wander: each of its eight sensors slows or reverses the wheels by weights of its own (a
Braitenberg vehicle). With ground sensors (gs0, gs1, gs2) it turns back where the ground ends or is dark."""

from controller import Robot

FULL = 6.28  # rad/s, the wheels' maximum
CRUISE = FULL / 2
NEAR = 600  # reading of the sensors about 2.5 cm from an obstacle
# By how much each sensor, ps0 (front right) to ps7 (front left), changes the left and the right wheel.
WEIGHTS = [(-1.2, 0.6), (-1, 0.4), (-0.5, 0.5), (0, 0), (0, 0), (0.5, -0.5), (0.4, -1), (0.2, -1.2)]
DARK = 500  # readings of the ground sensors are lower over a dark ground or an edge
BACK_S, TURN_S = 0.2, 0.4

robot = Robot()
step = int(robot.getBasicTimeStep())
names = {robot.getDeviceByIndex(k).getName() for k in range(robot.getNumberOfDevices())}
wheels = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
for wheel in wheels:
    wheel.setPosition(float("inf"))
    wheel.setVelocity(0)
around = [robot.getDevice(f"ps{k}") for k in range(8)]
below = [robot.getDevice(name) for name in ("gs0", "gs1", "gs2") if name in names]
leds = [robot.getDevice(f"led{k}") for k in range(10) if f"led{k}" in names]
for sensor in (*around, *below):
    sensor.enable(step)


def drive(left, right):
    """Set the speeds of the wheels (rad/s), limited to what they can do."""
    for wheel, speed in zip(wheels, (left, right)):
        wheel.setVelocity(max(-FULL, min(FULL, speed)))


retreat_end = turn_end = 0.0
count = 0
while robot.step(step) != -1:
    now = robot.getTime()
    count += 1
    for k, led in enumerate(leds):
        led.set(int(count // 10 % len(leds) == k))
    if now < retreat_end:
        drive(-CRUISE, -CRUISE)
    elif now < turn_end:
        drive(-CRUISE, CRUISE)
    elif below and min(sensor.getValue() for sensor in below) < DARK:
        retreat_end, turn_end = now + BACK_S, now + BACK_S + TURN_S
    else:
        values = [sensor.getValue() / NEAR for sensor in around]
        drive(*(CRUISE + FULL * sum(v * w[side] for v, w in zip(values, WEIGHTS)) for side in (0, 1)))
