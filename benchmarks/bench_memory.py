"""Memory of many worlds in one process, which share texts, meshes and textures, relative to that of
Python."""

from __future__ import annotations

import math
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.case import Case, Reading, Unavailable, compare
from benchmarks.checkout import CHECKOUT
from benchmarks.yardsticks import PYTHON_MEMORY, python_memory

RINGS = 100
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { }
Solid {
  children [ DEF FLOOR Shape {
    appearance PBRAppearance { baseColorMap ImageTexture { url [ "picture.png" ] } }
    geometry Box { size 5 5 0.1 }
  } ]
  boundingObject USE FLOOR
}
Solid {
  translation 0 0 0.5
  name "stone"
  children [ Shape { geometry DEF STONE Mesh { url [ "stone.stl" ] } } ]
  boundingObject USE STONE
  physics Physics { }
}
Robot {
  translation 0 0 1
  rotation 0 1 0 1.57
  children [ DistanceSensor { type "infra-red" } ]
  controller "<none>"
}
"""


def cases() -> list[Case]:
    """The measurements of this file."""
    return [
        Case("memory per further world of epuck_arena.wbt", memory_of_arena, 0.4, "MB", PYTHON_MEMORY),
        Case("memory per further world with a mesh and a picture", memory_of_mesh, 0.1, "MB", PYTHON_MEMORY),
    ]


def memory_of(world: Path) -> Reading:
    """MB per further simulation of a world, and of Python."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise Unavailable("this system does not show the memory of processes in /proc")
    command = [sys.executable, "-m", "benchmarks.world_memory", str(world)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return compare(float(done.stdout), python_memory())


def memory_of_arena() -> Reading:
    """MB per e-puck arena."""
    return memory_of(CHECKOUT / "worlds" / "epuck_arena.wbt")


def memory_of_mesh() -> Reading:
    """MB per world with a mesh of 40,000 triangles and a picture of a million pixels."""
    from PIL import Image

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "stone.stl").write_bytes(stone())
        Image.effect_noise((1024, 1024), 50).save(Path(folder, "picture.png"))
        world = Path(folder, "stone.wbt")
        world.write_text(WORLD, encoding="utf-8")
        return memory_of(world)


def stone() -> bytes:
    """An uneven ball as an STL file."""
    rows = range(RINGS)
    faces = [face for i in rows for j in range(2 * RINGS) for face in _faces(i, j)]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *(c for p in face for c in p), 0) for face in faces)
    return bytes(80) + struct.pack("<I", len(faces)) + body


def _faces(i: int, j: int) -> list[list[tuple[float, float, float]]]:
    a, b, c, d = _point(i, j), _point(i + 1, j), _point(i + 1, j + 1), _point(i, j + 1)
    return [[a, b, d]] * (i > 0) + [[b, c, d]] * (i < RINGS - 1)


def _point(i: int, j: int) -> tuple[float, float, float]:
    polar, around = math.pi * i / RINGS, math.pi * j / RINGS
    radius = 0.1 * (1 + 0.1 * math.sin(8 * around) * math.sin(polar) ** 2)
    level = radius * math.sin(polar)
    return level * math.cos(around), level * math.sin(around), radius * math.cos(polar)
