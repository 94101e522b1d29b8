"""Device tables: their canonical text and hash, and what is said of texts that are none."""

import hashlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbridge.hal.table import DIRECTIONS, TYPES, Channel, DeviceEntry, DeviceTable, TableError

ROBOT = DeviceEntry(0, "two wheels", "Robot", "", {"basicTimeStep": 16.0, "supervisor": False}, ())
MOTOR = DeviceEntry(
    1,
    "left",
    "RotationalMotor",
    "",
    {"maxVelocity": 6.28, "coupled": [2], "limit": math.inf},
    (Channel("position", "act", "f64", (), ""),),
)
CAMERA = DeviceEntry(
    2,
    "camera",
    "Camera",
    "OV7670",
    {"width": 4, "height": 3, "lookupTable": [[0.0, 1000.0, 0.05]]},
    (
        Channel("image", "sense", "image", (3, 4, 4), "wb_camera_enable"),
        Channel("objects", "sense", "objects", ("*",), "wb_camera_recognition_enable"),
    ),
)
TABLE = DeviceTable(ROBOT, (MOTOR, CAMERA))


def changed(**keys) -> dict:
    """The table's data with the motor's keys replaced; None takes a key away."""
    data = json.loads(TABLE.canonical())
    data["devices"][0].update(keys)
    data["devices"][0] = {key: value for key, value in data["devices"][0].items() if value is not None}
    return data


def problems(data) -> list[str]:
    with pytest.raises(TableError) as raised:
        DeviceTable.from_data(data)
    return raised.value.problems


def test_the_canonical_text_is_known_to_the_letter():
    assert DeviceTable(ROBOT, (MOTOR,)).canonical() == (
        '{"devices":[{"channels":[{"direction":"act","name":"position","period":"","shape":[],"type":"f64"}],'
        '"constants":{"coupled":[2],"limit":{"number":"inf"},"maxVelocity":6.28},"model":"","name":"left","tag":1,'
        '"type":"RotationalMotor"}],"format":1,"robot":{"channels":[],"constants":{"basicTimeStep":16,'
        '"supervisor":false},"model":"","name":"two wheels","tag":0,"type":"Robot"}}'
    )


def test_the_hash_is_that_of_the_canonical_text():
    assert TABLE.hash == hashlib.sha256(TABLE.canonical().encode()).hexdigest()
    assert TABLE.hash == "939176929f37173fd1e5dc13f9c799e377eb8f5e13f717daa1e5b02a1c53df44"
    assert TABLE.hash == "939176929f37173fd1e5dc13f9c799e377eb8f5e13f717daa1e5b02a1c53df44"
    assert TABLE.short_hash == TABLE.hash[:16]


def test_reading_gives_the_same_table_in_any_layout():
    assert DeviceTable.from_json(TABLE.canonical()) == TABLE
    assert DeviceTable.from_json(json.dumps(TABLE.to_data(), indent=2).encode()).hash == TABLE.hash


def test_whole_numbers_are_the_same_with_and_without_a_point():
    one = TABLE._replace(robot=ROBOT._replace(constants={"basicTimeStep": 16, "supervisor": False}))
    assert one.hash == TABLE.hash


@pytest.mark.parametrize(
    "other",
    [
        TABLE._replace(devices=(MOTOR,)),
        TABLE._replace(devices=(MOTOR._replace(name="right"), CAMERA)),
        TABLE._replace(devices=(MOTOR._replace(constants={**MOTOR.constants, "maxVelocity": 6.29}), CAMERA)),
        TABLE._replace(devices=(MOTOR._replace(channels=()), CAMERA)),
    ],
)
def test_any_difference_changes_the_hash(other):
    assert other.hash != TABLE.hash


def test_devices_are_found_by_tag_and_name():
    assert [one.tag for one in TABLE.all] == [0, 1, 2]
    assert TABLE.device(2) is CAMERA
    assert TABLE.device(0) is ROBOT
    assert TABLE.device(3) is None
    assert TABLE.device(-1) is None
    assert TABLE.find("camera") is CAMERA
    assert TABLE.find("two wheels") is None
    assert CAMERA.channel("image").elements == 48
    assert CAMERA.channel("objects").elements is None
    assert MOTOR.channel("position").elements == 1
    assert MOTOR.channel("velocity") is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "the text: found []; expected an object"),
        (changed(tag=7), "devices[0].tag: found 7; expected 1; tags number the devices in their order"),
        (changed(tag=True), "devices[0].tag: found True; expected 1; tags number the devices in their order"),
        (changed(name=5), "devices[0].name: found 5; expected a text"),
        (changed(model=None), "devices[0].model: is missing"),
        (
            changed(speed=1),
            "devices[0].speed: unknown key; allowed: tag, name, type, model, constants, channels",
        ),
        (changed(constants=[1]), "devices[0].constants: found [1]; expected an object"),
        (
            changed(constants={"a": None}),
            "devices[0].constants.a: found None; expected true, false, a number, a text or a list of them",
        ),
        (
            changed(channels=[{"name": "x", "direction": "up", "type": "f64", "shape": [], "period": ""}]),
            "devices[0].channels[0].direction: found 'up'; expected one of sense, act",
        ),
        (
            changed(channels=[{"name": "x", "direction": "act", "type": "f64", "shape": [-1], "period": ""}]),
            'devices[0].channels[0].shape: found -1; expected an integer of at least 0, or "*"',
        ),
        (
            {**TABLE.to_data(), "format": 2},
            "format: found 2; expected 1; the table was created by a newer version of wbridge",
        ),
        ({**TABLE.to_data(), "devices": "x" * 100}, f"devices: found '{'x' * 56}...; expected a list"),
    ],
)
def test_each_defect_is_named_with_its_place(data, said):
    assert said in problems(data)


def test_all_defects_are_told_at_once():
    data = changed(name=1, type=2, channels={})
    assert len(problems(data)) == 3
    with pytest.raises(TableError, match=r"devices\[0\]\.name") as raised:
        DeviceTable.from_data(data)
    assert "devices[0].type" in str(raised.value)


@pytest.mark.parametrize("text", ["", "{", b"\xff\xfe", "[" * 100_000, '{"a":NaN}'])
def test_texts_that_are_no_tables_are_refused(text):
    with pytest.raises(TableError):
        DeviceTable.from_json(text)


def test_more_devices_than_tags_are_refused():
    data = {**TABLE.to_data(), "devices": [{}] * 65536}
    assert problems(data) == ["devices: found '65536 devices'; expected at most 65535"]


names = st.text(max_size=5)
values = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | names,
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
channels = st.builds(
    Channel,
    names,
    st.sampled_from(DIRECTIONS),
    st.sampled_from(TYPES),
    st.lists(st.just("*") | st.integers(0, 9), max_size=3).map(tuple),
    names,
)


def devices(tag: int):
    constants = st.dictionaries(names, values, max_size=3)
    return st.builds(
        DeviceEntry, st.just(tag), names, names, names, constants, st.lists(channels, max_size=2).map(tuple)
    )


tables = st.integers(0, 3).flatmap(
    lambda n: st.builds(DeviceTable, devices(0), st.tuples(*(devices(tag) for tag in range(1, n + 1))))
)


@given(tables)
def test_every_table_survives_its_text(table):
    again = DeviceTable.from_json(table.canonical())
    assert again == table
    assert again.canonical() == table.canonical()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | names, lambda x: st.lists(x) | st.dictionaries(names, x)
    )
)
def test_no_data_breaks_the_reader(data):
    try:
        DeviceTable.from_data(data)
    except TableError as error:
        assert error.problems
