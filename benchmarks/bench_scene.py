"""Loading worlds: time of the parser and of PROTO instances, memory, start-up time of the command."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tracemalloc
from functools import partial
from pathlib import Path

from benchmarks.case import Case, Reading, Unavailable, alternate, compare, seconds_of
from benchmarks.yardsticks import PYTHON_START, python_start
from scripts.inputs import inputs_directory
from wbridge.wbcore.scene.load import LoadOptions, load_world

HEADER = "#VRML_SIM R2023b utf8\n"
SMALL_WORLD = HEADER + 'WorldInfo {\n}\nViewpoint {\n}\nRobot {\n  name "small"\n}\n'


WORD = re.compile(r"[^\s\[\]{},]+|[\[\]{}]")
WORDS = "words of the text by a regular expression"
REPEATS = 5


def cases() -> list[Case]:
    """The measurements of this file."""
    return [
        Case("parse visual_tracking.wbt", parse_visual_tracking, 4, "ms", WORDS),
        Case("parse text with many nodes", parse_many_nodes, 30, "ms", WORDS),
        Case("load an arena with 300 PROTO instances", load_arena, 450, "ms", WORDS),
        Case("peak memory of loading visual_tracking.wbt", memory_of_loading, 15, "MB", "the file"),
        Case("wbridge check of a small world", check_small_world, 35, "ms", PYTHON_START),
    ]


def visual_tracking() -> Path:
    """A world with 1.3 MB of meshes in text."""
    folder = inputs_directory()
    if folder is None:
        raise Unavailable("user worlds not found; set WBRIDGE_INPUTS to their folder")
    return folder / "visual-tracking" / "worlds" / "visual_tracking.wbt"


def many_nodes(solids: int = 3000) -> str:
    """A world of many small nodes, about 1 MB, without indentation, which would inflate the result."""
    text = HEADER + "WorldInfo {\n}\nGroup {\nchildren [\n" + "".join(map(_solid, range(solids))) + "]\n}\n"
    return "\n".join(line.lstrip() for line in text.split("\n"))


def _solid(index: int) -> str:
    """One solid with a shape, a bounding object and physics; a tenth of them with a joint and a sensor."""
    joint = JOINT if index % 10 == 0 else ""
    return f"""    DEF S{index} Solid {{
      translation {index % 37} {index % 91 / 8} 0.5
      rotation 0 0 1 {index % 63 / 10}
      children [
        Shape {{
          appearance PBRAppearance {{
            baseColor 0.8 {index % 10 / 10} 0.3
            roughness 0.4
            metalness 0
          }}
          geometry DEF G{index} Box {{
            size 0.1 0.2 {index % 7 / 10 + 0.1}
          }}
        }}{joint}
      ]
      name "solid {index}"
      boundingObject USE G{index}
      physics Physics {{
        density -1
        mass 0.5
      }}
    }}
"""


JOINT = """
        HingeJoint {
          jointParameters HingeJointParameters {
            axis 0 1 0
            anchor 0 0 0.1
          }
          device [
            RotationalMotor {
              name "motor"
            }
            PositionSensor {
              name "sensor"
            }
          ]
          endPoint Solid {
            name "arm"
            boundingObject Sphere {
              radius 0.05
            }
            physics Physics {
            }
          }
        }"""


def arena_text(boxes: int = 299) -> str:
    """An arena full of boxes: `boxes` + 1 PROTO instances."""
    return "".join(
        [HEADER, "WorldInfo {\n}\nRectangleArena {\n  floorSize 20 20\n}\n", *map(_box, range(boxes))]
    )


def _box(index: int) -> str:
    """A box with a unique position, name and size, so that no two have the same body."""
    return f"""WoodenBox {{
  translation {index % 18 - 9} {index // 18 - 9} 0.3
  name "box {index}"
  size 0.5 0.5 {0.2 + index / 1000:.3f}
}}
"""


def load(path: Path) -> None:
    """Load a world that has no errors except missing models."""
    report = load_world(path, LoadOptions(allow_missing=True)).report
    if report.errors:
        raise RuntimeError(f"the benchmark's world has errors; first: {report.errors[0]}")


def beside_words(path: Path) -> Reading:
    """Milliseconds to load a world, and to find the words of its text."""
    text = path.read_text(encoding="utf-8")
    words = seconds_of(partial(WORD.findall, text))
    return alternate(seconds_of(partial(load, path)), words, REPEATS, per=1e-3)


def load_text(text: str) -> Reading:
    """Milliseconds to load a world with this text, and to find its words."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "benchmark.wbt"
        path.write_text(text, encoding="utf-8")
        return beside_words(path)


def parse_visual_tracking() -> Reading:
    """Milliseconds to load the world."""
    return beside_words(visual_tracking())


def parse_many_nodes() -> Reading:
    """Milliseconds to load many small nodes."""
    return load_text(many_nodes())


def load_arena() -> Reading:
    """Milliseconds to load the arena."""
    return load_text(arena_text())


def memory_of_loading() -> Reading:
    """Peak of memory (MB) allocated by Python while loading, and size of the file."""
    path = visual_tracking()
    load(path)  # exclude what is loaded once per process, such as the schema
    tracemalloc.start()
    try:
        load(path)
        return compare(tracemalloc.get_traced_memory()[1] / 1e6, path.stat().st_size / 1e6)
    finally:
        tracemalloc.stop()


def check_small_world() -> Reading:
    """Milliseconds of the whole process, including the start of the interpreter; and of a start of Python."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.wbt"
        path.write_text(SMALL_WORLD, encoding="utf-8")
        command = [sys.executable, "-m", "wbridge", "check", "--quiet", str(path)]
        own = seconds_of(partial(subprocess.run, command, check=True))
        return alternate(own, python_start, 2 * REPEATS, per=1e-3)
