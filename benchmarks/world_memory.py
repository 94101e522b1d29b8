"""Print the memory (MB) that each further simulation of a world takes in one process.

    python -m benchmarks.world_memory WORLD

All sensors are enabled and 16 steps made in each simulation. The first ones, which load what all share, do
not count.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.simulation import Simulation

FIRST, FURTHER = 10, 40
STEPS = 16


def simulation_of(path: str) -> Simulation:
    """A simulation that has measured with all of its sensors."""
    made = Simulation(path)
    for robot in made.robots:
        for device in robot.devices:
            if isinstance(device, Sensor):
                device.on_enable(round(made.step_s * 1000))
    made.step(STEPS)
    return made


def memory() -> float:
    """The memory of this process in MB, after removing garbage."""
    gc.collect()
    lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def main() -> None:
    """Measure and print."""
    kept = [simulation_of(sys.argv[1]) for _ in range(FIRST)]
    before = memory()
    kept += [simulation_of(sys.argv[1]) for _ in range(FURTHER)]
    print((memory() - before) / FURTHER)


if __name__ == "__main__":
    main()
