"""Fuzz the conversion of robot descriptions (URDF and MJCF), and load what it writes.

Run by `python -m fuzz.fuzz_robot --seconds 60 --seed 1 --report report.json`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from fuzz.case import Case, InvariantError
from fuzz.main import main
from fuzz.mutate import EXTREME_NUMBERS, HOSTILE_STRINGS, damaged, damaged_bytes
from wbridge.wbcore.importers import ConvertOptions, convert
from wbridge.wbcore.physics.errors import UnstableError
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation

SAMPLES = Path(__file__).parents[1] / "tests" / "importers"
TEXTS = {"urdf": (SAMPLES / "rover.urdf").read_text(), "xml": (SAMPLES / "hopper.xml").read_text()}
MESH = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


class RobotTarget:
    """Descriptions, damaged as trees (well-formed) or as texts."""

    name = "robot"

    def make(self, random: Random) -> Case:
        """Generate a description with a mesh beside it."""
        suffix = random.choice(list(TEXTS))
        if random.random() < 0.75:
            data = damaged_tree(TEXTS[suffix], random)
        else:
            data = damaged(TEXTS[suffix], random, list(TEXTS.values())).encode("utf-8", "replace")
            if random.random() < 0.2:
                data = damaged_bytes(data, random)
        return Case({f"robot.{suffix}": data, "part.obj": MESH}, f"robot.{suffix}")

    def run(self, main: Path) -> None:
        """Convert the file; the result must load and be simulated."""
        # The runner reports files that a case leaves behind.
        with TemporaryDirectory(dir=main.parent) as folder:
            _convert_and_load(main, Path(folder))

    def calls(self, case: Case) -> int:
        """The limit for a file."""
        return 1_000_000 + 100 * case.size


def _convert_and_load(main: Path, folder: Path) -> None:
    """Convert a file, and simulate a step of the result.

    Raises:
        InvariantError: the result cannot be loaded.
    """
    done = convert(main, ConvertOptions(output=folder, world=folder / "made.wbt"))
    if done.report.errors:
        if done.files:
            raise InvariantError("files were written in spite of errors")
        return
    world = load_world(folder / "made.wbt")
    check_world(world)
    if world.report.errors:
        raise InvariantError(f"the result has errors: {world.report.errors[0].message}")
    with Simulation(world) as simulation:
        try:
            simulation.step()
        except UnstableError:
            return


def damaged_tree(text: str, random: Random) -> bytes:
    """Change, move, repeat and delete elements and attributes of a document."""
    root = ElementTree.fromstring(text)
    for _ in range(random.choice([1, 1, 2, 4, 10])):
        elements = list(root.iter())
        one, other = random.choice(elements), random.choice(elements)
        random.choice([_attribute, _attribute, _attribute, _mesh, _move, _repeat, _delete])(
            one, other, random
        )
    return ElementTree.tostring(root)


def _attribute(one: ElementTree.Element, other: ElementTree.Element, random: Random) -> None:
    """Change an attribute to an extreme number, a hostile text, or one of another element."""
    if not one.attrib:
        return
    name = random.choice(list(one.attrib))
    words = one.attrib[name].split() or [""]
    how = random.random()
    if how < 0.5:
        words[random.randrange(len(words))] = random.choice(EXTREME_NUMBERS)
    elif how < 0.6:
        words = [random.choice(HOSTILE_STRINGS)]
    elif how < 0.9:
        words = [random.choice(list(other.attrib.values()) or [""])]
    else:
        del one.attrib[name]
        return
    one.attrib[name] = "".join(each for each in " ".join(words) if each.isprintable())


def _mesh(one: ElementTree.Element, other: ElementTree.Element, random: Random) -> None:
    """Make a geometry a mesh."""
    if one.tag == "geometry":
        one.clear()
        scale = random.choice(["1 1 1", "-1 1 1", "0.1 0.2 0.3", "1e-9 1 1"])
        one.append(ElementTree.Element("mesh", {"filename": "part.obj", "scale": scale}))


def _move(one: ElementTree.Element, other: ElementTree.Element, random: Random) -> None:
    """Move the children of an element below another one."""
    if one not in list(other.iter()) and other not in list(one.iter()):
        other.extend(list(one))
        del one[:]


def _repeat(one: ElementTree.Element, other: ElementTree.Element, random: Random) -> None:
    if len(one) and len(list(one.iter())) < 100:
        one.extend([random.choice(list(one))] * random.choice([1, 2, 50]))


def _delete(one: ElementTree.Element, other: ElementTree.Element, random: Random) -> None:
    if len(one):
        one.remove(random.choice(list(one)))


if __name__ == "__main__":
    sys.exit(main([RobotTarget()]))
