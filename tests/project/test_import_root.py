"""Importable are wbridge, controller and vehicle; the names that packages had before lead there.

Judges: Python's import system in a fresh process, outside of the checkout; the imports that docs/ shows.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.house import PACKAGES, ROOTS
from tests.project.files import CHECKOUT

FORMER = sorted({*PACKAGES} - {*ROOTS})
SHOWN = re.compile(
    rf"^ *(from wbridge\.(?:{'|'.join(FORMER)})[\w.]* import [^(\n#]+?) *(?:#.*)?$", re.MULTILINE
)
FIND = """
import json, sys
from importlib.util import find_spec
print(json.dumps({name: spec.origin for name in sys.argv[1:] if (spec := find_spec(name)) is not None}))
"""
COMPARE = """
import sys, warnings
warnings.simplefilter("always")
for new in sys.stdin.read().splitlines():
    own, former, old = {}, {}, new.replace("from wbridge.", "from ")
    exec(new, own)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for name in [one for one in sys.modules if one.partition(".")[0] in sys.argv[1:]]:
            del sys.modules[name]
        exec(old, former)
    for names in (own, former):
        names.pop("__builtins__"), names.pop("__warningregistry__", None)
    module = new.split()[1]
    last = str(told[-1].message) if told else ""
    if own.keys() != former.keys() or any(own[one] is not former[one] for one in own):
        print("differs:", old)
    if told[-1].category is not DeprecationWarning or f"is now {module};" not in last:
        print("no warning:", old, last)
    if told[-1].filename != "<string>":
        print("warns elsewhere:", old, told[-1].filename)
"""


def python(folder: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with what is installed."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, check=False)


def test_only_three_names_lead_into_the_sources(tmp_path: Path):
    names = sorted(one.name for one in CHECKOUT.iterdir() if one.is_dir() and one.name.isidentifier())
    done = python(tmp_path, "-I", "-c", FIND, *names)
    origins = json.loads(done.stdout)
    former = {name: str(CHECKOUT / "wbridge" / "former" / f"{name}.py") for name in FORMER}
    assert {name: str(Path(origins[name]).resolve()) for name in (*ROOTS, *FORMER)} == former | {
        name: str(CHECKOUT / name / "__init__.py") for name in ROOTS
    }
    rest = {name: Path(origins[name] or "") for name in origins.keys() - {*ROOTS, *FORMER}}
    assert [name for name, origin in rest.items() if origin.is_relative_to(CHECKOUT / "src")] == []
    assert not {"tests", "scripts", "benchmarks", "fuzz", "plugins"} & rest.keys()


def test_the_links_lead_to_the_folders():
    links = [*(Path("src", name) for name in ROOTS), *(Path("wbridge", name) for name in FORMER)]
    assert [link for link in links if not (CHECKOUT / link).samefile(CHECKOUT / link.name)] == []


def test_each_import_that_the_documentation_shows_works_by_its_former_name(tmp_path: Path):
    pages = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
    lines = sorted({line for page in pages for line in SHOWN.findall(page.read_text(encoding="utf-8"))})
    lines = [line.rstrip("`.,; ") for line in lines if "`" not in line]
    assert len(lines) > 30
    done = python(tmp_path, "-I", "-c", COMPARE, *FORMER, text="\n".join(lines))
    assert (done.stdout, done.returncode) == ("", 0), done.stderr


@pytest.mark.parametrize("name", ["hal", "wbcore"])
def test_a_file_of_the_user_hides_a_former_name(tmp_path: Path, name: str):
    (tmp_path / f"{name}.py").write_text("MARKER = 'mine'\n")
    (tmp_path / "program.py").write_text(f"import {name}, wbridge.{name}; print({name}.MARKER)\n")
    done = python(tmp_path, "-W", "error", "program.py")
    assert (done.stdout, done.stderr) == ("mine\n", "")


def test_an_installed_package_hides_a_former_name(tmp_path: Path):
    """As that of another project in site-packages: the folder of former names is the last one."""
    code = "import sys; print(sys.path[-1])"
    assert Path(python(tmp_path, "-c", code).stdout.strip()) == CHECKOUT / "wbridge" / "former"


def test_tracebacks_name_the_files_that_people_open(tmp_path: Path):
    code = "import wbridge.hal.link.master as m, wbridge.main; print(m.__file__, wbridge.main.__file__)"
    files = python(tmp_path, "-c", code).stdout.split()
    assert files == [str(CHECKOUT / "hal" / "link" / "master.py"), str(CHECKOUT / "wbridge" / "main.py")]
