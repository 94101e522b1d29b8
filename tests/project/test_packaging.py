"""The wheel: everything is in it, and an installed copy finds its files."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT, PRODUCT
from wbcore.scene.builtin import builtin_directory

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path = CHECKOUT) -> str:
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False)
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
        assert {f"{package}/__init__.py", f"{package}/py.typed"} <= set(names)


def test_the_wheel_has_at_most_4_mib(wheel: Path):
    assert wheel.stat().st_size <= 4 * 2**20


def test_the_wheel_holds_the_data_folders_once(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    for folder in ("protos", "worlds", "controllers", "motions"):
        files = [file for file in (CHECKOUT / folder).rglob("*") if file.is_file() and not _is_built(file)]
        expected = {f"wbridge/share/{file.relative_to(CHECKOUT)}" for file in files}
        assert expected and expected <= set(names)
    outside = ("protos/", "worlds/", "controllers/", "motions/", "tests/", "scripts/")
    assert not [name for name in names if name.startswith(outside)]


def _is_built(file: Path) -> bool:
    """What runs of controllers in C have left, see .gitignore."""
    parts = file.relative_to(CHECKOUT).parts
    return parts[0] == "controllers" and "build" in parts[2:]


def test_the_wheel_holds_no_sources_of_the_engine(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert not [
        name for name in names if name.startswith("wbcore/engine/src") or name.endswith("CMakeLists.txt")
    ]


def test_an_installed_copy_finds_its_files(installed: Path, tmp_path: Path):
    code = "from wbcore.scene.builtin import builtin_directory as d; print(d())"
    folder = Path(run(installed / "python", "-c", code, cwd=tmp_path).strip())
    assert folder.parts[-2:] == ("wbridge", "share")
    assert (folder / "protos").is_dir()
    assert (folder / "worlds").is_dir()


def test_an_installed_copy_checks_a_world(installed: Path, tmp_path: Path):
    world = tmp_path / "plain.wbt"
    world.write_text("#VRML_SIM R2023b utf8\nWorldInfo {\n}\n")
    assert "0 errors" in run(installed / "wbridge", "check", world, cwd=tmp_path)


def test_a_checkout_is_its_own_place_of_files():
    assert builtin_directory() == CHECKOUT
