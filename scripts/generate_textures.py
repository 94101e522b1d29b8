#!/usr/bin/env python3
"""Draw the textures of the bundled PROTO models and sample worlds: identical bytes on every run, with the
standard library only.

Each texture is a function of a pixel; `TEXTURES` maps file names below `protos/` to (size, function),
`COURSES` those below `worlds/`.
Run without arguments to write the files, with `--check` to compare them with the committed ones.
"""

from __future__ import annotations

import argparse
import math
import struct
import sys
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

Color = tuple[float, float, float]
Painter = Callable[[float, float], Color]

CHECKOUT = Path(__file__).resolve().parent.parent


def hash01(x: int, y: int, seed: int = 0) -> float:
    """Pseudo-random value in [0, 1) of a lattice point (integer mixing, no global state)."""
    n = (x * 374761393 + y * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFFFF) / 0x1000000


def noise(u: float, v: float, cells_u: int, cells_v: int, seed: int) -> float:
    """Smooth value noise in [0, 1) that repeats with period 1 in `u` and `v`."""
    x, y = u * cells_u, v * cells_v
    i, j = math.floor(x), math.floor(y)
    fx, fy = x - i, y - j
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)

    def corner(di: int, dj: int) -> float:
        return hash01((i + di) % cells_u, (j + dj) % cells_v, seed)

    low = corner(0, 0) * (1 - fx) + corner(1, 0) * fx
    high = corner(0, 1) * (1 - fx) + corner(1, 1) * fx
    return low * (1 - fy) + high * fy


def scaled(color: Color, factor: float) -> Color:
    """Color multiplied by a brightness factor."""
    return (color[0] * factor, color[1] * factor, color[2] * factor)


def grainy(u: float, v: float, color: Color, cells: int, depth: float, seed: int) -> Color:
    """Even material with two octaves of spots; `depth` is the share of brightness that varies."""
    spots = 0.6 * noise(u, v, cells, cells, seed) + 0.4 * noise(u, v, cells * 3, cells * 3, seed + 1)
    return scaled(color, 1 - depth * spots)


def wood(u: float, v: float, color: Color, seed: int) -> Color:
    """Wood with its grain along `u`."""
    lines = 0.7 * noise(u, v, 2, 24, seed) + 0.3 * noise(u, v, 6, 48, seed + 1)
    return scaled(color, 0.75 + 0.25 * lines)


def strips(u: float, v: float, color: Color, seed: int) -> Color:
    """Floor of long boards, each with its own shade and a dark joint."""
    row = math.floor(v * 4)
    along = u + hash01(row, 7, seed)
    board = math.floor(along * 2) % 2
    joint = min(v * 4 - row, (along * 2) % 1 * 8)
    shade = 0.8 + 0.2 * hash01(row, board, seed + 3)
    return scaled(wood(u, v, color, seed + row), shade * (0.55 if joint < 0.06 else 1))


def blocks(u: float, v: float, colors: tuple[Color, Color], count: int, seed: int) -> Color:
    """Square blocks, `count` in a row, alternating in color and in the direction of the grain."""
    i, j = math.floor(u * count), math.floor(v * count)
    fu, fv = u * count - i, v * count - j
    odd = (i + j) % 2
    grain = wood(fu, fv, colors[odd], seed + i) if odd else wood(fv, fu, colors[odd], seed + j)
    return scaled(grain, 0.6 if min(fu, fv) < 0.025 else 1)


def tiles(u: float, v: float, color: Color, joint: Color, count: int, seed: int) -> Color:
    """Square tiles, `count` in a row, with joints between them."""
    i, j = math.floor(u * count), math.floor(v * count)
    if min(u * count - i, v * count - j) < 0.04:
        return joint
    return grainy(u, v, scaled(color, 0.93 + 0.07 * hash01(i, j, seed)), 8, 0.08, seed)


