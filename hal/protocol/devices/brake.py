"""The messages of a Brake in the controller protocol.

One byte of flags defines what follows: 2 a damping constant, 4 the node type of a sibling, 6 both.
"""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(2, "set_damping_constant", "damping:f64"),
        Message(4, "get_sibling", "node_type:u16"),
        Message(6, "set_damping_constant_and_get_sibling", "damping:f64 node_type:u16"),
    ),
    messages=(Message(0, "constants", "type:i32"), Message(4, "sibling", "tag:u16")),
)
