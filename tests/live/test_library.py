"""Python's library in two archives.

Judges: the content of the whole library; an import system that has only the first archive and the finder.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from wbridge.live.library import RARE, REST, split_library
from wbridge.live.packing import ENDING, FIRST_ENDING, open_packed

FIRST = f"python_stdlib{FIRST_ENDING}"
FILES = {
    "json/__init__.py": "value = 1\n",
    "pdb.py": "import calmness\nvalue = 2\n",
    "calmness.py": "value = 3\n",
    "xml/__init__.py": "",
    "xml/dom/__init__.py": "value = 4\n",
    "encodings/__init__.py": "value = 5\n",
    "encodings/utf_8.py": "value = 6\n",
    "encodings/gbk.py": "value = 7\n",
}
USED = """
import sys
before = set(sys.modules)
from wbridge.main import main
import wbridge.robot_windows.hub, wbridge.wbcore.windows.simulation_handler
import wbridge.live.page_code, wbridge.live.projects, wbridge.live.lazy_packages
main(["-q", "run", sys.argv[1], "--inline", "--duration", "0.1"])
print(*{name.partition(".")[0] for name in set(sys.modules) - before})
"""
LOOKS = """
import sys
rest = [name for name in sys.argv[3].split(",")]
sys.path[:0] = [sys.argv[4]]
import importlib.util
spec = importlib.util.spec_from_file_location("lazy", sys.argv[1])
lazy = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lazy)
import encodings, encodings.cp437, io, lzma, zipfile
loads = []
def load(archive):
    loads.append(archive)
    with lzma.open(f"{sys.argv[2]}/{archive}.zip.xz") as packed:
        zipfile.ZipFile(io.BytesIO(packed.read())).extractall(f"{sys.argv[2]}/there")
encodings.__path__[:] = [sys.argv[4] + "/encodings"]
for name in ("pdb", "xml", "xml.dom"):
    sys.modules.pop(name, None)
sys.meta_path[:0] = [lazy.LazyPackages(dict.fromkeys(rest, "library"), f"{sys.argv[2]}/there", load)]
sys.path[:0] = [f"{sys.argv[2]}/there"]
assert loads == []
import encodings.gbk
import pdb
import xml.dom
assert (encodings.gbk.value, pdb.value, xml.dom.value) == (7, 2, 4), (encodings.gbk, pdb, xml.dom)
assert loads == ["library"], loads
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    made = tmp_path / "python_stdlib.zip"
    with zipfile.ZipFile(made, "w") as archive:
        archive.mkdir("json")
        for name, text in FILES.items():
            archive.writestr(name, text)
    return made


def content(archive: Path) -> dict[str, str]:
    with open_packed(archive.read_bytes()) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def test_each_file_is_in_one_of_both(library: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "site").mkdir()
    assert split_library(library, folder) == ["encodings.gbk", "pdb", "xml"]
    first, rest = content(folder / FIRST), content(folder / f"{REST}{ENDING}")
    assert first | rest == FILES and not set(first) & set(rest)
    assert set(rest) == {"pdb.py", "xml/__init__.py", "xml/dom/__init__.py", "encodings/gbk.py"}
    again = tmp_path / "again"
    again.mkdir()
    split_library(library, again)
    assert [one.read_bytes() for one in sorted(again.iterdir())] == [
        one.read_bytes() for one in sorted(folder.iterdir())
    ]


def test_what_is_rare_is_found_when_it_is_imported(library: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "site").mkdir()
    names = split_library(library, folder)
    with open_packed((folder / FIRST).read_bytes()) as archive:
        archive.extractall(folder / "first")
    finder = Path(__file__).parents[2] / "wbridge" / "live" / "lazy_packages.py"
    words = [str(finder), str(folder), ",".join(names), str(folder / "first")]
    done = subprocess.run([sys.executable, "-c", LOOKS, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_run_needs_nothing_rare() -> None:
    world = Path(__file__).parents[2] / "worlds" / "epuck_arena.wbt"
    done = subprocess.run(
        [sys.executable, "-c", USED, str(world)], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) & RARE == set()
