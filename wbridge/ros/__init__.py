"""A robot as a ROS 2 node: sensors as topics, actuators as topics and services, the time as /clock."""
