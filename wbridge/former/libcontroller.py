"""The former name of `wbridge.libcontroller`."""

from wbridge.forwarding import forward

forward(__name__)