def checkered(u: float, v: float) -> Color:
    """Two by two squares, gray and white."""
    return (120, 120, 124) if (u < 0.5) == (v < 0.5) else (236, 236, 236)


def brushed(u: float, v: float, color: Color, seed: int) -> Color:
    """Metal with fine scratches along `u`."""
    return scaled(color, 0.82 + 0.18 * noise(u, v, 2, 64, seed))


def bricks(u: float, v: float, color: Color, mortar: Color, rows: int, seed: int) -> Color:
    """Bricks twice as wide as high, every second row moved by half a brick."""
    row = math.floor(v * rows)
    x = u * rows / 2 + 0.5 * (row % 2)
    column = math.floor(x) % (rows // 2)
    if min(v * rows - row, (x % 1) * 2) < 0.12:
        return grainy(u, v, mortar, 16, 0.2, seed)
    return grainy(u, v, scaled(color, 0.8 + 0.2 * hash01(column, row, seed)), 16, 0.25, seed)


def tagged(u: float, v: float) -> Color:
    """Gray wall with a grid, so that sizes and turns can be seen."""
    base = grainy(u, v, (205, 203, 198), 12, 0.12, 31)
    return scaled(base, 0.75 if min((u * 4) % 1, (v * 4) % 1) < 0.04 else 1)


def crate(u: float, v: float) -> Color:
    """Side of a wooden box: boards with a frame and a diagonal."""
    frame = min(u, v, 1 - u, 1 - v) < 0.1
    diagonal = abs(u - v) < 0.07
    plank = (v * 6) % 1 < 0.05 and not frame and not diagonal
    shade = 1.0 if frame else 0.92 if diagonal else 0.8
    edge = 0.097 < min(u, v, 1 - u, 1 - v) < 0.112
    return scaled(wood(u, v, (193, 152, 99), 41), shade * (0.5 if plank or edge else 1))


def cardboard(u: float, v: float) -> Color:
    """Side of a cardboard box with adhesive tape across the middle."""
    color = (201, 176, 136) if abs(v - 0.5) < 0.06 else (176, 137, 91)
    return grainy(u, v, color, 24, 0.1, 51)


def can(u: float, v: float) -> Color:
    """Label of a drinks can: two colors, a wave, metal rims."""
    if v < 0.06 or v > 0.94:
        return (190, 192, 196)
    wave = 0.5 + 0.12 * math.sin(2 * math.pi * u)
    return (196, 40, 46) if v < wave else (236, 232, 222) if v < wave + 0.05 else (164, 24, 32)


def oval_line(u: float, v: float) -> Color:
    """Black line 18 mm wide on white, on a floor of 1.2 m x 1.8 m: two straight sides, two half circles."""
    x, y = 1.2 * (u - 0.5), 1.8 * (v - 0.5)
    beside = abs(math.hypot(x, max(0.0, abs(y) - 0.3)) - 0.44)
    # The edge is blurred over 4 mm, about a pixel.
    tone = 255 * max(0.0, min(1.0, (beside - 0.007) / 0.004))
    return (tone, tone, tone)


TEXTURES: dict[str, tuple[int, Painter]] = {
    "appearances/textures/asphalt.png": (
        96,
        partial(grainy, color=(84, 84, 86), cells=32, depth=0.4, seed=1),
    ),
    "appearances/textures/brushed_aluminium.png": (96, partial(brushed, color=(214, 216, 219), seed=2)),
    "appearances/textures/carpet.png": (
        96,
        partial(grainy, color=(150, 142, 128), cells=48, depth=0.4, seed=3),
    ),
    "appearances/textures/cardboard.png": (96, cardboard),
    "appearances/textures/concrete.png": (
        96,
        partial(grainy, color=(168, 166, 162), cells=12, depth=0.3, seed=5),
    ),
    "appearances/textures/copper.png": (
        64,
        partial(grainy, color=(204, 128, 92), cells=16, depth=0.3, seed=18),
    ),
    "appearances/textures/crate.png": (128, crate),
    "appearances/textures/grass.png": (96, partial(grainy, color=(88, 128, 56), cells=40, depth=0.5, seed=6)),
    "appearances/textures/parquetry_chequered.png": (
        128,
        partial(blocks, colors=((222, 184, 135), (148, 104, 66)), count=2, seed=7),
    ),
    "appearances/textures/parquetry_dark_strip.png": (128, partial(strips, color=(120, 84, 56), seed=8)),
    "appearances/textures/parquetry_light_strip.png": (128, partial(strips, color=(220, 186, 140), seed=9)),
    "appearances/textures/parquetry_mosaic.png": (
        128,
        partial(blocks, colors=((196, 150, 102), (184, 138, 92)), count=4, seed=10),
    ),
    "appearances/textures/pavement.png": (
        96,
        partial(bricks, color=(160, 158, 154), mortar=(110, 108, 104), rows=4, seed=11),
    ),
    "appearances/textures/pine.png": (96, partial(wood, color=(250, 240, 228), seed=12)),
    "appearances/textures/red_bricks.png": (
        96,
        partial(bricks, color=(168, 82, 62), mortar=(186, 178, 168), rows=8, seed=13),
    ),
    "appearances/textures/rust.png": (
        96,
        partial(grainy, color=(150, 120, 104), cells=10, depth=0.55, seed=14),
    ),
    "appearances/textures/sand.png": (
        96,
        partial(grainy, color=(206, 178, 132), cells=20, depth=0.25, seed=15),
    ),
    "appearances/textures/tagged_wall.png": (96, tagged),
    "appearances/textures/tiles.png": (
        96,
        partial(tiles, color=(226, 224, 218), joint=(150, 148, 142), count=4, seed=19),
    ),
    "floors/textures/checkered.png": (16, checkered),
    "food/textures/can.png": (64, can),
    "plants/textures/bark.png": (64, partial(wood, color=(122, 88, 62), seed=16)),
    "plants/textures/leaves.png": (64, partial(grainy, color=(84, 140, 62), cells=16, depth=0.6, seed=17)),
}

COURSES: dict[str, tuple[int, Painter]] = {
    "textures/oval_line.png": (512, oval_line),
}


def chunk(kind: bytes, data: bytes) -> bytes:
    """One chunk of a PNG file with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def paint(size: int, painter: Painter) -> bytes:
    """Render a square texture as a PNG file with a palette, the top row first.

    Tones are rounded to multiples of 8, which keeps the number of colors, and so the files, small.

    Raises:
        ValueError: the texture has more than 256 colors.
    """
    colors: dict[tuple[int, ...], int] = {}
    rows = bytearray()
    for y in range(size):
        rows.append(0)
        for x in range(size):
            tones = painter((x + 0.5) / size, (y + 0.5) / size)
            color = tuple(max(0, min(255, round(tone / 8) * 8)) for tone in tones)
            rows.append(colors.setdefault(color, len(colors)))
    header = struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)
    palette = bytes(tone for color in colors for tone in color)
    parts = (b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


def pixels(png: bytes) -> bytes:
    """Header, palette and decompressed rows of a file by `paint`; compressors may differ, these may not."""
    start = png.index(b"IDAT") + 4
    length = struct.unpack(">I", png[start - 8 : start - 4])[0]
    return png[8 : start - 8] + zlib.decompress(png[start : start + length])


def main() -> int:
    """Write or compare all textures; return 1 if `--check` finds a difference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    check = parser.parse_args().check
    stale = []
    pictures = [(f"protos/{name}", *what) for name, what in TEXTURES.items()]
    pictures += [(f"worlds/{name}", *what) for name, what in COURSES.items()]
    for name, size, painter in pictures:
        path, png = CHECKOUT / name, paint(size, painter)
        if not path.is_file() or pixels(path.read_bytes()) != pixels(png):
            stale.append(name)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(png)
    for name in stale:
        print(f"{'differs' if check else 'wrote'}: {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
