"""The wheel: everything is in it, and an installed copy finds its files."""

import hashlib
import io
import lzma
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from scripts.house import ROOTS
from tests.physics_plugins.projects import complete as with_empty_functions
from tests.physics_plugins.projects import project
from tests.project.files import CHECKOUT, PRODUCT
from wbridge.wbcore.scene.builtin import builtin_directory

pytestmark = pytest.mark.slow


SOURCES = "wbridge/libcontroller/sources.files.xz"
"""The C library in the wheel."""
PAGES = "wbridge/robot_windows/pages.files.xz"
"""The pages of robot windows in the wheel."""
MODULES = "wbridge/modules.files.xz"
"""The modules of packages that only some commands use, and the firmware templates, in the wheel."""
PACKED = ("wbfirmware", "wbverify", "wbcore/importers", "wbridge/live")
"""These packages."""
HEADERS = "wbridge/wbcore/engine/include.files.xz"
"""ODE's headers in the wheel."""
PLUGIN = """
#include <ode/version.h>
static dBodyID ball;
void webots_physics_init() {
  ball = dWebotsGetBodyFromDEF("BALL");
  dWebotsConsolePrintf("ODE %s", dODE_VERSION);
}
void webots_physics_step() {
  static int steps;
  dBodyAddForce(ball, 0, 0, 9.81);
  if (++steps == 100)
    dWebotsConsolePrintf("%.6f m", dBodyGetPosition(ball)[2]);
}
"""
"""Carries a ball of 1 kg, which hangs 2 m above the floor."""
SHARE = "wbridge/share.files.xz"
"""The models, sample worlds and controllers in the wheel."""


def run(*command: str | Path, cwd: Path = CHECKOUT, **variables: str | Path) -> str:
    words = list(map(str, command))
    around = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    done = subprocess.run(words, cwd=cwd, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the checkout, built in a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--no-deps", "--no-build-isolation", "--disable-pip-version-check", "-q"]
    run(sys.executable, "-m", "pip", "wheel", *options, f"-Cbuild-dir={folder / 'build'}", "-w", folder, ".")
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs of a fresh environment with the wheel, without its dependencies."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True)
    run(folder / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel)
    return folder / "bin"


def test_the_wheel_holds_every_package_as_typed(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    for package in PRODUCT:
        folder = package if package in ROOTS else f"wbridge/{package}"
        assert {f"{folder}/__init__.py", f"{folder}/py.typed"} <= set(names)
    assert {name.partition("/")[0] for name in names if "dist-info" not in name} == {
        *ROOTS,
        "wbridge_robotics.pth",
    }


def test_the_wheel_has_at_most_4_5_mb(wheel: Path):
    assert wheel.stat().st_size <= 4_500_000


def test_the_wheel_holds_odes_headers_and_licenses(wheel: Path):
    """Its licence wants its text in each copy (LICENSE-BSD.TXT of ODE); libccd's is another one."""
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        (license_of_ode,) = (
            name for name in names if name.endswith(".dist-info/licenses/ode/LICENSE-BSD.TXT")
        )
        assert b"Open Dynamics Engine" in files.read(license_of_ode)
    for other in ("libccd/BSD-LICENSE", "musl/COPYRIGHT"):
        assert any(name.endswith(f".dist-info/licenses/{other}") for name in names)
    assert {"ode/ode.h", "ode/precision.h", "ode/odecpp.h"} <= _packed(wheel, HEADERS)
    assert "wbridge/wbcore/engine/libode.so" in names
    assert not [
        name
        for name in names
        if name.startswith(("wbridge/wbcore/engine/ode/", "wbridge/wbcore/engine/musl/"))
    ]


def test_a_source_distribution_holds_fetched_sources(tmp_path: Path):
    """So that it is compiled without a mirror, with the licenses that lie in the archives."""
    copy = tmp_path / "copy"
    run("git", "clone", "-q", "--shared", CHECKOUT, copy)
    code = "from scikit_build_core.build import build_sdist; import sys; print(build_sdist(sys.argv[1]))"
    name = run(sys.executable, "-c", code, tmp_path, cwd=copy).splitlines()[-1]
    for folder, license_file in (("ode", "ode-0.16.2/LICENSE-BSD.TXT"), ("musl", "musl-1.2.3/COPYRIGHT")):
        pin = (CHECKOUT / "wbcore" / "engine" / folder / "source.txt").read_text().split()
        with tarfile.open(tmp_path / name) as files:
            (member,) = (one for one in files if one.name.endswith(f"/engine/{folder}/source/{pin[1]}"))
            packed = files.extractfile(member)
            assert packed is not None
            archive = packed.read()
        assert hashlib.sha256(archive).hexdigest() == pin[2]
        with tarfile.open(fileobj=io.BytesIO(archive)) as source:
            assert license_file in source.getnames()


def test_the_wheel_holds_the_data_folders_as_one_archive(wheel: Path):
    folders = ("protos", "worlds", "controllers", "exercises", "motions", "plugins")
    assert _packed(wheel, SHARE) == set(run("git", "ls-files", *folders).splitlines())
    outside = tuple(f"{folder}/" for folder in (*folders, "firmware_templates", "tests", "scripts"))
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(outside)]


def _packed(wheel: Path, name: str) -> set[str]:
    with zipfile.ZipFile(wheel) as files:
        index, _, _ = lzma.decompress(files.read(name)).partition(b"\n\n")
    return {line.partition(" ")[2] for line in index.decode().splitlines()}


def test_the_wheel_holds_the_c_library_as_one_archive(wheel: Path):
    parts = run("git", "ls-files", "libcontroller").split()
    inside = {name.removeprefix("libcontroller/") for name in parts if name.count("/") > 1}
    compiled = ("python/", "mathematics/")  # into modules of the wheel
    sources = {name for name in inside if not name.startswith(compiled)}
    assert _packed(wheel, SOURCES) == sources
    outside = {
        name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("wbridge/libcontroller/")
    }
    assert outside == {*(f"wbridge/{name}" for name in parts if name.count("/") == 1), SOURCES}


def test_the_wheel_holds_modules_of_some_commands_as_one_archive(wheel: Path):
    files = set(run("git", "ls-files", *PACKED, "firmware_templates").splitlines())
    outside = {f"{name}/{file}" for name in PACKED for file in ("__init__.py", "py.typed")} & files
    assert _packed(wheel, MODULES) == files - outside
    folders = tuple(f"wbridge/{name.removeprefix('wbridge/')}/" for name in PACKED)
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(folders)}
    assert names == {f"wbridge/{name.removeprefix('wbridge/')}" for name in outside}


