"""Draws a five-pointed star with a pen, and shows on a display what it draws.

The robot knows where it is from the encoders of its wheels. It lifts the pen while it turns.
"""

from math import atan2, cos, hypot, pi, sin

from controller import Robot

RADIUS = 0.02  # of a wheel (m)
AXLE = 0.0569  # between the outer edges of the wheels, on which it turns (m)
STAR = 0.3  # from the center of the star to its points (m)
CRUISE = 5.0  # rad/s of the wheels
STEER = 12.0  # rad/s per rad of heading error
NEAR = 0.002  # m
BLUE = 0x1F4FBF
BACKGROUND, PAPER, PROGRESS = 0x10141C, 0xF4F1E8, 0x58C47A

robot = Robot()
step = int(robot.getBasicTimeStep())
wheels = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
encoders = [robot.getDevice(f"{side} wheel sensor") for side in ("left", "right")]
pen = robot.getDevice("pen")
display = robot.getDevice("display")
for wheel, encoder in zip(wheels, encoders):
    wheel.setPosition(float("inf"))
    wheel.setVelocity(0.0)
    encoder.enable(step)
pen.setInkColor(BLUE, 0.9)

width, height = display.getWidth(), display.getHeight()
SCALE = 0.4 * (height - 14) / STAR
# Each point is joined with the second next one.
corners = [(STAR * cos(0.8 * pi * k), STAR * sin(0.8 * pi * k)) for k in range(6)]


def show(text, share):
    """Write a line of text and a bar that is full when the star is finished."""
    display.setColor(BACKGROUND)
    display.fillRectangle(0, 0, width, 12)
    display.setColor(PAPER)
    display.drawText(text, 2, 2)
    display.setColor(PROGRESS)
    display.fillRectangle(0, 12, 1 + int(share * (width - 1)), 2)


def pixel(x, y):
    """Return where a place on the floor is on the display: x ahead is up, y is to the left."""
    return int(width / 2 - SCALE * y), int((height + 14) / 2 - SCALE * x)


def drive(forward, turn):
    """Set the speeds of the wheels (rad/s)."""
    for wheel, speed in zip(wheels, (forward - turn, forward + turn)):
        wheel.setVelocity(max(-6.28, min(speed, 6.28)))


display.setColor(PAPER)
display.fillRectangle(0, 0, width, height)
robot.step(step)
x, y, heading = STAR, 0.0, 0.0
before = [encoder.getValue() for encoder in encoders]
edge, is_turning = 0, True
while edge < 5 and robot.step(step) != -1:
    now = [encoder.getValue() for encoder in encoders]
    left, right = (RADIUS * (a - b) for a, b in zip(now, before))
    before = now
    old = pixel(x, y)
    middle = heading + (right - left) / AXLE / 2
    x, y = x + (left + right) / 2 * cos(middle), y + (left + right) / 2 * sin(middle)
    heading += (right - left) / AXLE
    if not is_turning:
        display.setColor(BLUE)
        display.drawLine(*old, *pixel(x, y))

    goal = corners[edge + 1]
    far = hypot(goal[0] - x, goal[1] - y)
    error = atan2(goal[1] - y, goal[0] - x) - heading
    error = atan2(sin(error), cos(error))
    if is_turning and abs(error) < 0.01:
        is_turning = False
        pen.write(True)
    if is_turning:
        drive(0.0, max(-1.5, min(STEER * error, 1.5)))
    elif far > NEAR and abs(error) < 1.0:
        drive(min(CRUISE, 0.3 + 60 * far), STEER * error if far > 0.01 else 0.0)
    else:
        drive(0.0, 0.0)
        pen.write(False)
        edge, is_turning = edge + 1, True
    length = hypot(corners[1][0] - corners[0][0], corners[1][1] - corners[0][1])
    done = 1 - min(far / length, 1) if not is_turning else 0.0
    show(f"edge {min(edge + 1, 5)} of 5", min((edge + done) / 5, 1))

drive(0.0, 0.0)
show("finished", 1.0)
print(f"drew a star in {robot.getTime():.1f} s")
robot.step(step)
