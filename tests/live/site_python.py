"""Run what pages run from the files of a site alone, and tell what they look for and do not find.

python -S -m tests.live.site_python FOLDER PACKAGES WORLD...

FOLDER has the site's archives, unpacked as in a page; PACKAGES has packages that the site takes from others.
Prints the hash of each world after STEPS steps, and then, sorted, the files and folders that were looked for
below FOLDER and that the checkout has, but the site has not.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from scripts.house import ROOT
from tests.live.page_python import become_a_page

STEPS = 20
MODULES = ("wbridge.live.page_board", "wbridge.live.real_robot")
"""What a page imports when a robot or a board is connected, each with all that it imports."""
KINDS = ("os.listdir", "os.scandir", "open")


class Looks:
    """Records which paths are looked at; Python has no event for `os.stat`."""

    def __init__(self, folder: str) -> None:
        self._folder = folder + os.sep
        self.names: set[str] = set()
        self._stat = os.stat
        os.stat = self.stat  # type: ignore[assignment]
        sys.addaudithook(self.hear)

    def stat(self, path: Any, *options: Any, **named: Any) -> os.stat_result:
        """As `os.stat`."""
        self._note(path)
        return self._stat(path, *options, **named)

    def hear(self, event: str, values: tuple[Any, ...]) -> None:
        """Take an event of Python."""
        if event in KINDS:
            self._note(values[0])

    def _note(self, path: Any) -> None:
        if isinstance(path, (str, os.PathLike)):
            name = os.path.abspath(os.fsdecode(path))
            if name.startswith(self._folder):
                self.names.add(name[len(self._folder) :])


def import_boards_and_robots() -> None:
    """Import what a page imports for them, and read all that describes boards."""
    for name in MODULES:
        import_module(name)
    folders = import_module("wbridge.wbfirmware.template_folders")
    read_board = import_module("wbridge.wbfirmware.boards.board").read_board
    for one in folders.all_board_folders().values():
        read_board(one)
    import_module("wbridge.wbfirmware.boards.drivers").drivers()
    import_module("wbridge.wbfirmware.boards.parts").parts()


def main() -> None:
    """Run the worlds, and import the rest."""
    folder, packages, *worlds = sys.argv[1:]
    sys.path[:] = [folder, *(one for one in sys.path if one not in ("", str(ROOT))), packages, str(ROOT)]
    looks = Looks(folder)
    become_a_page(())
    in_page, page_run = import_module("wbridge.live.in_page"), import_module("wbridge.live.page_run")
    page_run.SAMPLES, page_run.SCENES = Path(folder), Path(tempfile.mkdtemp())
    for world in worlds:
        print(json.loads(in_page.run(folder, f"worlds/{world}.wbt", {"steps": STEPS}))["hash"])
    import_boards_and_robots()
    for name in sorted(looks.names):
        if (ROOT / name).exists() and not Path(folder, name).exists():
            print(name)


if __name__ == "__main__":
    main()
