"""The former name of `wbridge.robot_windows`."""

from wbridge.forwarding import forward

forward(__name__)
