"""Fuzz reading and saving of worlds: no exception, no hang, and valid worlds survive saving.

Run by `python -m fuzz.fuzz_parser --seconds 60 --seed 1 --report report.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from random import Random

from fuzz import grammar
from fuzz.case import Case, InvariantError
from fuzz.main import main
from fuzz.mutate import damaged, damaged_bytes
from fuzz.patterns import PATTERNS
from scripts.corpus import CHECKOUT, corpus_folder
from wbridge.hal.table import DeviceTable
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.diagnostics import Diagnostic
from wbridge.wbcore.scene.load import LoadOptions, World, load_text, load_world
from wbridge.wbcore.scene.node import first_difference
from wbridge.wbcore.scene.resets import reset_invalid
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbcore.scene.writer import world_text

LARGEST_SEED = 300_000


class ParserTarget:
    """Single worlds: generated, damaged, hostile or random bytes."""

    name = "parser"

    @cached_property
    def seeds(self) -> list[str]:
        """Worlds to damage: the project's, and the corpus if it has been fetched."""
        folders = [CHECKOUT / "worlds", corpus_folder()]
        paths = [path for folder in folders for path in sorted(folder.rglob("*.wbt"))]
        small = [path for path in paths if path.stat().st_size <= LARGEST_SEED]
        made = [grammar.world(Random(number)) for number in range(20)]
        return made + [path.read_text("utf-8", "replace") for path in small]

    def make(self, random: Random) -> Case:
        """Generate a world."""
        how = random.random()
        if how < 0.15:
            text = grammar.world(random)
        elif how < 0.3:
            text = random.choice(PATTERNS)(_size(random))
        elif how < 0.33:
            return _case(random.randbytes(random.choice([0, 1, 10, 1000, 100_000])))
        else:
            source = grammar.world(random) if how < 0.5 else random.choice(self.seeds)
            text = damaged(source, random, self.seeds)
        data = text.encode("utf-8", "replace")
        return _case(damaged_bytes(data, random) if random.random() < 0.1 else data)

    def run(self, main: Path) -> None:
        """Load, save and reload; check, list the devices, reset invalid values, check again."""
        world = load_world(main, LoadOptions(allow_missing=True, cache=main.parent / "cache"))
        check_report(world.report)
        text = world_text(world)
        if world.report.errors:
            self._use(world)
            return
        again = load_text(text, str(main), LoadOptions(allow_missing=True, cache=main.parent / "cache"))
        if any(one.code == "repeated-field" for one in world.report):
            # A USE of a node in a dropped value is expanded, so compare from the second file on.
            world, again = again, load_text(world_text(again), str(main), LoadOptions(allow_missing=True))
        check_same(world, again)
        self._use(again)

    def _use(self, world: World) -> None:
        check_world(world)
        for table in device_tables(world):
            DeviceTable.from_json(table.canonical())
        if reset_invalid(world):
            check_world(world)
        check_report(world.report)

    def calls(self, case: Case) -> int:
        """The limit for two loads, one save, a comparison and two checks."""
        return 8_000_000 + 40 * case.size


def check_report(report: Iterable[Diagnostic]) -> None:
    """Check that messages are single lines of reasonable length with a valid position.

    Raises:
        InvariantError: a message is not.
    """
    for one in report:
        if len(one.message) > 5000:
            raise InvariantError(f"message '{one.code}' is too long")
        if any(character in one.message for character in "\n\r\0\x1b"):
            raise InvariantError(f"message '{one.code}' has control characters")
        if one.line < 0 or one.column < 0:
            raise InvariantError(f"message '{one.code}' has an invalid position")


def check_same(world: World, again: World) -> None:
    """Check that a saved and reloaded world is equal and has no errors.

    Raises:
        InvariantError: it differs or has errors.
    """
    if again.report.errors:
        raise InvariantError(f"saving caused the error '{again.report.errors[0].code}'")
    difference = first_difference(world.nodes, again.nodes)
    if difference is not None:
        raise InvariantError("saving changed the tree") from ValueError(difference)


def _size(random: Random) -> int:
    return int(10 ** random.choice([2, 3, 4, 4, 5, 5, 6, 7 if random.random() < 0.1 else 5]))


def _case(data: bytes) -> Case:
    return Case({"worlds/main.wbt": data})


if __name__ == "__main__":
    sys.exit(main([ParserTarget()]))
