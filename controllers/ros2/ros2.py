"""Connects a robot with ROS 2: sensors and actuators as topics and services, the time as /clock.

    source /opt/ros/jazzy/setup.bash
    wbridge run my_world.wbt --controller e-puck=ros2 --mode realtime

controllerArgs: the sampling period in ms (default: the basic time step). docs/ros2.md lists the topics.
"""

import sys

from wbridge.hal.controller import Robot
from wbridge.ros.bridge import RosBridge, ros_name
from wbridge.ros.node import RclpyNode, RosMissing


def main() -> None:
    """Bridge the robot until the simulation ends."""
    robot = Robot()
    period = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    try:
        node = RclpyNode(ros_name(robot.getName()))
    except RosMissing as problem:
        sys.exit(f"ros2: {problem}")
    RosBridge(robot, node, period).run()


main()
