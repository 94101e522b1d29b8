"""Packages that a page loads when they are used, in two archives each.

Judges: the packages themselves, used with what the first archive has, and then with the rest.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import PIL

from wbridge.live.packages import REST, write_packages
from wbridge.live.packing import ENDING, open_packed

FIRST = """
import sys
import numpy as np
assert np.linalg.norm(np.linalg.inv(2 * np.eye(3)) @ [0, 6, 8]) == 5
from PIL import Image, PngImagePlugin, JpegImagePlugin
picture = Image.fromarray(np.full((4, 4, 3), 9, np.uint8)).resize((2, 2))
picture.save("there.png")
assert Image.open("there.png").getpixel((1, 1)) == (9, 9, 9)
"""
THEN = """
import numpy.random, numpy.fft, numpy.ma
assert np.random.default_rng(1).integers(9) == 4
assert np.fft.fft([1, 1])[0] == 2 and np.ma.array([1, 2]).sum() == 3
from PIL import ImageFont, TiffImagePlugin
"""


def copied(folder: Path) -> Path:
    """Return a folder with what pages have of both packages, compiled for this machine."""
    target = folder / "parts"
    for package in (np, PIL):
        place = Path(str(package.__file__)).parent
        for file in place.rglob("*"):
            name = file.relative_to(place.parent)
            if file.suffix in (".py", ".so") and "tests" not in name.parts:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                (target / name).symlink_to(file)
    return target


def run(folder: Path, code: str) -> str:
    """Run a program that finds both packages in a folder alone; return what it says."""
    libraries = Path(np.__file__).parent.parent
    environment = {"LD_LIBRARY_PATH": ":".join(map(str, libraries.glob("*.libs")))}
    head = (
        f"import sys\nsys.path[:] = [{str(folder)!r}, *(one for one in sys.path if 'packages' not in one)]\n"
    )
    words = [sys.executable, "-I", "-S", "-c", head + code]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stderr


def test_the_first_archive_is_enough_for_arrays_and_pictures(tmp_path: Path) -> None:
    archives = write_packages(copied(tmp_path), tmp_path)
    assert {"numpy": "numpy", "PIL": "PIL", "numpy.random": "numpy" + REST}.items() <= archives.items()
    there = tmp_path / "there"
    for package in ("numpy", "PIL"):
        open_packed((tmp_path / f"{package}{ENDING}").read_bytes()).extractall(there)
    assert run(there, FIRST) == ""
    assert "No module named 'numpy.random'" in run(there, FIRST + THEN)
    for package in ("numpy", "PIL"):
        open_packed((tmp_path / f"{package}{REST}{ENDING}").read_bytes()).extractall(there)
    assert run(there, FIRST + THEN) == ""
