"""A program of ROS 2 that talks to a bridged robot; the Python of ROS runs it. It prints what it saw as JSON.

It waits for events only: topics of the robot, messages, and simulated time.
"""

import json
import time

import rclpy
from geometry_msgs.msg import PointStamped
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, Image, Imu, JointState, LaserScan, Range
from std_msgs.msg import Float64, Int32, String
from std_srvs.srv import SetBool

BASE = "/my_robot"
TOPICS = {
    "/clock": Clock,
    f"{BASE}/acc": Imu,
    f"{BASE}/angle": Float64,
    f"{BASE}/camera": Image,
    f"{BASE}/camera/camera_info": CameraInfo,
    f"{BASE}/gps": PointStamped,
    f"{BASE}/imu": Imu,
    f"{BASE}/joint_states": JointState,
    f"{BASE}/lidar": LaserScan,
    f"{BASE}/receiver": String,
    f"{BASE}/_1st_sensor": Range,
}
MOST_S = 60.0
"""Longest wait for an event."""


class Peer:
    """A node with all topics of the robot."""

    def __init__(self):
        rclpy.init()
        self.node = rclpy.create_node("peer")
        self.last, self.counts = {}, dict.fromkeys(TOPICS, 0)
        for topic, kind in TOPICS.items():
            self.node.create_subscription(kind, topic, lambda message, at=topic: self._keep(at, message), 10)

    def _keep(self, topic, message):
        self.last[topic] = message
        self.counts[topic] += 1

    def wait(self, is_done, what):
        """Handle messages until a condition holds."""
        end = time.monotonic() + MOST_S
        while not is_done():
            if time.monotonic() > end:
                raise SystemExit(f"no {what} within {MOST_S} s; messages: {self.counts}")
            rclpy.spin_once(self.node, timeout_sec=0.05)

    def now(self):
        """Return the simulated time in s; 0 before the first message."""
        clock = self.last.get("/clock")
        return clock.clock.sec + clock.clock.nanosec / 1e9 if clock else 0.0

    def let_pass(self, seconds):
        """Wait for simulated time."""
        end = self.now() + seconds
        self.wait(lambda: self.now() >= end, "clock")

    def command(self, topic, kind, data):
        """Publish once, as soon as the robot listens."""
        publisher = self.node.create_publisher(kind, f"{BASE}/{topic}", 10)
        self.wait(lambda: publisher.get_subscription_count() > 0, topic)
        publisher.publish(kind(data=data))

    def switch(self, name, on):
        """Call a service; return whether it succeeded."""
        client = self.node.create_client(SetBool, f"{BASE}/{name}")
        self.wait(lambda: client.service_is_ready(), name)
        answer = client.call_async(SetBool.Request(data=on))
        self.wait(answer.done, f"answer of {name}")
        return answer.result().success


def joint(peer):
    """Return name, position (rad) and time (s) of the last joint state."""
    state = peer.last[f"{BASE}/joint_states"]
    return state.name[0], state.position[0], state.header.stamp.sec + state.header.stamp.nanosec / 1e9


def main():
    """Command the robot, and print what it did."""
    peer = Peer()
    expected = [topic for topic in TOPICS if topic != f"{BASE}/receiver"]
    peer.wait(lambda: all(topic in peer.last for topic in expected), "message of every topic")
    seen = {}
    peer.command("motor/set_position", Float64, float("inf"))
    peer.command("motor/set_velocity", Float64, 2.0)
    peer.command("led/set", Int32, 2)
    peer.command("emitter/send", String, "hello")
    peer.wait(lambda: f"{BASE}/receiver" in peer.last, "packet")
    start = joint(peer)
    peer.wait(lambda: joint(peer)[2] >= start[2] + 1, "joint state")
    seen["joints"] = [start, joint(peer)]
    seen["switched"] = [peer.switch("gps/enable", False), peer.switch("pen/write", True)]
    peer.let_pass(0.5)
    before = peer.counts[f"{BASE}/gps"]
    peer.let_pass(0.5)
    seen["positions_while_disabled"] = peer.counts[f"{BASE}/gps"] - before
    seen["switched"].append(peer.switch("gps/enable", True))
    peer.wait(lambda: peer.counts[f"{BASE}/gps"] > before, "position after enabling")
    point, quaternion = peer.last[f"{BASE}/gps"].point, peer.last[f"{BASE}/imu"].orientation
    seen["point"] = [point.x, point.y, point.z]
    seen["quaternion"] = [quaternion.x, quaternion.y, quaternion.z, quaternion.w]
    scan, image = peer.last[f"{BASE}/lidar"], peer.last[f"{BASE}/camera"]
    seen["scan"] = [scan.angle_min, scan.angle_max, scan.angle_increment, list(scan.ranges)]
    seen["image"] = [image.encoding, image.width, image.height, image.step, len(image.data)]
    seen["focal_length"] = float(peer.last[f"{BASE}/camera/camera_info"].k[0])
    seen["not_measured"] = float(peer.last[f"{BASE}/acc"].angular_velocity_covariance[0])
    seen["range"] = [
        peer.last[f"{BASE}/_1st_sensor"].radiation_type,
        peer.last[f"{BASE}/_1st_sensor"].field_of_view,
    ]
    seen["packet"] = peer.last[f"{BASE}/receiver"].data
    print(json.dumps(seen), flush=True)
    rclpy.shutdown()


main()
