"""The pass over due sensors: order, periods, random numbers, packets."""

from __future__ import annotations

import math
import struct
import time

import pytest

from wbridge.wbcore.engine import _engine

TIME_HEAD = b"time"


class Swing:
    """A turning link with a position sensor, and a ray against a sphere."""

    def __init__(self) -> None:
        self.world = _engine.World(dt=0.01, seed=5)
        body = self.world.add_body(_engine.Mass.sphere(1.0, 1.0), (0.0, 0.0, 0.5))
        self.axis = self.world.add_hinge(body).axes[0]
        self.world.add_geom(_engine.Shape.sphere(0.5), position=(2.0, 0.0, 0.0))
        self.rays = self.world.add_rays([(0.0, 0.0, 0.0)], [(1.0, 0.0, 0.0)], [3.0])

    def distance(self, noise: float = 0.0, resolution: float = -1.0) -> _engine.MeanDistance:
        rows = [(0.0, 10.0, noise), (3.0, 40.0, noise)]
        return _engine.MeanDistance(self.rays, [1.0], 3.0, 1.0, _engine.Response(rows, resolution))


def test_sensors_are_sampled_when_they_are_due() -> None:
    swing, sensors = Swing(), _engine.SamplePass()
    sensors.add(swing.distance(), b"a", 10, 0)
    sensors.add(_engine.JointPosition(swing.axis, 0.0, -1.0), b"b", 25, 0)
    counts = []
    for now in (10, 20, 30, 40, 50):
        assert sensors.sample(now)
        counts.append([index for index, _ in sensors.take()])
    assert counts == [[0], [0], [0, 1], [0], [0]]
    assert sensors.lasts == [50, 30]
    assert [index for index, _ in sensors.latest()] == [0, 1]
    assert not sensors.waits


def test_timed_samples_are_those_of_plain_ones() -> None:
    """Judge: the same bits as without times; a duration where a sensor was due, and less than the call's."""
    swing, same = Swing(), Swing()
    timed, plain = _engine.SamplePass(), _engine.SamplePass()
    for one, sensors in ((swing, timed), (same, plain)):
        sensors.add(one.distance(noise=0.1), b"a", 10, 0)
        sensors.add(_engine.JointPosition(one.axis, 0.5, -1.0), b"b", 25, 0)
    for now, due in ((10, [True, False]), (20, [True, False]), (30, [True, True])):
        begin = time.perf_counter_ns()
        times = timed.sample_timed(now)
        took = time.perf_counter_ns() - begin
        assert times is not None
        assert [one >= 0 for one in times] == due
        assert sum(one for one in times if one >= 0) <= took
        assert plain.sample(now)
        assert timed.take() == plain.take()
        assert timed.lasts == plain.lasts


def test_unusable_sensors_have_no_times() -> None:
    swing, sensors = Swing(), _engine.SamplePass()
    sensors.add(swing.distance(), b"a", 10, 0)
    swing.rays.remove()
    assert sensors.sample_timed(10) is None
    assert sensors.lasts == [0]


def test_a_ray_is_cast_at_the_poses_of_the_sample() -> None:
    swing = Swing()
    assert swing.distance().measure(0.0) == pytest.approx((25.0,))
    swing.world.step()
    swing.rays.set_lengths([1.0])
    assert swing.distance().measure(0.0) == pytest.approx((20.0,))


def test_noise_comes_from_the_world_in_the_order_of_the_sensors() -> None:
    """Judge: value * (1 + noise * gaussian), and position + noise * gaussian (manual)."""
    swing, same = Swing(), Swing()
    sensors = _engine.SamplePass()
    sensors.add(swing.distance(noise=0.1), b"a", 10, 0)
    sensors.add(swing.distance(noise=0.0), b"b", 10, 0)
    sensors.add(_engine.JointPosition(swing.axis, 0.5, -1.0), b"c", 10, 0)
    sensors.sample(10)
    values = [value for _, (value,) in sensors.take()]
    first, second = same.world.gauss(), same.world.gauss()
    assert values == [25 * (1 + 0.1 * first), 25, 0.0 + 0.5 * second]
    assert swing.world.random() == same.world.random()


