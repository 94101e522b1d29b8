"""Controllers in MATLAB's language: `wbridge run` runs them with GNU Octave, unmodified.

Judge: the tables of functions and the examples in the manual of Webots 8.3.1, chapters 8.4, Camera and
Receiver; the positions that the world file states; the formula of a turning joint.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.languages.running import simulate
from wbridge.libcontroller.octave_building import FUNCTIONS, need_octave_library

pytestmark = pytest.mark.languages

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Background { skyColor [ 1 0 0 ] }
DEF BALL Solid { translation -1 2 3 children [ Shape { geometry Sphere { radius 0.1 } } ] }
Robot {
  name "robot" controller "seer" supervisor TRUE
  children [
    Camera { name "camera" width 4 height 2 }
    GPS { name "gps" }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "motor" } PositionSensor { name "angle" } ]
      endPoint Solid { physics Physics { } boundingObject Sphere { radius 0.1 } }
    }
    DistanceSensor { name "ds" lookupTable [ 0 1000 0, 0.1 900 0.1 ] }
    Receiver { name "receiver" }
  ]
}
Robot { name "sender" controller "sender" children [ Emitter { name "emitter" } ] }
"""
SENDER = """emitter = wb_robot_get_device('emitter');
wb_emitter_send(emitter, [1, 2, 3; 4, 5, 6]);
wb_emitter_send(emitter, [7 8]);
wb_emitter_send(emitter, 'hello');
while wb_robot_step(16) ~= -1
end
"""
SEER = """% MATLAB controller
desktop;
keyboard;
TIME_STEP = 16;
motor = wb_robot_get_device('motor');
camera = wb_robot_get_device('camera');
wb_camera_enable(camera, TIME_STEP);
gps = wb_robot_get_device("gps");
wb_gps_enable(gps, TIME_STEP);
angle = wb_motor_get_position_sensor(motor);
wb_position_sensor_enable(angle, TIME_STEP);
receiver = wb_robot_get_device('receiver');
wb_receiver_enable(receiver, TIME_STEP);
wb_motor_set_position(motor, inf);
wb_motor_set_velocity(motor, 2);
i = 0;
while wb_robot_step(TIME_STEP) ~= -1
  drawnow;
  i = i + 1;
  if i == 32, break; end
end
fprintf('%.2f\\n', wb_position_sensor_get_value(angle));
image = wb_camera_get_image(camera);
fprintf('%d ', size(image)); fprintf('%s %d\\n', class(image), image(1, 1, 1) > image(1, 1, 3));
[x y z] = wb_gps_get_values(gps);
fprintf('%g %g %g\\n', x, y, z);
pointer = wb_receiver_get_data(receiver);
setdatatype(pointer, 'doublePtr', 2, 3);
A = get(pointer, 'Value');
fprintf('%g ', A); fprintf('\\n');
wb_receiver_next_packet(receiver);
fprintf('%g ', wb_receiver_get_data(receiver, 'double')); fprintf('\\n');
wb_receiver_next_packet(receiver);
fprintf('%s\\n', wb_receiver_get_data(receiver, 'string'));
ball = wb_supervisor_node_get_from_def('BALL');
field = wb_supervisor_node_get_field(ball, 'translation');
fprintf('%g ', wb_supervisor_field_get_sf_vec3f(field)); fprintf('\\n');
wb_supervisor_field_set_sf_vec3f(field, [4 5 6]);
wb_robot_step(TIME_STEP);
fprintf('%g ', wb_supervisor_node_get_position(ball)); fprintf('\\n');
wb_console_print(sprintf('twice %d\\n', twice(4)), WB_STDOUT);
state = wb_mouse_get_state();
fprintf('%d %s\\n', isstruct(state), wb_robot_get_name());
fprintf('%g ', wb_distance_sensor_get_lookup_table(wb_robot_get_device('ds'))); fprintf('\\n');
figure; imagesc(double(image(:, :, 1)));

function y = twice(x)
  y = 2 * x;
end
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    require_tool("octave-cli", "runs the controllers")
    require_tool("mkoctfile", "compiles the functions for Octave")
    need_octave_library()  # not within the time limit of a run
    for name, text in {"seer": SEER, "sender": SENDER}.items():
        folder = tmp_path / "controllers" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.m").write_text(text)
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds" / "a.wbt").write_text(WORLD)
    return tmp_path


def test_a_controller_runs_unmodified(project: Path):
    done = simulate(project, "--duration", "0.6")
    assert [one.strip() for one in done.stdout.splitlines()[:-1]] == [
        "1.02",  # 2 rad/s for 32 steps of 16 ms
        "2 4 3 uint8 1",
        "0 0 0",
        "1 4 2 5 3 6",  # column by column
        "7 8",
        "hello",
        "-1 2 3",
        "4 5 6",
        "1 robot",
        "0 1000 0 0.1 900 0.1",
        "twice 8",
    ], done.stdout + done.stderr
    assert "there is no prompt" in done.stderr
    assert "error" not in done.stderr
    assert [one.name for one in project.rglob("*octave*")] == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("wb_robot_stop(1);", r"error: 'wb_robot_stop' undefined[^\n]*\n    seer, line 2\nrobot"),
        ("x = [1 2", r"error: parse error near line \d+ of file .*seer\.m"),
        (
            "wb_motor_set_velocity(1);",
            r"wb_motor_set_velocity: 1 arguments given; it takes 2\n.*seer, line 2",
        ),
        ("error('mine');", r"error: mine\n    seer, line 2"),
    ],
)
def test_errors_are_one_message_with_the_line(project: Path, line: str, said: str):
    (project / "controllers" / "seer" / "seer.m").write_text(f"a = 1;\n{line}\n")
    done = simulate(project, "--duration", "3000", "--fail-on-controller-error")
    assert done.returncode == 1
    assert re.search(said, done.stderr, re.DOTALL), done.stderr


def test_a_controller_may_be_a_function(project: Path):
    (project / "controllers" / "seer" / "seer.m").write_text(
        "function seer\n  wb_robot_step(16);\n  more\nend\nfunction more\n  disp(wb_robot_get_time());\nend\n"
    )
    assert "0.016" in simulate(project, "--duration", "0.1").stdout


RADIO_WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot { name "robot" controller "seer" children [ Receiver { name "receiver" } ] }
Robot { name "sender" translation 2 0 0 controller "sender" children [ Emitter { name "emitter" } ] }
"""
RADIO_SENDER = """emitter = wb_robot_get_device('emitter');
wb_emitter_send(emitter, 'nobody listens to channel 0');
wb_emitter_set_channel(emitter, 3);
wb_emitter_send(emitter, uint8([1 2 255]));
wb_emitter_send(emitter, single(0.5));
wb_emitter_set_range(emitter, 1.5);
wb_emitter_send(emitter, 'too far');
fprintf('%d %g\\n', wb_emitter_get_channel(emitter), wb_emitter_get_range(emitter));
while wb_robot_step(16) ~= -1
end
"""
RADIO_SEER = """receiver = wb_robot_get_device('receiver');
wb_receiver_enable(receiver, 16);
wb_receiver_set_channel(receiver, 3);
while wb_receiver_get_queue_length(receiver) == 0
  wb_robot_step(16);
end
fprintf('%d packets, %d bytes:', wb_receiver_get_queue_length(receiver), wb_receiver_get_data_size(receiver));
fprintf(' %d', wb_receiver_get_data(receiver, 'uint8')); fprintf('\\n');
fprintf('%g ', wb_receiver_get_emitter_direction(receiver), wb_receiver_get_signal_strength(receiver));
fprintf('\\n');
wb_receiver_next_packet(receiver);
fprintf('%d bytes\\n', wb_receiver_get_data_size(receiver));
pointer = wb_receiver_get_data(receiver);
setdatatype(pointer, 'singlePtr', 1, 1);
fprintf('%g\\n', get(pointer, 'Value'));
wb_receiver_next_packet(receiver);
fprintf('%d packets\\n', wb_receiver_get_queue_length(receiver));
"""


