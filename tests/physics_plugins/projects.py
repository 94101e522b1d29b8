"""Small projects with a physics plugin, written by tests."""

from __future__ import annotations

from pathlib import Path

from wbridge.running.plugin_building import build_plugin
from wbridge.wbcore.simulation import PluginOptions, Simulation

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 8 physics "probe" }
Viewpoint { }
DEF FLOOR Solid { boundingObject Plane { size 10 10 } }
DEF BOX Solid {
  translation 0 0 0.05
  boundingObject Box { size 0.1 0.1 0.1 }
  physics Physics { density -1 mass 2 }
}
DEF BALL Solid {
  translation 1 0 2
  name "ball"
  boundingObject Sphere { radius 0.1 }
  physics Physics { density -1 mass 1 damping NULL }
}
"""
"""A box of 2 kg on the floor, and a ball of 1 kg, 2 m above it."""
HEAD = "#include <plugins/physics.h>\n"
EMPTY = {
    "init": "void webots_physics_init() {}\n",
    "step": "void webots_physics_step() {}\n",
    "cleanup": "void webots_physics_cleanup() {}\n",
}


def project(folder: Path, source: str, suffix: str = ".c", world: str = WORLD) -> Path:
    """Write a world with the plugin "probe", and return the world. Functions that must exist are added."""
    place = folder / "plugins" / "physics" / "probe"
    place.mkdir(parents=True, exist_ok=True)
    (place / f"probe{suffix}").write_text(source)
    (folder / "worlds").mkdir(exist_ok=True)
    path = folder / "worlds" / "probe.wbt"
    path.write_text(world)
    return path


def complete(source: str) -> str:
    """Return a source in C or C++ with the header, and empty functions for those that it lacks."""
    missing = [text for name, text in EMPTY.items() if f"webots_physics_{name}(" not in source]
    return HEAD + source + "\n" + "".join(missing)


def simulation(world: Path, lines: list[str] | None = None, limit_s: float = 30.0) -> Simulation:
    """Build the plugin, and load the world; `lines` gets what the plugin prints."""
    write = (lambda text: None) if lines is None else (lambda text: lines.append(text.rstrip("\n")))
    return Simulation(world, plugin=PluginOptions(build=build_plugin, limit_s=limit_s, print=write))
