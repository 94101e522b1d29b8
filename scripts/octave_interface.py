"""Generate the table of functions for controllers in MATLAB's language, which GNU Octave runs.

Regular functions are called as they are; the tables here name those whose form differs from C.
"""

from __future__ import annotations

import re
from typing import Any

from scripts.c_headers import HEAD
from scripts.former_constants import former_constants

Json = dict[str, Any]
VECTORS = (
    (r"_vec2f$", 2),
    (r"_rotation$|_quaternion$|_bone_orientation$", 4),
    (r"_node_get_velocity$", 6),
    (r"_get_orientation$", 9),
    (r"_get_pose$", 16),
)
"""The number of values that functions return, by their names; 3 for the others."""
SPECIAL = {
    "wb_camera_get_image": "camera_image",
    "wb_camera_get_range_image": "camera_range_image",
    "wb_camera_recognition_get_objects": "recognized_objects",
    "wb_camera_recognition_get_segmentation_image": "segmentation_image",
    "wb_display_draw_polygon": "draw_polygon",
    "wb_display_fill_polygon": "fill_polygon",
    "wb_display_image_new": "image_new",
    "wb_display_set_color": "display_color",
    "wb_emitter_send": "emitter_send",
    "wb_lidar_get_layer_point_cloud": "lidar_layer_points",
    "wb_lidar_get_layer_range_image": "lidar_layer",
    "wb_lidar_get_point_cloud": "lidar_points",
    "wb_lidar_get_range_image": "lidar_image",
    "wb_mouse_get_state": "mouse_state",
    "wb_pen_set_ink_color": "pen_color",
    "wb_radar_get_targets": "radar_targets",
    "wb_range_finder_get_range_image": "range_image",
    "wb_supervisor_node_get_contact_points": "contact_points",
    "wb_supervisor_set_label": "set_label",
}
OPTIONAL = {"wb_display_image_paste": 1, "wb_supervisor_node_get_number_of_contact_points": 1}
"""How many arguments at the end may be missing."""
PLAIN_RESULTS = ("void", "int", "double", "float", "bool", "const char *", "WbDeviceTag")
REFERENCES = ("WbNodeRef", "WbFieldRef", "WbProtoRef", "WbImageRef", "WbMotionRef")
LEFT_OUT = re.compile(
    r"wb_radio_|wb_robot_(mutex|task|wwi_receive$|window_custom|wwi_send$)|wb_remote_control_|"
    r"wb_receiver_get_data$|wb_microphone_get_sample_data|wbu_string_|wb_mouse_get_state_pointer|"
    r"wb_camera_range_image_get_depth|wb_camera_recognition_get_object$|wb_lidar_get_point$|"
    r"wb_radar_get_target$"
)
"""Functions that MATLAB controllers have no use for, or that have a form of their own."""


def file(spec: Json) -> str:
    """Return the table."""
    functions = [one for one in spec["functions"] if one["kind"] == "function" and _is_offered(one)]
    lines = sorted({line for one in functions if (line := _line(one))})
    headers = sorted({one["header"] for one in functions if one["header"] != "webots/node.h"})
    text = HEAD.format(title="The functions of the C API that Octave offers.")
    text += "#ifdef HEADERS\n" + "".join(f"#include <{one}>\n" for one in headers) + "#else\n"
    text += "/* clang-format off */\n" + "".join(f"{one}\n" for one in lines)
    text += "SPECIAL(leave, leave)\nSPECIAL(receiver_bytes, receiver_bytes)\n/* clang-format on */\n#endif\n"
    return text


def constants(spec: Json) -> str:
    """Return the constants: one `NAME VALUE` per line."""
    found: dict[str, int] = {}
    for one in spec["enums"]:
        found |= {name: value for name, value in one["values"].items() if isinstance(value, int)}
    found |= former_constants(spec)
    return "".join(f"{name} {value}\n" for name, value in sorted(found.items()))


def _is_offered(function: Json) -> bool:
    return function["name"].startswith(("wb_", "wbu_")) and "robot_window" not in function["header"]


def _line(function: Json) -> str:
    name, result = function["name"], function["return"]
    if LEFT_OUT.match(name):
        return ""
    if name in SPECIAL:
        return f"SPECIAL({name}, {SPECIAL[name]})"
    if name in OPTIONAL:
        return f"OPTIONAL({name}, {OPTIONAL[name]})"
    if name.endswith("_get_lookup_table"):
        return f"TABLE({name}, {name}_size)"
    if result in ("const double *", "const float *"):
        count = next((count for pattern, count in VECTORS if re.search(pattern, name)), 3)
        return f"VECTOR({name}, {count})"
    is_enum = result.startswith(("Wb", "wbu_")) and "*" not in result
    return f"FUNCTION({name})" if result in (*PLAIN_RESULTS, *REFERENCES) or is_enum else ""
