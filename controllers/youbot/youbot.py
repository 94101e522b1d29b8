"""Moves a KUKA youBot by keys: arrows drive it, Page Up and Page Down turn it, + and - close and open the
gripper, Shift with arrows moves the arm, space stops all. With the argument "demo" it grasps first what is in
front of it, and lays it down on its right."""

import sys

from controller import Keyboard, Robot

RADIUS, HALF = 0.05, 0.228 + 0.158  # of the wheels; half of length plus half of width between them (m)
DRIVE, TURN = 0.2, 0.5  # m/s, rad/s
OPEN, CLOSED = 0.025, 0.0
# Angles of the joints arm2, arm3 and arm4 (rad), from the floor in front of the robot up to its plate.
HEIGHTS = [
    (-0.97, -1.55, -0.61),
    (-0.62, -0.98, -1.53),
    (0, -0.77, -1.21),
    (1.57, -2.635, 1.78),
    (0.92, 0.42, 1.78),
]
RESET = 3
SIDES = [-2.95, -1.57, -0.2, 0, 0.2, 1.57, 2.95]  # of the joint arm1 (rad), from right to left
FRONT = 3
FINGERS = "finger::left", "finger::right", "finger1", "finger2"

robot = Robot()
step = int(robot.getBasicTimeStep())
wheels = [robot.getDevice(f"wheel{k}") for k in range(1, 5)]
arm = [robot.getDevice(f"arm{k}") for k in range(1, 6)]
names = {robot.getDeviceByIndex(k).getName() for k in range(robot.getNumberOfDevices())}
# The second pair are the names before R2023b.
fingers = [robot.getDevice(name) for name in FINGERS if name in names]
for wheel in wheels:
    wheel.setPosition(float("inf"))
    wheel.setVelocity(0)


def drive(forward, left, turn):
    """Move with speeds in m/s and rad/s: each mecanum wheel adds what its rollers let pass."""
    signs = (
        (1, 1),
        (-1, -1),
        (-1, 1),
        (1, -1),
    )  # of left and turn: front right, front left, back right, back left
    for wheel, (aside, around) in zip(wheels, signs):
        wheel.setVelocity((forward + aside * left + around * HALF * turn) / RADIUS)


def reach(height, side):
    """Move the arm to a height and a side."""
    arm[0].setPosition(SIDES[side])
    for joint, angle in zip(arm[1:4], HEIGHTS[height]):
        joint.setPosition(angle)


def grip(width):
    """Move the fingers."""
    for finger in fingers:
        finger.setPosition(width)


def wait(seconds):
    """Simulate for some time."""
    end = robot.getTime() + seconds
    while robot.getTime() < end:
        if robot.step(step) == -1:
            sys.exit()


def demo():
    """Grasp, carry to the right, lay down."""
    for height, side, width in (
        (0, FRONT, OPEN),
        (0, FRONT, CLOSED),
        (RESET, FRONT, CLOSED),
        (RESET, 1, CLOSED),
        (0, 1, CLOSED),
        (0, 1, OPEN),
        (RESET, FRONT, OPEN),
    ):
        reach(height, side)
        grip(width)
        wait(3)


height, side = RESET, FRONT
reach(height, side)
grip(OPEN)
wait(2)
if "demo" in sys.argv[1:]:
    demo()
keyboard = robot.getKeyboard()
keyboard.enable(step)
speeds = [0, 0, 0]
pressed = -1
SPEEDS = {
    Keyboard.UP: (0, DRIVE),
    Keyboard.DOWN: (0, -DRIVE),
    Keyboard.LEFT: (1, DRIVE),
    Keyboard.RIGHT: (1, -DRIVE),
    Keyboard.PAGEUP: (2, TURN),
    Keyboard.PAGEDOWN: (2, -TURN),
}
while robot.step(step) != -1:
    key = keyboard.getKey()
    if key == pressed:
        continue  # once per press
    pressed = key
    if key in SPEEDS:
        which, change = SPEEDS[key]
        speeds[which] += change
    elif key == ord(" "):
        speeds, height, side = [0, 0, 0], RESET, FRONT
    elif key in (ord("+"), ord("-")):
        grip(CLOSED if key == ord("+") else OPEN)
    elif key in (Keyboard.SHIFT + Keyboard.UP, Keyboard.SHIFT + Keyboard.DOWN):
        height = max(0, min(len(HEIGHTS) - 1, height + (1 if key == Keyboard.SHIFT + Keyboard.UP else -1)))
    elif key in (Keyboard.SHIFT + Keyboard.LEFT, Keyboard.SHIFT + Keyboard.RIGHT):
        side = max(0, min(len(SIDES) - 1, side + (1 if key == Keyboard.SHIFT + Keyboard.LEFT else -1)))
    drive(*speeds)
    reach(height, side)
