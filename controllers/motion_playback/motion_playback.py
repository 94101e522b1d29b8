"""Plays a motion file forward, then backward, and prints the range of the arm."""

from controller import Motion, Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
sensor = robot.getDevice("right arm sensor")
sensor.enable(step)

wave = Motion("wave.motion")
print(f"the motion lasts {wave.getDuration() / 1000:.1f} s")


def play():
    """Play the motion and wait until the motors have reached its end; returns the arm's angles (rad)."""
    wave.play()
    angles = []
    while not wave.isOver() and robot.step(step) != -1:
        angles.append(sensor.getValue())
    robot.step(50 * step)
    return [*angles[1:], sensor.getValue()]


forward = play()
print(f"forward: the arm moved up to {max(forward):.2f} rad and back to {forward[-1]:.2f} rad")
wave.setReverse(True)
backward = play()
print(f"backward: the arm moved up to {max(backward):.2f} rad and back to {backward[-1]:.2f} rad")