def test_the_wheel_holds_the_pages_as_one_archive(wheel: Path):
    pages = run("git", "ls-files", "robot_windows/pages").split()
    names = {name.removeprefix("robot_windows/pages/") for name in pages}
    assert _packed(wheel, PAGES) == {name for name in names if not name.startswith("live/")}, (
        "without those of the static site, which is made in a checkout"
    )
    assert not [
        name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("wbridge/robot_windows/pages/")
    ]


def test_the_wheel_holds_no_sources_of_the_engine(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert not [
        name
        for name in names
        if name.startswith("wbridge/wbcore/engine/src") or name.endswith("CMakeLists.txt")
    ]


def test_an_installed_copy_finds_its_files(installed: Path, tmp_path: Path):
    folder = _share(installed, tmp_path / "cache")
    assert tmp_path / "cache" in folder.parents
    assert (folder / "protos").is_dir()
    assert (folder / "worlds").is_dir()


def test_an_installed_copy_checks_a_world(installed: Path, tmp_path: Path):
    world = tmp_path / "plain.wbt"
    world.write_text("#VRML_SIM R2023b utf8\nWorldInfo {\n}\n")
    assert "0 errors" in run(installed / "wbridge", "check", world, cwd=tmp_path)


@pytest.fixture(scope="module")
def complete(installed: Path) -> Path:
    """The same folder; the environment also has the dependencies, which are those of the tests."""
    (packages,) = installed.parent.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    shown = run(installed / "python", "-c", "import wbridge.wbcore as w; print(w.__file__)", cwd=installed)
    assert packages in Path(shown.strip()).parents
    return installed


def _share(programs: Path, cache: Path) -> Path:
    """The project with the models and sample worlds of an installed copy, unpacked into a cache folder."""
    code = "from wbridge.wbcore.scene.builtin import builtin_directory as d; print(d())"
    return Path(run(programs / "python", "-c", code, cwd=programs, WBRIDGE_CACHE=cache).strip())


@pytest.mark.parametrize("controller", ["avoider.py", "avoider.c", "avoider.cpp"])
def test_an_installed_copy_runs_controllers(complete: Path, tmp_path: Path, controller: str):
    name, suffix = controller.split(".")
    own = {"py": "_python", "c": "", "cpp": "_cpp"}[suffix]
    options = ["--controller", f"two_wheels_{name}{own}", "--fail-on-controller-error", "--duration", "2"]
    cache = tmp_path / "cache"
    world = _share(complete, cache) / "worlds" / "two_wheels.wbt"
    page = tmp_path / "run.html"
    run(complete / "wbridge", "run", world, *options, "--record", page, WBRIDGE_CACHE=cache)
    run(complete / "wbridge", "view", page, "--no-open", cwd=tmp_path)


def test_an_installed_copy_compiles_and_runs_physics_plugins(complete: Path, tmp_path: Path):
    """With ODE's headers and functions of the wheel: the extension asks for no ODE of the system."""
    world = project(tmp_path, with_empty_functions(PLUGIN))
    around = {"WBRIDGE_CACHE": tmp_path / "cache"}
    shown = run(complete / "wbridge", "run", world, "--duration", "1", cwd=tmp_path, **around)
    assert "[probe] ODE 0.16.2\n" in shown
    assert "[probe] 2.000000 m\n" in shown
    code = (
        "import wbridge.wbcore.engine._engine as engine; print(engine.__file__);"
        "print(*{line.split()[-1] for line in open('/proc/self/maps')})"
    )
    shown = run(complete / "python", "-c", code, cwd=tmp_path, **around)
    extension, libraries = shown.splitlines()
    assert str(CHECKOUT / "wbcore") not in extension
    assert extension in libraries and "libc.so.6" in libraries
    assert "libode" not in libraries


def test_an_installed_copy_imports_its_packed_modules_from_the_cache(complete: Path, tmp_path: Path):
    """With tracebacks that show lines, because they are files there; once unpacked, they stay as they are."""
    modules = ["wbfirmware.map.checks", "wbverify.report", "wbcore.importers.urdf", "live.site"]
    code = "from importlib import import_module as i; print(*(i(f'wbridge.{name}').__file__ for name in %r))"
    around = {"WBRIDGE_CACHE": tmp_path / "cache"}
    shown = run(complete / "python", "-c", code % modules, cwd=tmp_path, **around).split()
    assert all(tmp_path / "cache" in Path(file).parents and Path(file).is_file() for file in shown)
    before = _listing(tmp_path / "cache")
    assert run(complete / "python", "-c", code % modules, cwd=tmp_path, **around).split() == shown
    assert _listing(tmp_path / "cache") == before


def test_an_installed_copy_builds_firmware(complete: Path, tmp_path: Path):
    cache = tmp_path / "cache"
    world = _share(complete, cache) / "worlds" / "two_wheels.wbt"
    run(
        complete / "wbridge", "firmware", "new", world, "--out", "map.toml", cwd=tmp_path, WBRIDGE_CACHE=cache
    )
    run(complete / "wbridge", "firmware", "build", "map.toml", cwd=tmp_path, WBRIDGE_CACHE=cache)
    assert (tmp_path / "firmware-map" / "firmware.elf").is_file()


def test_a_checkout_is_its_own_place_of_files():
    assert builtin_directory() == CHECKOUT


def test_an_installed_copy_starts_projects_and_writes_only_there(complete: Path, tmp_path: Path):
    """Programs may start from nothing: a new project, a sample, a demo; the packages stay as they were."""
    (packages,) = complete.parent.glob("lib/python*/site-packages")
    before = _listing(packages)
    around = {"WBRIDGE_CACHE": tmp_path / "cache", "PYTHONDONTWRITEBYTECODE": "1"}
    wbridge = complete / "wbridge"
    run(wbridge, "new", "mine", cwd=tmp_path, **around)
    run(wbridge, "run", "mine/worlds/arena.wbt", "--duration", "1", cwd=tmp_path, **around)
    run(wbridge, "samples", "two_wheels", "copy", cwd=tmp_path, **around)
    own = ["--controller", "two_wheels_avoider", "--duration", "1"]
    run(wbridge, "run", "copy/worlds/two_wheels.wbt", *own, cwd=tmp_path, **around)
    run(wbridge, "demo", "two_wheels", "--duration", "0.1", "--no-open", cwd=tmp_path, **around)
    run(wbridge, "doctor", cwd=tmp_path, **around)
    assert _listing(packages) == before


def _listing(folder: Path) -> set[Path]:
    return {one for one in folder.rglob("*") if "__pycache__" not in one.parts}
