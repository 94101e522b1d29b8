"""Modules of a site are compiled while it is built.

Judges: Pyodide in Node.js, which imports them from archives; its own compiler, whose work is counted.
"""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT
from wbridge.live.compiled import compile_archives, node
from wbridge.live.packing import ENDING, FIRST_ENDING, open_packed, write_packed

pytestmark = pytest.mark.live

PARTS = CHECKOUT / "build" / "live" / "parts"
DESCRIBED = b'"""Words."""\nimport shown.inner\n\n\ndef fail():\n    raise ValueError(shown.inner.size)\n'
CODE = [
    ("shown/__init__.py", DESCRIBED),
    ("shown/inner.py", b"size = 3\n"),
    ("shown/table.json", b"{}"),
    ("controller/__init__.py", b"# for people\n"),
]
IMPORT = """
const [parts, folder, script] = process.argv.slice(-3);
const {loadPyodide} = await import(`${parts}/pyodide.mjs`);
const python = await loadPyodide({indexURL: `${parts}/`});
python.FS.mkdir('/wbridge');
python.FS.mount(python.FS.filesystems.NODEFS, {root: folder}, '/wbridge');
python.runPython(script);
"""
SCRIPT = """
import sys, traceback
sys.path[:0] = ['/wbridge', '/wbridge/library.zip']
compiled = []
sys.addaudithook(lambda event, values: event == 'compile' and compiled.append(values[1]))
import shown, rarely
compiled = [one for one in compiled if 'wbridge' in str(one)]
assert compiled == [], compiled
assert (shown.inner.size, shown.__doc__, rarely.value, rarely.__doc__) == (3, 'Words.', 4, None)
try:
    shown.fail()
except ValueError as problem:
    last = traceback.extract_tb(problem.__traceback__)[-1]
    assert (last.filename, last.lineno) == ('/wbridge/shown/__init__.py', 6), last
import controller
print('imported')
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives as they are before and after."""
    assert PARTS.is_dir(), "make live"
    folder = tmp_path_factory.mktemp("site")
    write_packed(folder, "code", CODE)
    write_packed(folder, "firmware", CODE)
    write_packed(folder, "python_stdlib", [("rarely.py", b'"""Words."""\nvalue = 4\n')], FIRST_ENDING)
    compile_archives(folder, PARTS)
    return folder


def test_pages_import_modules_that_are_compiled(site: Path, tmp_path: Path) -> None:
    with open_packed((site / f"code{ENDING}").read_bytes()) as archive:
        archive.extractall(tmp_path)
    with open_packed((site / f"python_stdlib{FIRST_ENDING}").read_bytes()) as archive:
        assert archive.namelist() == ["rarely.pyc"]
        with zipfile.ZipFile(tmp_path / "library.zip", "w") as library:
            library.writestr("rarely.pyc", archive.read("rarely.pyc"))
    words = ["--input-type=module", "--eval", IMPORT, "--", str(PARTS), str(tmp_path), SCRIPT]
    done = subprocess.run([node(), *words], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("imported\n"), done.stderr


def test_what_is_no_module_and_what_people_read_stays(site: Path) -> None:
    with open_packed((site / f"code{ENDING}").read_bytes()) as archive:
        assert archive.read("shown/table.json") == b"{}"
        assert archive.read("controller/__init__.py") == b"# for people\n"
        assert archive.read("shown/inner.py") == b""  # programs look for it
    with open_packed((site / f"firmware{ENDING}").read_bytes()) as archive:
        assert [(name, archive.read(name)) for name in archive.namelist()] == CODE


def test_equal_modules_make_equal_archives(site: Path, tmp_path: Path) -> None:
    write_packed(tmp_path, "code", CODE)
    compile_archives(tmp_path, PARTS)
    name = f"code{ENDING}"
    assert (tmp_path / name).read_bytes() == (site / name).read_bytes()


def test_a_module_with_an_error_ends_the_work(tmp_path: Path) -> None:
    write_packed(tmp_path, "code", [("broken.py", b"def\n")])
    with pytest.raises(subprocess.CalledProcessError):
        compile_archives(tmp_path, PARTS)
