"""The static site: its files, what they refer to, and their policy."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT
from wbridge.live.packing import ENDING, open_packed
from wbridge.live.site import LIBRARY, PARTS, MissingPart, build_site


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("live")
    parts = folder / "parts"
    (parts / "extensions" / "wbcore" / "engine").mkdir(parents=True)
    for name in PARTS[:-2]:
        (parts / name).write_text(name)
    with zipfile.ZipFile(parts / LIBRARY, "w") as library:
        library.writestr("pdb.py", "")
    (parts / "packages" / "parcel").mkdir(parents=True)
    (parts / "packages" / "parcel" / "__init__.py").write_text("size = 3\n")
    (parts / "packages" / "_swift.abi3.so").write_text("of one file")
    (parts / "extensions" / "wbcore" / "engine" / "_engine.cpython-315-wasm32-emscripten.so").write_text("")
    build_site(parts, CHECKOUT, folder / "site", compiles=False)
    return folder / "site"


def version(site: Path) -> Path:
    (found,) = site.glob("v-*")
    return found


def archive(site: Path, name: str) -> zipfile.ZipFile:
    return open_packed((version(site) / f"{name}{ENDING}").read_bytes())


def test_the_first_page_refers_to_files_that_exist(site):
    text = (site / "index.html").read_text()
    names = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert names
    assert all((site / name).is_file() for name in names)
    assert not re.search(r"VERSION|POLICY", text)


def test_modules_import_only_files_of_the_site(site):
    for file in version(site).glob("*.js"):
        for name in re.findall(
            r"""(?:^import .* from |\bimport\()'([^']+)'""", file.read_text(), re.MULTILINE
        ):
            assert (file.parent / name).is_file(), f"{file.name} imports {name}"


def test_the_policy_allows_this_site_and_connections_to_repositories_alone(site):
    text = (site / "index.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    assert policy.startswith("default-src 'none';")
    assert "'unsafe-eval'" not in policy
    assert not re.search(r"script-src[^;]*(unsafe-inline|blob:|data:)|http:|\*", policy)
    addresses = {name: re.findall(r"https:\S+", rest) for name, _, rest in rules(policy)}
    assert addresses.pop("connect-src") == ["https://api.github.com", "https://raw.githubusercontent.com"]
    assert not any(addresses.values())


def rules(policy: str) -> list[tuple[str, str, str]]:
    return [one.strip().partition(" ") for one in policy.split(";")]


def test_archives_hold_what_runs_and_nothing_that_was_compiled_here(site):
    code = archive(site, "code").namelist()
    assert "wbridge/live/in_page.py" in code
    assert "hal/controller/__init__.py" in code
    assert [one for one in code if one.endswith(".so")] == [
        "wbcore/engine/_engine.cpython-315-wasm32-emscripten.so"
    ]
    models = archive(site, "models").namelist()
    assert "worlds/epuck_arena.wbt" in models
    assert not [one for one in [*code, *models] if "__pycache__" in one or "/build/" in one]


def test_a_package_is_an_archive_of_its_own(site):
    assert json.loads((version(site) / "packages.json").read_text()) == {
        "_swift": "_swift",
        "parcel": "parcel",
        "pdb": "library",
    }
    assert archive(site, "parcel").namelist() == ["parcel/__init__.py"]
    assert archive(site, "_swift").namelist() == ["_swift.abi3.so"]


def test_the_same_files_have_the_same_version(site, tmp_path):
    build_site(site.parent / "parts", CHECKOUT, tmp_path / "again", compiles=False)
    assert version(tmp_path / "again").name == version(site).name


def test_what_is_missing_is_named_with_the_command_that_makes_it(tmp_path):
    with pytest.raises(MissingPart, match="make live"):
        build_site(tmp_path, CHECKOUT, tmp_path / "site")


def test_programs_that_people_read_keep_their_comments(site):
    sample = "controllers/four_wheel_avoider/four_wheel_avoider.py"
    with archive(site, "models") as models:
        assert models.read(sample) == (CHECKOUT / sample).read_bytes()
    with archive(site, "code") as code:
        assert code.read("controller/__init__.py") == (CHECKOUT / "controller" / "__init__.py").read_bytes()
        assert len(code.read("wbcore/scene/places.py")) < (CHECKOUT / "wbcore/scene/places.py").stat().st_size
