"""The former name of `wbridge.hal`."""

from wbridge.forwarding import forward

forward(__name__)
