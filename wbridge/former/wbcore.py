"""The former name of `wbridge.wbcore`."""

from wbridge.forwarding import forward

forward(__name__)
