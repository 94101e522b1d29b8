"""A small world for sweeps: a ball on a slope, and a robot that counts its steps."""

from pathlib import Path

TEXT = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 10 randomSeed 3 }
DEF BALL Solid {
  translation 0 0 1
  children [ Shape { geometry Sphere { radius 0.1 } } ]
  name "ball"
  boundingObject Sphere { radius 0.1 }
  physics Physics { density -1 mass 0.5 }
}
DEF ROBOT Robot {
  translation 5 0 0
  children [
    Solid { children [ DistanceSensor { name "eye" numberOfRays 1 } ] name "eye holder" }
  ]
  name "counter"
  controller "<none>"
  customData "0"
}
"""


def write(folder: Path, text: str = TEXT) -> Path:
    """Write the world into a folder as a project would have it."""
    path = folder / "worlds" / "ball.wbt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def write_controller(folder: Path, name: str, text: str) -> None:
    """Write a Python controller of the project."""
    path = folder / "controllers" / name / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
