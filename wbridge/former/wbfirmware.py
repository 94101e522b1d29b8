"""The former name of `wbridge.wbfirmware`."""

from wbridge.forwarding import forward

forward(__name__)
