"""Fuzz the expansion of PROTOs: interfaces, IS, recursion, templates, URLs.

Inputs must not run code or leak data.

Run by `python -m fuzz.fuzz_proto --seconds 60 --seed 1 --report report.json`.
"""

from __future__ import annotations

import sys
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random

from fuzz import projects
from fuzz.case import Case, InvariantError
from fuzz.fuzz_parser import check_report, check_same
from fuzz.main import main
from fuzz.mutate import damaged, damaged_bytes
from fuzz.patterns import HEADER
from fuzz.runner import SECRET
from scripts.corpus import CHECKOUT, corpus_folder
from wbridge.wbcore.scene import expand, templates
from wbridge.wbcore.scene.load import LoadOptions, World, load_text, load_world
from wbridge.wbcore.scene.templates import Limits
from wbridge.wbcore.scene.writer import world_text

LARGEST_SEED = 60_000
LIMITS = Limits(seconds=0.4, memory_mb=64, output_chars=2_000_000)
MAX_NODES = 20_000
"""Lower than the defaults, to test more files."""


class ProtoTarget:
    """Projects with PROTO files: generated, damaged or with exponential expansion."""

    name = "proto"

    @cached_property
    def seeds(self) -> list[str]:
        """PROTO files to damage: the project's, and the corpus if it has been fetched."""
        folders = [CHECKOUT / "protos", corpus_folder()]
        paths = [path for folder in folders for path in sorted(folder.rglob("*.proto"))]
        small = [path for path in paths if path.stat().st_size <= LARGEST_SEED]
        texts = [path.read_text("utf-8", "replace") for path in small]
        return [text for text in texts if "\nPROTO " in text] or [HEADER + "PROTO A [ ] { Group { } }\n"]

    def make(self, random: Random) -> Case:
        """Generate a project."""
        how = random.random()
        if how < 0.03:
            files = random.choice(projects.SPECIAL)(random)
        elif how < 0.4:
            text = random.choice(self.seeds)
            name = text.split("\nPROTO ", 1)[-1].split(None, 1)[0].rstrip("[")[:40].replace("/", "_") or "A"
            world = f'{HEADER}EXTERNPROTO "../protos/{name}.proto"\n{name} {{ }}\n'
            files = {f"protos/{name}.proto": damaged(text, random, self.seeds), "worlds/main.wbt": world}
        else:
            files = projects.ProjectGrammar(random).files()
            if random.random() < 0.5:
                path = random.choice(list(files))
                files[path] = damaged(files[path], random, self.seeds)
        data = {name.replace("\0", "_"): text.encode("utf-8", "replace") for name, text in files.items()}
        if random.random() < 0.05:
            path = random.choice(list(data))
            data[path] = damaged_bytes(data[path], random)
        return Case(data)

    def run(self, main: Path) -> None:
        """Load with placeholders, save and reload."""
        _tighten()
        options = LoadOptions(allow_missing=True, cache=main.parent.parent.parent / "cache")
        world = load_world(main, options)
        check_report(world.report)
        text = world_text(world)
        check_secret(world, text)
        if not world.report.errors:
            check_same(world, load_text(text, str(main), options))

    def calls(self, case: Case) -> int:
        """The limit for two expansions, which may reach the maximum number of nodes."""
        return 12_000_000 + 100 * case.size


@cache
def _tighten() -> None:
    """Set the limits, only in the process that runs the cases."""
    templates.render = partial(templates.render, limits=LIMITS)  # type: ignore[assignment]
    expand.MAX_NODES = MAX_NODES


def check_secret(world: World, text: str) -> None:
    """Check that neither messages nor the saved world contain the environment or other files.

    Raises:
        InvariantError: they do.
    """
    messages = "\n".join(one.message for one in world.report)
    for secret in (SECRET, "root:x:0"):
        if secret in messages or secret in text:
            raise InvariantError("the output contains a secret of this machine")


if __name__ == "__main__":
    sys.exit(main([ProtoTarget()]))
