"""A robot window beside any controller of an e-puck: shows how near things are, and switches the LEDs.

The page is panel.html. Nothing is sent before somebody opens it.
"""

import json

from hal.api import (
    wb_distance_sensor_get_sampling_period,
    wb_distance_sensor_get_value,
    wb_led_set,
    wb_robot_get_device,
    wb_robot_get_time,
    wb_robot_wwi_receive_text,
    wb_robot_wwi_send_text,
)

PERIOD = 0.1  # s between two messages
sensors = []
leds = []
state = {"shown": False, "next": 0.0, "values": [], "wish": None}


def wbw_init():
    """Find the devices; False: this robot lacks some."""
    sensors.extend(wb_robot_get_device(f"ps{number}") for number in range(8))
    leds.extend(wb_robot_get_device(f"led{number}") for number in range(8))
    return all(sensors) and all(leds)


def wbw_show():
    """Somebody opens the window."""
    state["shown"], state["next"] = True, 0.0


def wbw_read_sensors():
    """The sensors have new values; those that the controller does not use have none."""
    state["values"] = [
        wb_distance_sensor_get_value(one) if wb_distance_sensor_get_sampling_period(one) else None
        for one in sensors
    ]


def wbw_update_gui():
    """Take what the page says, and tell it the newest values from time to time."""
    while text := wb_robot_wwi_receive_text():
        if text in ("on", "off"):
            state["wish"] = text == "on"
    if state["shown"] and wb_robot_get_time() >= state["next"]:
        state["next"] = wb_robot_get_time() + PERIOD
        wb_robot_wwi_send_text(json.dumps(state["values"]))


def wbw_write_actuators():
    """Do what the page asked for, after the controller has said its own."""
    if state["wish"] is not None:
        for led in leds:
            wb_led_set(led, int(state["wish"]))
        state["wish"] = None


def wbw_cleanup():
    """The controller ends."""
    state["shown"] = False
