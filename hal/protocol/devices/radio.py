"""The messages of a Radio in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "enable", "period:u16"),
        Message(2, "send", "destination:bytes32 body:bytes32 delay:f64"),
        Message(3, "set_address", "address:bytes32"),
        Message(4, "set_frequency", "frequency:f64"),
        Message(5, "set_channel", "channel:i32"),
        Message(6, "set_bitrate", "bitrate:i32"),
        Message(7, "set_rx_sensitivity", "sensitivity:f64"),
        Message(8, "set_tx_power", "power:f64"),
    ),
    messages=(
        Message(
            0, "constants", "address:str frequency:f64 channel:i32 bitrate:i32 sensitivity:f64 power:f64"
        ),
        Message(1, "packet", "rssi:f64 source:str body:bytes32"),
    ),
)
