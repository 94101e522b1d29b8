"""Pens: their state is in the fields, and their ink is on the shapes below them.

Judge: the reference manual's chapter Pen, and WbPaintTexture.cpp for sizes and colors.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import numpy as np
import pytest

from tests.devices.rig import STEP_MS, Rig, robot, world
from wbridge.wbcore.visual.ink import Ink, default_size

PEN = 'DEF PEN Pen { name "pen" write FALSE translation 0 0 1 leadSize 0.1 inkColor 1 0 0 inkDensity 1 }'
FLOOR = (
    "DEF FLOOR Solid { children [ DEF SHAPE Shape { appearance PBRAppearance { baseColor 0 0 1 roughness 0 "
    "metalness 0 } geometry Plane { size 2 2 } } ] }"
)
SENSOR = (
    'DistanceSensor { name "ir" type "infra-red" translation 0 0 1 rotation 0 1 0 1.5707963 '
    "lookupTable [ 0 0 0 2 2000 0 ] }"
)


@pytest.fixture
def rig(drive: Callable[..., Rig]) -> Rig:
    return drive(world(f"{robot(f'{PEN} {SENSOR}')} {FLOOR}"))


def ink_of(rig: Rig) -> Ink:
    return rig.simulation.inks.by_shape[rig.node("SHAPE")]


def test_the_pen_is_put_down_and_lifted(rig: Rig):
    rig["pen"].write(True)
    rig.step()
    assert rig.node("PEN").get("write") is True
    rig["pen"].write(False)
    rig["pen"].write(True)
    rig.step()
    rig["pen"].write(False)
    rig.step()
    assert rig.node("PEN").get("write") is False


def test_the_ink_is_chosen(rig: Rig):
    rig["pen"].set_ink_color(0xFF8000, 0.25)
    rig.step()
    assert rig.node("PEN").get("inkColor") == pytest.approx((1, 128 / 255, 0))
    assert rig.node("PEN").get("inkDensity") == 0.25


@pytest.mark.parametrize("density", [-0.1, 1.1, float("nan")])
def test_nonsense_from_the_wire_is_refused(rig: Rig, density: float):
    with pytest.raises(ValueError, match="density"):
        rig.model("pen").on_set_ink_color(0, 0, 0, density)


@pytest.mark.parametrize(
    ("radius", "size"),
    # 32 + 992 radius / 10, rounded to the nearest power of two, at most 1024.
    [(0.01, 32), (1.0, 128), (1.7, 256), (2**0.5, 128), (10.0, 1024), (500.0, 1024)],
)
def test_the_size_of_ink_on_shapes_without_texture(radius: float, size: int):
    assert default_size(radius) == size


def test_a_pen_paints_a_disc_below_it(rig: Rig):
    """The bounding radius is sqrt(2) m, so 128 pixels; int(0.1 128 / sqrt(2)) = 9, radius 4 pixels."""
    rig["pen"].write(True)
    rig.step(2)
    ink = ink_of(rig)
    y, x = np.nonzero(ink.density)
    assert ink.density.shape == (128, 128)
    wanted = {(i, j) for i in range(-4, 5) for j in range(-4, 5) if i * i + j * j <= 16}
    assert set(zip(x - 64, y - 64, strict=True)) == wanted
    assert ink.texture.pixels[64, 64].tolist() == [255, 0, 0, 255]


def test_nothing_is_painted_before_write(rig: Rig):
    rig.step(3)
    assert rig.simulation.inks.by_shape == {}


def test_a_pen_paints_only_within_its_reach(drive: Callable[..., Rig]):
    for reach, count in ((0.9, 0), (1.1, 1)):
        pen = PEN.replace("write FALSE", f"write TRUE maxDistance {reach}")
        rig = drive(world(f"{robot(pen)} {FLOOR}"))
        rig.step(2)
        assert len(rig.simulation.inks.by_shape) == count


def test_infra_red_sensors_see_the_ink(rig: Rig):
    """Manual: the drawings of a pen can be seen by infra-red distance sensors."""
    rig.enable("ir")
    rig.step(2)
    blue = rig["ir"].get_value()
    rig["pen"].write(True)
    rig.step(3)
    assert rig["ir"].get_value() < blue  # red reflects more: the floor seems nearer


def test_colors_are_weighted_by_their_densities():
    ink = Ink(8, 8)
    ink.paint((0.5, 0.5), 1, (1, 0, 0), 0.25)
    ink.paint((0.5, 0.5), 1, (0, 0, 1), 0.5)
    assert ink.colors[4, 4] == pytest.approx((1 / 3, 0, 2 / 3))
    assert ink.density[4, 4] == 0.75
    ink.paint((0.5, 0.5), 1, (0, 0, 1), 0.5)
    assert ink.density[4, 4] == 1
    assert ink.texture.pixels[4, 4].tolist() == [51, 0, 204, 255]


@pytest.mark.parametrize("place", [(-0.1, 0.5), (0.5, 1.1), (float("nan"), 0.5)])
def test_places_outside_are_not_painted(place: tuple[float, float]):
    ink = Ink(8, 8)
    ink.paint(place, 3, (1, 0, 0), 1)
    assert not ink.density.any()


def test_discs_are_cut_at_the_border():
    ink = Ink(8, 8)
    for place in ((0, 0), (0.999, 0.999)):
        ink.paint(place, 4, (1, 0, 0), 1)
    assert np.count_nonzero(ink.density) == 12


def test_ink_evaporates(drive: Callable[..., Rig]):
    """exp(-inkEvaporation t) of the density is left."""
    rig = drive(world(f"{robot(PEN)} {FLOOR}", info="inkEvaporation 2"))
    rig["pen"].write(True)
    rig.step()
    rig["pen"].write(False)
    rig.step()
    ink = ink_of(rig)
    before = ink.density[64, 64]
    rig.step(10)
    assert ink.density[64, 64] == pytest.approx(before * exp(-2 * 10 * STEP_MS / 1000))


def test_a_state_restores_the_ink_and_a_reset_removes_it(rig: Rig):
    rig["pen"].write(True)
    rig.step(2)
    state = rig.simulation.state()
    painted = ink_of(rig).density.copy()
    rig.simulation.reset()
    assert not ink_of(rig).density.any()
    rig.simulation.restore(state)
    assert (ink_of(rig).density == painted).all()
