"""Waves, walks and turns with the motions in motions/, and prints what the force sensors and the GPS say.

Arguments: names of other motions to play, one after the other.
"""

import sys

from controller import Motion, Robot

MOTIONS = sys.argv[1:] or ["HandWave", "Forwards50", "TurnLeft60", "Forwards50"]

robot = Robot()
step = int(robot.getBasicTimeStep())
gps = robot.getDevice("gps")
gps.enable(step)
feet = [robot.getDevice(name) for name in ("LFsr", "RFsr")]
for foot in feet:
    foot.enable(step)


def wait(seconds):
    """Let the motors reach their targets."""
    end = robot.getTime() + seconds
    while robot.getTime() < end and robot.step(step) != -1:
        pass


def play(name):
    """Play a motion to its end, and print where the robot is then and what its feet carry."""
    motion = Motion(f"../../motions/{name}.motion")
    motion.play()
    while not motion.isOver() and robot.step(step) != -1:
        pass
    wait(1)
    x, y, z = gps.getValues()
    load = sum(foot.getValues()[2] for foot in feet)
    print(
        f"{name}: at {x:.2f} {y:.2f} m, {z:.2f} m above the ground, {load / 9.81:.1f} kg on the feet",
        flush=True,
    )


for side, sign in (("L", 1), ("R", -1)):  # the arms hang
    robot.getDevice(f"{side}ShoulderPitch").setPosition(1.5)
    robot.getDevice(f"{side}ShoulderRoll").setPosition(0.15 * sign)
    robot.getDevice(f"{side}ElbowRoll").setPosition(-0.5 * sign)
wait(1)
for name in MOTIONS:
    play(name)
