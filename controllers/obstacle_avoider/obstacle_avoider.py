"""Explores an arena with an e-puck: drives until an obstacle is near, then turns away from it."""

from controller import Robot

SPEED, TURN = 4.0, 2.5  # rad/s of the wheels
NEAR = 90  # readings are higher if an obstacle is nearer than 6 cm
# Front sensors from left to right.
LEFT, RIGHT = ("ps6", "ps7"), ("ps0", "ps1")

robot = Robot()
step = int(robot.getBasicTimeStep())
left, right = (robot.getDevice(f"{side} wheel motor") for side in ("left", "right"))
for motor in (left, right):
    motor.setPosition(float("inf"))
    motor.setVelocity(0)
sensors = {name: robot.getDevice(name) for name in (*LEFT, *RIGHT)}
for sensor in sensors.values():
    sensor.enable(step)
led = robot.getDevice("led0")

turn = 0  # 1: to the left, -1: to the right
while robot.step(step) != -1:
    on_left, on_right = (max(sensors[name].getValue() for name in names) for names in (LEFT, RIGHT))
    if max(on_left, on_right) < NEAR:
        turn = 0
    elif turn == 0:  # choose the side only once, to avoid getting stuck in a corner
        turn = 1 if on_right > on_left else -1
    led.set(int(turn != 0))
    left.setVelocity(SPEED if turn == 0 else -turn * TURN)
    right.setVelocity(SPEED if turn == 0 else turn * TURN)
