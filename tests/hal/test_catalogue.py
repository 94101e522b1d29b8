"""The catalogue of devices against the nodes and the API functions that it declares."""

import re
import subprocess
import sys

import pytest

from scripts.generated import specification
from tests.project.files import CHECKOUT
from wbridge.hal.catalogue import kind, kinds
from wbridge.hal.catalogue.commands import settings
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.table import TYPES
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.tables import rules

NODES = schema()
CONSTANT_TYPES = {"bool", "i32", "f64", "text", "tag", "f64[]", "i32[]", "text[]", "tag[]", "table"}


def functions() -> dict[str, str]:
    """All functions of the C API and what they belong to."""
    content = specification("api")
    return {one["name"]: one["device"] for one in content["functions"]}


def sources(constant):
    return constant.source.split("|")


def test_every_device_and_robot_node_has_a_kind():
    devices = {
        name
        for name in NODES.names()
        if not NODES.node(name).abstract
        and (NODES.node(name).is_a("Device") or NODES.node(name).is_a("Robot"))
    }
    assert devices == {name for name, one in kinds().items() if not one.abstract}


@pytest.mark.parametrize("name", kinds())
def test_the_sources_of_constants_exist(name):
    spec = NODES.node(name)
    for constant in kinds()[name].constants:
        for source in sources(constant):
            if source.startswith("@"):
                assert callable(getattr(rules, source[1:])), source
            elif source.startswith("WorldInfo."):
                assert source[10:] in NODES.node("WorldInfo").fields, source
            elif not source.startswith("="):
                field = spec.fields[source.partition(".")[0].removesuffix("?")]
                inner = [NODES.node(one).fields for one in field.allowed]
                part = source.partition(".")[2]
                assert not part or any(part in fields for fields in inner), source


@pytest.mark.parametrize("name", kinds())
def test_types_and_directions_are_known_ones(name):
    assert {one.type for one in kinds()[name].constants} <= CONSTANT_TYPES
    assert {one.type for one in kinds()[name].channels} <= set(TYPES)
    assert {one.direction for one in kinds()[name].channels} <= {"sense", "act"}


@pytest.mark.parametrize("name", kinds())
def test_names_are_unique_and_lengths_are_constants(name):
    one = kinds()[name]
    whole_numbers = {constant.name for constant in one.constants if constant.type == "i32"}
    names = [channel.name for channel in one.channels]
    assert len(set(names)) == len(names)
    for channel in one.channels:
        assert {n for n in channel.shape if isinstance(n, str) and n != "*"} <= whole_numbers
        assert set(channel.when) <= {constant.name for constant in one.constants}


def test_periods_are_set_by_functions_of_the_api():
    known = functions()
    periods = {channel.enable for one in kinds().values() for channel in one.channels if channel.enable}
    assert periods - known.keys() == set()


def test_only_what_the_controller_senses_has_a_period():
    assert [
        f"{name}.{channel.name}"
        for name, one in kinds().items()
        for channel in one.channels
        if channel.direction == "act" and channel.enable
    ] == []


def test_prefixes_are_those_of_the_api():
    known = functions()
    unused = {
        one.prefix for one in kinds().values() if not any(name.startswith(one.prefix) for name in known)
    }
    assert unused == set()


def test_every_enabling_function_of_a_device_has_its_channel():
    prefixes = {one.prefix for one in kinds().values()} | {"wb_keyboard_", "wb_joystick_", "wb_mouse_"}
    enabling = {
        name
        for name in functions()
        if name.startswith(tuple(prefixes)) and re.search(r"_enable(_|$)", name) and "supervisor" not in name
    }
    no_sampling = {
        "wb_lidar_enable_point_cloud",
        "wb_mouse_enable_3d_position",
        "wb_camera_recognition_enable_segmentation",
        "wb_robot_keyboard_enable",  # the former name of wb_keyboard_enable
    }
    channels = {channel.enable for one in kinds().values() for channel in one.channels}
    assert enabling - no_sampling - channels == set()


def test_a_kind_takes_over_what_its_base_has():
    motor, linear = kind("Motor"), kind("LinearMotor")
    assert linear.channels[: len(motor.channels)] == motor.channels
    assert linear.base == "Motor"
    assert linear.channel("forceFeedback").enable == "wb_motor_enable_force_feedback"
    assert motor.channel("forceFeedback") is None


def test_channels_may_depend_on_constants():
    value, force = kind("TouchSensor").channel("value"), kind("TouchSensor").channel("force")
    assert value.exists_for({"type": "bumper"})
    assert not value.exists_for({"type": "force-3d"})
    assert force.exists_for({"type": "force-3d"})


def test_shapes_take_the_lengths_of_the_device():
    image = kind("Camera").channel("image")
    assert image.shape_for({"width": 40, "height": 30}) == (30, 40, 4)
    assert kind("Receiver").channel("packets").shape_for({}) == ("*",)
    with pytest.raises(KeyError):
        image.shape_for({"width": 40})


def test_other_nodes_are_no_devices():
    assert [kind(name) for name in ("Solid", "Charger", "Track", "Propeller", "Nonsense")] == [None] * 5


def test_the_ground_floor_loads_nothing_of_the_simulator():
    code = "import sys; from wbridge.hal import catalogue, table; catalogue.kinds(); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not {name for name in loaded if name.startswith(("wbridge.wbcore", "numpy"))}


CODED = [name for name, one in kinds().items() if not one.abstract and codec_of(name) is not None]


@pytest.mark.parametrize("name", CODED)
def test_commands_and_messages_of_channels_are_those_of_the_codec(name):
    codec, one = codec_of(name), kinds()[name]
    for command, setting in settings(one).items():
        names = codec.commands[codec.command_codes[command]].layout.names
        fields = tuple(field for channel in setting.channels for field in channel.fields)
        if setting.switch is not None:
            assert names == ()
        elif setting.channels[0].type != "packets":
            assert fields == names or (fields == () and len(names) == 1)
    for channel in one.channels:
        if channel.message:
            told = [other for other in one.channels if other.message == channel.message]
            names = codec.messages[codec.message_codes[channel.message]].layout.names
            assert channel.type == "packets" or len(told) == len(names)
        if channel.enable:
            assert one.period(channel.enable).command in codec.command_codes


@pytest.mark.parametrize("name", CODED)
def test_constants_have_names_of_the_codec(name):
    codec = codec_of(name)
    names = codec.messages[0].layout.names if 0 in codec.messages else ()
    for constant in kinds()[name].constants:
        assert set(constant.wire_names) <= set(names), constant


def test_channels_are_read_by_functions_of_the_api():
    known = functions()
    readers = {
        one.prefix + channel.get for one in kinds().values() for channel in one.channels if channel.get
    }
    assert readers - known.keys() == set()


@pytest.mark.parametrize("name", kinds())
def test_ranges_are_numbers_or_constants(name):
    one = kinds()[name]
    constants = {constant.name for constant in one.constants}
    for channel in one.channels:
        for limit in channel.range:
            wanted = limit.removeprefix("-").split("|") if isinstance(limit, str) else []
            assert one.abstract or not wanted or constants & set(wanted), limit
