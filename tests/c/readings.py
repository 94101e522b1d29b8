"""The controller of controllers/readings with the C API in Python: it prints the same lines."""
# ruff: noqa: F405 (the C API under its own names)

import json
import math
import sys

from wbridge.hal import api
from wbridge.hal.api import *  # noqa: F403 (the C API under its own names)

STEPS = int(sys.argv[1])
KINDS = {
    "position_sensor": ["left encoder", "right encoder", "lift position"],
    "distance_sensor": ["generic", "sonar", "laser", "infra-red"],
    "light_sensor": ["light"],
    "touch_sensor": ["bumper"],
    "altimeter": ["altimeter"],
    "gps": ["gps"],
    "gyro": ["gyro"],
    "accelerometer": ["accelerometer"],
    "compass": ["compass"],
}
SENSORS = [(name, kind) for kind, names in KINDS.items() for name in names] + [("force", "touch_sensor")]
SCALARS = 10


def call(kind, method, *arguments):
    """Call the function of a kind of device."""
    return getattr(api, f"wb_{kind}_{method}")(*arguments)


wb_robot_init()
step = int(wb_robot_get_basic_time_step())
tag = {
    one: wb_robot_get_device(one) for one in ("left motor", "right motor", "lift", "inertial unit", "radar")
}
tag |= {one: wb_robot_get_device(one) for one in ("led", "emitter", "receiver", *dict(SENSORS))}
left, right, lift = tag["left motor"], tag["right motor"], tag["lift"]
for motor in (left, right):
    wb_motor_set_position(motor, math.inf)
    wb_motor_set_velocity(motor, 0)
    wb_motor_enable_torque_feedback(motor, step)
wb_motor_enable_force_feedback(lift, 2 * step)
more = [("inertial unit", "inertial_unit"), ("radar", "radar"), ("receiver", "receiver")]
for number, (name, kind) in enumerate([*SENSORS, *more]):
    call(kind, "enable", tag[name], step * (1 + number % 3))
wb_robot_battery_sensor_enable(step)
indices = [wb_robot_get_device_by_index(i) for i in range(wb_robot_get_number_of_devices())]
tables = {"generic": "distance_sensor", "infra-red": "distance_sensor", "light": "light_sensor"}
limits = [wb_motor_get_max_velocity(one) for one in (left, right, lift)]
print(
    json.dumps(
        {
            "time step": wb_robot_get_basic_time_step(),
            "devices": [wb_device_get_name(one) for one in indices],
            "types": [wb_device_get_node_type(one) for one in indices],
            "limits": [*limits, wb_motor_get_max_torque(left), wb_motor_get_max_position(lift)],
            "tables": {name: call(kind, "get_lookup_table", tag[name]) for name, kind in tables.items()},
            "data": wb_robot_get_custom_data(),
        }
    )
)
ball = wb_supervisor_node_get_from_def("BALL")
place = wb_supervisor_node_get_field(ball, "translation")
for count in range(STEPS):
    if wb_robot_step(step) == -1:
        break
    wb_motor_set_velocity(left, 4 * math.sin(count / 20))
    wb_motor_set_velocity(right, 4 * math.sin(count / 25))
    wb_motor_set_position(lift, 0.05 + 0.04 * math.sin(count / 15))
    wb_led_set(tag["led"], count % 3)
    wb_emitter_send(tag["emitter"], b"step %d" % count)
    if count == 60:
        wb_supervisor_field_set_sf_vec3f(place, [0.1, 0.5, 0.4])
    if count == 80:
        wb_supervisor_node_add_force(ball, [0.0, 0.3, 0.0], False)
    if count == 90:
        wb_motor_set_acceleration(left, 10)
        wb_robot_set_custom_data("ninety")
    imu, radar = tag["inertial unit"], tag["radar"]
    torques = [wb_motor_get_torque_feedback(one) for one in (left, right)]
    row = {
        "time": wb_robot_get_time(),
        "scalars": {name: call(kind, "get_value", tag[name]) for name, kind in SENSORS[:SCALARS]},
        "vectors": {name: call(kind, "get_values", tag[name]) for name, kind in SENSORS[SCALARS:]},
        "angles": wb_inertial_unit_get_roll_pitch_yaw(imu),
        "quaternion": wb_inertial_unit_get_quaternion(imu) if count > 4 else [],
        "speed": wb_gps_get_speed(tag["gps"]),
        "torques": [*torques, wb_motor_get_force_feedback(lift)],
        "battery": wb_robot_battery_sensor_get_value(),
        "targets": [list(one) for one in wb_radar_get_targets(radar) or []],
        "queue": wb_receiver_get_queue_length(tag["receiver"]),
        "ball": wb_supervisor_node_get_position(ball),
        "field": wb_supervisor_field_get_sf_vec3f(place),
        "velocity": wb_supervisor_node_get_velocity(ball),
        "data": wb_robot_get_custom_data(),
    }
    print(json.dumps(row))
wb_robot_cleanup()
