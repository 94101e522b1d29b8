"""The messages of a rotational or linear motor in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "set_position", "position:f64"),
        Message(2, "set_velocity", "velocity:f64"),
        Message(3, "set_available_force", "force:f64"),
        Message(4, "set_force", "force:f64"),
        Message(5, "enable_feedback", "period:u16"),
        Message(6, "set_acceleration", "acceleration:f64"),
        Message(7, "set_control_pid", "p:f64 i:f64 d:f64"),
        Message(8, "get_sibling", "node_type:u16"),
    ),
    messages=(
        Message(
            0,
            "constants",
            "type:i32 min_position:f64 max_position:f64 max_velocity:f64 acceleration:f64 max_force:f64 "
            "p:f64 i:f64 d:f64 position:f64 velocity:f64 multiplier:f64 couplings:u16[]",
        ),
        Message(5, "feedback", "force:f64"),
        Message(8, "sibling", "tag:u16"),
    ),
    wide=True,
)
