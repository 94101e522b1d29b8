"""Pixels of figures, closed form.

Judges: the reference manual's chapter Display (Bresenham lines, outlines and fillings, the opacity formula),
and the arithmetic of WbDisplay.cpp: new = ((255 - opacity) old + opacity ink) / 255 in whole numbers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from wbridge.wbcore.drawing.canvas import BLACK, Canvas

W = 0xFFFFFFFF
M = 2**31 - 1


def picture(draw: Callable[[Canvas], object], width: int = 7, height: int = 5) -> str:
    """The pixels that become white."""
    canvas = Canvas(width, height)
    draw(canvas)
    assert set(np.unique(canvas.pixels)) <= {BLACK, W}
    return " ".join("".join("#" if one == W else "." for one in row) for row in canvas.pixels)


NOTHING, ALL = " ".join(["......."] * 5), " ".join(["#######"] * 5)
FIGURES: list[tuple[str, Callable[[Canvas], object], str]] = [
    ("pixel", lambda c: c.point(2, 1), "....... ..#.... ....... ....... ......."),
    ("pixel outside", lambda c: c.point(7, 1), NOTHING),
    ("level line", lambda c: c.line((1, 2), (5, 2)), "....... ....... .#####. ....... ......."),
    ("upright line", lambda c: c.line((3, 4), (3, 1)), "....... ...#... ...#... ...#... ...#..."),
    ("diagonal", lambda c: c.line((4, 4), (0, 0)), "#...... .#..... ..#.... ...#... ....#.."),
    ("line of slope 1/2", lambda c: c.line((0, 0), (6, 3)), "#...... .##.... ...##.. .....## ......."),
    ("the same backward", lambda c: c.line((6, 3), (0, 0)), "##..... ..##... ....##. ......# ......."),
    ("steep line", lambda c: c.line((0, 0), (1, 4)), "#...... #...... .#..... .#..... .#....."),
    ("line of one pixel", lambda c: c.line((2, 2), (2, 2)), "....... ....... ..#.... ....... ......."),
    ("clipped line", lambda c: c.line((-3, -3), (2, 2)), "#...... .#..... ..#.... ....... ......."),
    ("line beside", lambda c: c.line((-5, 0), (0, 9)), NOTHING),
    ("huge line", lambda c: c.line((-M, -M), (M, M)), "#...... .#..... ..#.... ...#... ....#.."),
    ("rectangle", lambda c: c.rectangle(1, 1, 4, 3), "....... .####.. .#..#.. .####.. ......."),
    ("rectangle of a row", lambda c: c.rectangle(1, 1, 4, 1), "....... .####.. ....... ....... ......."),
    ("rectangle of a column", lambda c: c.rectangle(1, 1, 1, 3), "....... .#..... .#..... .#..... ......."),
    ("clipped rectangle", lambda c: c.rectangle(-2, -2, 5, 5), "..#.... ..#.... ###.... ....... ......."),
    ("empty rectangle", lambda c: c.rectangle(1, 1, 0, 3), NOTHING),
    ("filled rectangle", lambda c: c.fill_rectangle(1, 1, 4, 3), "....... .####.. .####.. .####.. ......."),
    (
        "filled, over the left",
        lambda c: c.fill_rectangle(-2, 3, 4, 9),
        "....... ....... ....... ##..... ##.....",
    ),
    ("filled, all", lambda c: c.fill_rectangle(-M, -M, 2 * M, 2 * M), ALL),
    ("filled, negative", lambda c: c.fill_rectangle(3, 3, -2, 1), NOTHING),
    ("oval of radius 1", lambda c: c.oval((3, 2), 1, 1, False), "....... ...#... ..#.#.. ...#... ......."),
    ("circle of radius 2", lambda c: c.oval((3, 2), 2, 2, False), "...#... ..#.#.. .#...#. ..#.#.. ...#..."),
    ("its disk", lambda c: c.oval((3, 2), 2, 2, True), "...#... ..###.. .#####. ..###.. ...#..."),
    ("flat oval", lambda c: c.oval((3, 2), 3, 1, False), "....... .#####. #.....# .#####. ......."),
    ("oval without size", lambda c: c.oval((3, 2), 0, 3, True), NOTHING),
    ("huge disk", lambda c: c.oval((3, 2), M, M, True), ALL),
    ("inside of a huge oval", lambda c: c.oval((3, 2), M, M, False), NOTHING),
    ("edge of a huge oval", lambda c: c.oval((M, 2), M, M, False), "#...... #...... #...... #...... #......"),
    ("triangle", lambda c: c.polygon([0, 6, 0], [0, 0, 4], True), "####### #####.. ####... ##..... #......"),
    (
        "its outline",
        lambda c: c.polygon([0, 6, 0], [0, 0, 4], False),
        "####### #...#.. #..#... ##..... #......",
    ),
    (
        "diamond",
        lambda c: c.polygon([2, 4, 2, 0], [0, 2, 4, 2], True),
        "....... .###... #####.. .###... ..#....",
    ),
    ("polygon of a corner", lambda c: c.polygon([3], [2], True), "....... ....... ...#... ....... ......."),
    (
        "polygon of an edge",
        lambda c: c.polygon([1, 4], [2, 2], True),
        "....... ....... .####.. ....... .......",
    ),
    (
        "polygon over the left",
        lambda c: c.polygon([-4, 2, 2, -4], [1, 1, 3, 3], True),
        "....... ###.... ###.... ###.... .......",
    ),
    ("no corners", lambda c: c.polygon([], [], True), NOTHING),
    ("huge polygon", lambda c: c.polygon([-M, M, M, -M], [-M, -M, M, M], True), ALL),
]


@pytest.mark.parametrize(("draw", "wanted"), [one[1:] for one in FIGURES], ids=[one[0] for one in FIGURES])
def test_figures_have_these_pixels(draw: Callable[[Canvas], object], wanted: str):
    assert picture(draw) == wanted


def inked(rgb: int, alpha: int = 255, opacity: int = 255) -> Canvas:
    made = Canvas(4, 3)
    made.rgb, made.alpha, made.opacity = rgb, alpha, opacity
    return made


@pytest.mark.parametrize(
    ("rgb", "alpha", "opacity", "pixel"),
    [
        (0xFF8001, 255, 255, 0xFFFF8001),
        (0xFF8001, 128, 255, 0x80FF8001),
        (0xFF8001, 0, 255, 0x00FF8001),
        # 255 - 127 = 128: alpha (128 255 + 127 255) / 255; red 127 255 / 255; green 127 128 / 255 = 63.7.
        (0xFF8001, 255, 127, 0xFF7F3F00),
        (0xFF8001, 255, 0, BLACK),
        # Alpha (205 255 + 50 100) / 255 = 224.6.
        (0xFFFFFF, 100, 50, 0xE0323232),
    ],
)
def test_ink_blends_all_four_channels_in_whole_numbers(rgb: int, alpha: int, opacity: int, pixel: int):
    for draw in (
        lambda c: c.point(1, 1),
        lambda c: c.line((1, 1), (3, 1)),
        lambda c: c.oval((2, 1), 1, 1, False),
        lambda c: c.polygon([1], [1], True),
    ):
        canvas = inked(rgb, alpha, opacity)
        draw(canvas)
        assert hex(canvas.pixels[1, 1]) == hex(pixel)


def test_ink_with_alpha_0_clears_filled_rectangles_and_polygons():
    canvas = inked(0xFF8001, 0)
    canvas.fill_rectangle(0, 0, 2, 1)
    canvas.polygon([0, 3, 3, 0], [1, 1, 2, 2], True)
    assert canvas.pixels[0].tolist() == [0, 0, BLACK, BLACK]
    # The lower row is between the sides; the horizontal edges are lines, which keep the color.
    assert canvas.pixels[1].tolist() == [0x00FF8001] * 4


def test_translucent_ink_counts_twice_where_a_rectangle_is_one_row():
    canvas = inked(0xFFFFFF, 255, 51)
    canvas.rectangle(0, 1, 4, 1)
    # 51 255 / 255 = 51, then (204 51 + 51 255) / 255 = 91.8.
    assert canvas.pixels[1].tolist() == [0xFF5B5B5B] * 4


def test_many_translucent_layers_end_in_the_ink_without_long_loops():
    canvas = inked(0x808080, 255, 128)
    canvas.polygon([0, 3] * 16000, [1, 1] * 16000, True)
    assert canvas.pixels[1, 2] == 0xFF7F7F7F  # (127 x + 128 128) / 255 stops at 127, rounded down


def walk(a: int, b: int) -> tuple[Counter[tuple[int, int]], dict[int, int]]:
    """The midpoint algorithm step by step: pixels from the center, and the half width of filled rows."""
    found, rows = Counter({(a, 0): 1, (-a, 0): 1}), {0: a}
    x, n = a, 0
    error, right, up = a * b * b, 2 * a * b * b, 0
    while x > 0:
        if error > 0:
            n, up = n + 1, up + 2 * a * a
            error -= up
        if error <= 0:
            x, right = x - 1, right - 2 * b * b
            error += right
        rows.setdefault(n, x)
        found.update({(sign * x, side * n) for sign in (1, -1) for side in (1, -1)})
    return found, rows


def test_ovals_are_those_of_the_midpoint_algorithm():
    chance = random.Random(1)
    for _ in range(150):
        a, b = chance.choice(((chance.randint(1, 30), chance.randint(1, 30)), (1, 25), (25, 1)))
        x, y = chance.randint(-10, 40), chance.randint(-10, 40)
        found, rows = walk(a, b)
        canvas, filled = Canvas(32, 27), Canvas(32, 27)
        canvas.oval((x, y), a, b, False)
        filled.oval((x, y), a, b, True)
        for row in range(27):
            half = rows.get(abs(row - y), -1)
            for column in range(32):
                assert (canvas.pixels[row, column] == W) == ((column - x, row - y) in found)
                assert (filled.pixels[row, column] == W) == (abs(column - x) <= half)


def test_images_are_clipped():
    canvas = Canvas(4, 3)
    canvas.pixels[:] = np.arange(12, dtype=np.uint32).reshape(3, 4)
    part = canvas.copy(-1, 1, 3, 9, None)
    assert part is not None
    assert part.tolist() == [[4, 5], [8, 9]]
    assert canvas.copy(4, 0, 1, 1, None) is None
    canvas.paste(part, 3, -1, False)
    assert canvas.pixels.tolist() == [[0, 1, 2, 8], [4, 5, 6, 7], [8, 9, 10, 11]]
    canvas.paste(part, -5, 0, False)
    canvas.paste(part, M, -M, True)
    assert canvas.pixels[0].tolist() == [0, 1, 2, 8]


@pytest.mark.parametrize(
    ("old", "new", "pixel"),
    [
        (0xFF000000, 0x80FF8001, 0xFF804000),  # alpha min(255, 255 + 128); red 128 255 / 255
        (0x40102030, 0x00FFFFFF, 0x40102030),
        (0x40102030, 0xFF0A0B0C, 0xFF0A0B0C),
        (0x20FF0000, 0x300000FF, 0x50CF0030),  # red (255 - 48) 255 / 255 = 207, blue 48
    ],
)
def test_pasting_blends_by_the_alpha_of_the_image(old: int, new: int, pixel: int):
    canvas = Canvas(1, 1)
    canvas.pixels[:] = old
    canvas.paste(np.array([[new]], dtype=np.uint32), 0, 0, True)
    assert hex(canvas.pixels[0, 0]) == hex(pixel)


def test_a_copy_shows_the_background_through_transparent_pixels():
    canvas = Canvas(3, 1)
    canvas.pixels[:] = [[0, 0xFF112233, 0x80FF0000]]
    background = np.array([[0xFF445566, 0xFF445566, 0xFF0000FF]], dtype=np.uint32)
    copied = canvas.copy(0, 0, 3, 1, background)
    assert copied is not None
    # Red 128 255 / 255, blue 127 255 / 255.
    assert [hex(one) for one in copied[0]] == ["0xff445566", "0xff112233", "0xff80007f"]


def test_only_visible_black_is_uncovered():
    canvas = Canvas(3, 1)
    canvas.pixels[:] = [[BLACK, 0xFE000000, 0xFF000001]]
    canvas.uncover()
    assert canvas.pixels.tolist() == [[0, 0xFE000000, 0xFF000001]]
