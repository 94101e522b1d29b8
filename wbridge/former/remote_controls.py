"""The former name of `wbridge.remote_controls`."""

from wbridge.forwarding import forward

forward(__name__)
