"""The former name of `wbridge.wbfleet`."""

from wbridge.forwarding import forward

forward(__name__)
