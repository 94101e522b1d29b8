"""A robot window for an e-puck with any controller: shows proximity readings and switches the LEDs.

The page is panel.html. Nothing is sent until it is opened.
"""

import json

from wbridge.hal.api import (
    wb_distance_sensor_get_sampling_period,
    wb_distance_sensor_get_value,
    wb_led_set,
    wb_robot_get_device,
    wb_robot_get_time,
    wb_robot_wwi_receive_text,
    wb_robot_wwi_send_text,
)

PERIOD = 0.1  # s between messages
sensors = []
leds = []
state = {"shown": False, "next": 0.0, "values": [], "command": None}


def wbw_init():
    """Find the devices; False if the robot lacks some."""
    sensors.extend(wb_robot_get_device(f"ps{number}") for number in range(8))
    leds.extend(wb_robot_get_device(f"led{number}") for number in range(8))
    return all(sensors) and all(leds)


def wbw_show():
    """Called when a window is opened."""
    state["shown"], state["next"] = True, 0.0


def wbw_read_sensors():
    """Read the sensors that the controller has enabled."""
    state["values"] = [
        wb_distance_sensor_get_value(one) if wb_distance_sensor_get_sampling_period(one) else None
        for one in sensors
    ]


def wbw_update_gui():
    """Receive the page's commands, and send it the newest values every PERIOD."""
    while text := wb_robot_wwi_receive_text():
        if text in ("on", "off"):
            state["command"] = text == "on"
    if state["shown"] and wb_robot_get_time() >= state["next"]:
        state["next"] = wb_robot_get_time() + PERIOD
        wb_robot_wwi_send_text(json.dumps(state["values"]))


def wbw_write_actuators():
    """Execute the page's command after the controller's commands."""
    if state["command"] is not None:
        for led in leds:
            wb_led_set(led, int(state["command"]))
        state["command"] = None


def wbw_cleanup():
    """Called when the controller ends."""
    state["shown"] = False
