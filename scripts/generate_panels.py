#!/usr/bin/env python3
"""Generate the lists of the workbench's panels from the files `*_panel.js` that declare some.

A panel is one file, which exports `panels`; docs/adding-a-panel.md shows one. `--check` only compares.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402

PAGES = ROOT / "robot_windows" / "pages"
HEADS = {
    "workbench": "// The panels of the workbench, in the order of its menu.",
    "live": "// The panels of runs inside of this page.",
}
"""What the list of each folder is."""
WRITTEN = "Written by scripts/generate_panels.py from the files\n// *_panel.js; change these.\n"
_DECLARES = re.compile(r"^export const panels = ", re.MULTILINE)


def make() -> dict[Path, str]:
    """Return the generated files."""
    return {PAGES / folder / "panels.js": _list(folder, head) for folder, head in HEADS.items()}


def _list(folder: str, head: str) -> str:
    files = sorted((PAGES / folder).glob("*_panel.js"))
    names = [file.stem for file in files if _DECLARES.search(file.read_text(encoding="utf-8"))]
    aliases = [f"{name.removesuffix('_panel')}Panels" for name in names]
    imports = "".join(
        f"import {{panels as {alias}}} from './{name}.js';\n"
        for alias, name in zip(aliases, names, strict=True)
    )
    listed = ", ".join(f"...{alias}" for alias in aliases)
    return f"{head} {WRITTEN}{imports}\nexport const PANELS = [{listed}].sort((a, b) => a.rank - b.rank);\n"


if __name__ == "__main__":
    sys.exit(write_or_compare(__doc__ or "", make))
