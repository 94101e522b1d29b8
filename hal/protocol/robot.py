"""The messages of the robot (tag 0), except those of the supervisor (see wbridge.hal.protocol.supervisor)."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Message
from wbridge.hal.protocol.joystick import JoystickPart
from wbridge.hal.protocol.layout import Layout

STDOUT, STDERR = 1, 2
"""Streams of a console message."""

COMMANDS = (
    Message(30, "console", "stream:u8 text:lstr32"),
    Message(31, "enable_battery", "period:u16"),
    Message(32, "remote_on"),
    Message(33, "remote_off"),
    Message(34, "enable_keyboard", "period:u16"),
    Message(35, "enable_joystick", "period:u16"),
    Message(36, "enable_mouse", "period:u16"),
    Message(37, "set_custom_data", "data:lstr16"),
    Message(38, "leave"),
    Message(39, "enable_mouse_3d", "on:bool"),
    Message(40, "pin", "pin:bool"),
    Message(41, "joystick_force", "level:u16"),
    Message(42, "joystick_force_duration", "seconds:f64"),
    Message(43, "joystick_auto_centering_gain", "gain:f64"),
    Message(44, "joystick_resistance_gain", "gain:f64"),
    Message(45, "joystick_force_axis", "axis:u32"),
    Message(46, "get_urdf", "prefix:lstr16"),
    Message(80, "wait_for_event", "events:i32 timeout:i32"),
    Message(81, "to_window", "data:bytes32"),
)
"""Controller to simulator; 32 and 33 begin and end the remote-control mode; times are in ms."""

MESSAGES = (
    Message(2, "quit"),
    Message(3, "joystick", Layout("", JoystickPart(), names=("axes", "buttons", "povs", "model"))),
    Message(4, "time", "seconds:f64"),
    Message(5, "battery", "energy:f64"),
    Message(6, "keys", "keys:i32[u8]"),
    Message(7, "joystick_state", "buttons:i32[] axes:i32[] povs:i32[]"),
    Message(8, "mouse", "left:bool middle:bool right:bool u:f64 v:f64 x:f64 y:f64 z:f64"),
    Message(9, "show_window"),
    Message(10, "simulation_mode", "mode:i32"),
    Message(11, "custom_data", "data:str"),
    Message(12, "supervisor", "is:bool"),
    Message(13, "model", "model:str"),
    Message(14, "update_window"),
    Message(46, "urdf", "text:str"),
    Message(80, "event", "events:i32"),
    Message(81, "from_window", "data:bytes32"),
)
"""Simulator to controller; codes 0 and 15, which list devices, are in wbridge.hal.protocol.configure."""