@pytest.mark.parametrize(("resolution", "expected"), [(-1, 25), (2, 26), (10, 30), (0, 25)])
def test_resolutions_round_halves_up(resolution: float, expected: float) -> None:
    assert Swing().distance(resolution=resolution).measure(0.0) == (expected,)


def test_packets_hold_the_time_and_what_waits() -> None:
    swing, sensors = Swing(), _engine.SamplePass()
    sensors.set_time_head(TIME_HEAD)
    sensors.add(swing.distance(), b"first", 10, 0)
    sensors.add(swing.distance(), b"second", 20, 0)
    sensors.sample(10)
    body = TIME_HEAD + struct.pack("<d", 0.01) + b"first" + struct.pack("<d", 25.0)
    assert sensors.packet(0.01) == struct.pack("<ii", 8 + len(body), 0) + body
    assert not sensors.waits
    assert sensors.packet(0.02) == struct.pack("<ii", 20, 0) + TIME_HEAD + struct.pack("<d", 0.02)


def test_a_removed_source_prevents_all_samples() -> None:
    swing, sensors = Swing(), _engine.SamplePass()
    position = _engine.JointPosition(swing.axis, 0.5, -1.0)
    sensors.add(position, b"a", 10, 0)
    gone = swing.distance()
    sensors.add(gone, b"b", 20, 0)
    swing.rays.remove()
    assert sensors.sample(10), "it is not due"
    state = swing.world.state()
    assert not sensors.sample(20)
    assert swing.world.state() == state, "no random number was drawn"
    assert sensors.lasts == [10, 0]
    assert not gone.is_usable
    with pytest.raises(_engine.HandleError):
        gone.measure(0.0)


def test_a_changed_scene_is_not_measured() -> None:
    swing = Swing()
    scene = _engine.Scene(swing.world)
    rays = scene.rays(None, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), [(1.0, 0.0, 0.0)], 3.0)
    light = _engine.Reflection(
        rays, [1.0], 3.0, 1.0, _engine.Response([(0.0, 0.0, 0.0), (3.0, 3.0, 0.0)], -1.0), 1.0
    )
    assert light.measure(0.0) == (3.0,)
    scene.stale = True
    assert not light.is_usable


def test_reflected_light_is_weighted() -> None:
    """Judge: distance / factor, with the weighted means of both; factor 0.2 + 0.8 red (manual)."""
    swing = Swing()
    scene = _engine.Scene(swing.world)
    red = scene.add_material(_engine.Material((0.5, 0.0, 0.0)))
    none, upright = _engine.Mapping.none(), (1.0, 0.0, 0.0, 0.0)
    scene.add(_engine.Shape.box((1.0, 1.0, 1.0)), none, None, (2.0, 0.0, 0.0), upright, red)
    aims = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    rays = scene.rays(None, (0.0, 0.0, 0.0), upright, aims, 3.0)
    rows = [(0.0, 0.0, 0.0), (30.0, 30.0, 0.0)]
    light = _engine.Reflection(rays, [0.75, 0.25], 3.0, 1.0, _engine.Response(rows, -1.0), 1.0)
    distance, factor = 0.75 * 1.5 + 0.25 * 3, 0.75 * 0.6 + 0.25
    assert light.measure(0.0) == pytest.approx((distance / factor,))
    halved = _engine.Reflection(rays, [0.75, 0.25], 3.0, 2.0, _engine.Response(rows, -1.0), 0.0)
    assert halved.measure(0.0) == pytest.approx((distance / 2,))


def test_an_echo_needs_a_surface_that_faces_the_ray() -> None:
    """Surfaces are heard within 22.5 degrees (manual, DistanceSensor)."""
    for angle, expected in ((0.38, True), (0.41, False)):
        world = _engine.World()
        turn = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
        world.add_geom(_engine.Shape.box((1.0, 9.0, 9.0)), position=(2.0, 0.0, 0.0), orientation=turn)
        rays = world.add_rays([(0.0, 0.0, 0.0)], [(1.0, 0.0, 0.0)], [5.0])
        echo = _engine.Echo(rays, [1.0], 5.0, 1.0, _engine.Response([(0.0, 0.0, 0.0), (5.0, 5.0, 0.0)], -1.0))
        (value,) = echo.measure(0.0)
        assert (value < 5) is expected
