"""Shapes give the bytes that the messages have one by one, and know their own bytes only."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbridge.hal.protocol.layout import Layout
from wbridge.hal.protocol.shape import Shape

NUMBER, PAIR, VECTOR = Layout("value:f64"), Layout("tag:u16 on:bool"), Layout("values:f64*3")
KINDS = {
    NUMBER: st.tuples(st.floats(allow_nan=False)),
    PAIR: st.tuples(st.integers(0, 65535), st.booleans()),
    VECTOR: st.tuples(st.tuples(*[st.floats(allow_nan=False)] * 3)),
}
messages = st.lists(
    st.tuples(st.binary(min_size=1, max_size=9), st.sampled_from(list(KINDS))).flatmap(
        lambda one: KINDS[one[1]].map(lambda values: (*one, values))
    ),
    min_size=1,
    max_size=8,
)


@given(messages)
def test_same_bytes_as_one_by_one(rows: list[tuple[bytes, Layout, tuple[object, ...]]]):
    shape = Shape([(head, layout) for head, layout, _ in rows])
    data = shape.write([values for *_, values in rows])
    assert data == b"".join(head + layout.pack(*values) for head, layout, values in rows)
    assert len(data) == shape.size
    assert shape.read(data) == [values for *_, values in rows]


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=8))
def test_single_numbers(numbers: list[float]):
    shape = Shape([(bytes([i]), NUMBER) for i in range(len(numbers))])
    assert shape.is_single
    data = shape.write_single(numbers)
    assert data == shape.write([(one,) for one in numbers])
    assert list(shape.read_single(data) or ()) == numbers


def test_a_vector_is_no_single_number():
    assert not Shape([(b"a", Layout("value:f64*1"))]).is_single


def test_other_messages_of_the_same_size_are_told_apart():
    shape, other = Shape([(b"a", NUMBER), (b"b", NUMBER)]), Shape([(b"a", NUMBER), (b"c", NUMBER)])
    data = other.write_single([1.0, 2.0])
    assert shape.read_single(data) is None
    assert shape.read(data) is None


@pytest.mark.parametrize("values", [[("text",)], [(1.0, 2.0)], [()], [(1.0,), (2.0,)]])
def test_values_that_do_not_fit(values: list[tuple[object, ...]]):
    with pytest.raises((struct.error, ValueError)):
        Shape([(b"a", NUMBER)]).write(values)
