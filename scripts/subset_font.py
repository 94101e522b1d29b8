"""Leaves out of the font of displays what they cannot show: layout tables, glyph names, and rare scripts.

    python -m scripts.subset_font DejaVuSansMono.ttf

Takes the font as DejaVu released it, and writes wbcore/drawing/fonts/DejaVuSansMono.ttf. Needs `pyftsubset`
of fontTools (`pip install fonttools`). Outlines and hints of the glyphs that stay are those of the original.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

FONT = Path(__file__).resolve().parent.parent / "wbcore" / "drawing" / "fonts" / "DejaVuSansMono.ttf"
UNICODES = (
    "U+0000-0530",  # Latin, phonetic letters, combining marks, Greek, Cyrillic
    "U+1E00-1FFF",  # Latin and Greek with marks
    "U+2000-2BFF",  # punctuation, currencies, arrows, mathematics, boxes, shapes, symbols
    "U+FB00-FB06",  # ligatures
    "U+FEFF-FFFF",  # the replacement character
)
OPTIONS = (
    "--layout-features=", "--notdef-outline", "--no-glyph-names", "--hinting", "--name-languages=1033",
    "--drop-tables+=GPOS,GSUB,GDEF,FFTM", "--name-IDs=0,1,2,3,4,5,6,13,14",
)  # fmt: skip


def main() -> None:
    """Write the font of the package."""
    parser = argparse.ArgumentParser(description="make the font of displays from that of DejaVu")
    parser.add_argument("original", type=Path, help="DejaVuSansMono.ttf as released")
    original: Path = parser.parse_args().original
    subset = shutil.which("pyftsubset")
    if subset is None:
        sys.exit("pyftsubset not found; install it with: pip install fonttools")
    command = [subset, str(original), f"--unicodes={','.join(UNICODES)}", *OPTIONS, f"--output-file={FONT}"]
    subprocess.run(command, check=True)
    print(f"{FONT}: {FONT.stat().st_size} bytes of {original.stat().st_size}")


if __name__ == "__main__":
    main()
