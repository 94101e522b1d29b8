"""Serves the robot until it is stopped."""

import argparse
import signal
import sys

from tests.hal.fake_simulator.scene import Simulator
from tests.hal.fake_simulator.server import Server


def main(simulator=Simulator):
    p = argparse.ArgumentParser(description="serve one robot to the official Webots controller library")
    p.add_argument("--dialect", default="R2025a", choices=("R2025a", "R2023b", "R2023a"))
    p.add_argument("--port", type=int, default=1234, help="TCP port and number of the instance folder")
    p.add_argument("--robot", default="robot")
    p.add_argument("--time-step", type=float, default=32.0)
    p.add_argument("--max-steps", type=int, default=0, help="end the controller after so many steps")
    p.add_argument("--once", action="store_true", help="leave after the first controller")
    a = p.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the folder is removed
    server = Server(simulator(a.dialect, a.robot, a.time_step), a.port, a.max_steps)
    try:
        server.run(a.once)
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


if __name__ == "__main__":
    main()
