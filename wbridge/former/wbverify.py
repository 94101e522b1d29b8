"""The former name of `wbridge.wbverify`."""

from wbridge.forwarding import forward

forward(__name__)
