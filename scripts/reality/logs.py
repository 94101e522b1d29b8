"""The recordings of the double pendulum as logs, for `wbridge calibrate` and `wbridge compare`.

    python -m scripts.reality.logs RECORDINGS FOLDER

writes a world with the pendulum and two logs, as `wbridge remote --record` would have written them: the
measured torques are the commands, the measured angles the readings. Both begin with the pendulum at rest.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scripts.reality.arms import COMPACT, DOUBLE
from scripts.reality.swings import STEP, double_pendulum_files
from scripts.reality.tosses import Values
from wbridge.wbcore.recordings.device_log import DeviceLog
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.simulation import Simulation

JOINT = """HingeJoint {{
      jointParameters DEF JOINT{number} HingeJointParameters {{
        axis 0 1 0 anchor 0 0 {anchor} dampingConstant 0.001 staticFriction 0.09
      }}
      device [
        RotationalMotor {{ name "motor {number}" maxVelocity 100 maxTorque 10 }}
        PositionSensor {{ name "angle {number}" }}
      ]
      endPoint DEF LINK{number} Solid {{
        name "link {number}"
        translation 0 0 {anchor}
        physics Physics {{
          density -1 mass {mass} centerOfMass [ 0 0 {center} ]
          inertiaMatrix [ {compact} {inertia} {compact}, 0 0 0 ]
        }}
        boundingObject Sphere {{ radius 0.01 }}
        children [ {inner} ]
      }}
    }}"""
WORLD = """#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep {step_ms:g} }}
Viewpoint {{ }}
Robot {{
  name "double pendulum"
  translation 0 0 1
  controller "<none>"
  children [
    {inner}
  ]
}}
"""


def world_text() -> str:
    """Return the world: links hang down, and are as in `arms.DOUBLE`."""
    inner = ""
    for number in reversed(range(len(DOUBLE.links))):
        link = DOUBLE.links[number]
        inner = JOINT.format(
            number=number + 1,
            anchor=-DOUBLE.links[number - 1].length if number else 0,
            mass=link.mass,
            center=-link.center,
            compact=COMPACT,
            inertia=COMPACT + link.rotor,
            inner=inner,
        )
    return WORLD.format(step_ms=STEP * 1000, inner=inner)


def read_motion(file: Path) -> tuple[Values, Values]:
    """Return torques (N m) and angles (rad) of a recording, both (n, 2), at times STEP apart.

    Raises:
        OSError, KeyError, ValueError: the file cannot be read.
    """
    with file.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    times = [float(row["time"]) for row in rows]
    at = np.arange(times[0], times[-1], STEP)

    def sampled(kind: str) -> Values:
        columns = [np.interp(at, times, [float(row[f"{kind}{joint}"]) for row in rows]) for joint in (1, 2)]
        return np.stack(columns, axis=1)

    return sampled("tau_meas"), sampled("pos_meas")


def write_log(file: Path, world: Path, log: Path) -> None:
    """Write a recording as a log.

    Raises:
        McapMissing: the package is not installed.
        OSError, KeyError, ValueError: a file cannot be read or written.
    """
    with Simulation(world) as simulation:
        table = simulation.robots.list[0].table
    tags = [[one.tag for one in table.devices if one.name.startswith(kind)] for kind in ("motor", "angle")]
    written = DeviceLog(log, world, STEP * 1000, [table])
    for number, step in enumerate(_steps(*read_motion(file), *tags)):
        written.add_step(table.name, (number + 1) * STEP, step)
    written.close()


def _steps(torques: Values, angles: Values, motors: list[int], sensors: list[int]) -> Iterator[RealStep]:
    """Each step begins with its torques, and ends with the angles of the next row."""
    periods = [(tag, "wb_position_sensor_enable", round(STEP * 1000)) for tag in sensors]
    for given, angle in zip(torques[:-1].tolist(), angles[1:].tolist(), strict=True):
        commands = [(tag, "force", value) for tag, value in zip(motors, given, strict=True)]
        readings = [(tag, "position", value) for tag, value in zip(sensors, angle, strict=True)]
        yield RealStep(STEP * 1000, periods, commands, readings)
        periods = []


def main(arguments: list[str] | None = None) -> int:
    """Write the world and a log of each recording into a folder."""
    parser = argparse.ArgumentParser(description="write recordings of a double pendulum as logs")
    parser.add_argument("recordings", type=Path, help="folder with the files of double_pendulum")
    parser.add_argument("folder", type=Path, help="for pendulum.wbt, half_1.mcap and half_2.mcap")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    world = options.folder / "pendulum.wbt"
    world.write_text(world_text(), encoding="utf-8")
    for number, file in enumerate(double_pendulum_files(options.recordings)):
        write_log(file, world, options.folder / f"half_{number + 1}.mcap")
    return 0


if __name__ == "__main__":
    sys.exit(main())
