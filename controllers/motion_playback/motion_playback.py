"""Plays a motion file forward, then backward, and prints how far the arm came."""

from controller import Motion, Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
sensor = robot.getDevice("right arm sensor")
sensor.enable(step)

wave = Motion("wave.motion")
print(f"the motion lasts {wave.getDuration() / 1000:.1f} s")


def play():
    """Let the motion run to its end, and the motors reach it; returns the angles (rad) of the arm."""
    wave.play()
    angles = []
    while not wave.isOver() and robot.step(step) != -1:
        angles.append(sensor.getValue())
    robot.step(50 * step)
    return [*angles[1:], sensor.getValue()]


forward = play()
print(f"forward: the arm went up to {max(forward):.2f} rad and came back to {forward[-1]:.2f} rad")
wave.setReverse(True)
backward = play()
print(f"backward: the arm went up to {max(backward):.2f} rad and came back to {backward[-1]:.2f} rad")