def test_packets_have_channels_ranges_and_directions(project: Path):
    """The sender is 2 m away along x: a quarter of the strength at 1 m (manual, Receiver)."""
    (project / "worlds" / "a.wbt").write_text(RADIO_WORLD)
    for name, text in {"seer": RADIO_SEER, "sender": RADIO_SENDER}.items():
        (project / "controllers" / name / f"{name}.m").write_text(text)
    done = simulate(project, "--duration", "0.5")
    assert sorted(one.strip() for one in done.stdout.splitlines()[:-1]) == sorted(
        ["3 1.5", "2 packets, 3 bytes: 1 2 255", "1 0 0 0.25", "4 bytes", "0.5", "0 packets"]
    ), done.stderr


def manual_functions() -> str:
    """Functions of the manual's tables, a few of each kind."""
    return """wb_accelerometer_get_values wb_brake_set_damping_constant wb_camera_get_range_image
    wb_compass_get_values wb_connector_lock wb_device_get_node_type wb_differential_wheels_set_speed
    wb_display_image_new wb_display_fill_polygon wb_distance_sensor_get_value wb_emitter_get_buffer_size
    wb_gyro_get_values wb_inertial_unit_get_roll_pitch_yaw wb_led_get wbu_motion_play wb_motor_set_control_pid
    wb_pen_set_ink_color wb_receiver_get_emitter_direction wb_robot_battery_sensor_get_value
    wb_robot_keyboard_get_key wb_servo_set_motor_force wb_supervisor_set_label wb_supervisor_save_world
    wb_supervisor_field_get_mf_color wb_supervisor_node_get_static_balance wb_touch_sensor_get_values
    WB_CAMERA_COLOR WB_NODE_ROBOT WB_ROBOT_KEYBOARD_ALT WB_SERVO_LINEAR WB_TOUCH_SENSOR_FORCE3D WB_SF_COLOR
    WB_CHANNEL_BROADCAST WB_MODE_REMOTE_CONTROL WB_SUPERVISOR_MOVIE_READY"""


def test_the_functions_of_the_manual_exist():
    require_tool("mkoctfile", "compiles the functions for Octave")
    folder = need_octave_library() / FUNCTIONS
    assert [one for one in manual_functions().split() if not (folder / f"{one}.m").is_file()] == []
