"""Which files are given away, and with what in them."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import pytest

from wbridge.robot_windows.files import OWN_POLICY, PAGES, ServedFile, find_file

NEW = '<html><head><title>x</title></head><body><script type="module" src="w.js"></script></body></html>'
ADDRESS = "https://cyberbotics.com/wwi/R2023b/RobotWindow.js"


@pytest.fixture
def windows(tmp_path: Path) -> Path:
    folder = tmp_path / "plugins" / "robot_windows"
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "mine.html").write_text(NEW)
    (folder / "mine" / "w.js").write_text(f"import RobotWindow from '{ADDRESS}';\n")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


def _found(path: str, windows: Path | None = None) -> ServedFile:
    found = find_file(path, windows)
    assert found is not None, path
    return found


def test_the_pages_of_the_package_are_compressed_and_load_nothing_from_elsewhere():
    for path in ("/", "/robot_windows/generic/generic.html", "/pages/js/generic.js", "/wwi/RobotWindow.js"):
        found = _found(path)
        assert found.is_compressed
        assert found.policy == OWN_POLICY
    assert b"workbench/main.js" in gzip.decompress(_found("/").body)
    for file in PAGES.rglob("*"):
        # The site of worlds in web pages opens public repositories; its own policy names their hosts.
        if file.suffix in (".js", ".css", ".html") and not {"vendor", "live"} & set(file.parts):
            assert "https://" not in file.read_text("utf-8"), f"{file} needs the internet"


def test_browsers_get_the_icon_that_they_ask_for_by_themselves():
    """Also beside windows of projects, whose console would show an error."""
    assert _found("/favicon.ico") == _found("/pages/icon.svg")


def test_what_a_page_loads_is_there_and_in_few_files():
    """Each request costs time before the first picture."""
    for page in ("index", "generic"):
        text = (PAGES / f"{page}.html").read_text("utf-8")
        addresses = re.findall(r'(?:src|href)="([^"]+)"', text)
        installed = [address for address in addresses if address.endswith(".webmanifest")]
        assert len(addresses) - len(installed) < 9  # browsers load a manifest later
        for address in addresses:
            assert _found(address).body


def test_files_of_the_view_are_kept_by_browsers_if_their_names_say_what_is_in_them(tmp_path: Path):
    for name, is_lasting in (("0123456789abcdef0123", True), ("1-7f.json", False)):
        (tmp_path / name).write_bytes(b"x")
        found = find_file(f"/scene/{name}", None, tmp_path)
        assert found is not None and found.is_lasting is is_lasting


def test_all_pages_of_a_run_together_are_small():
    """Without those of runs inside of web pages, which load much more."""
    files = [file for file in PAGES.rglob("*") if file.is_file() and PAGES / "live" not in file.parents]
    sizes = [len(gzip.compress(file.read_bytes())) for file in files]
    assert sum(sizes) <= 320_000


@pytest.mark.parametrize(
    ("file", "digest"),
    [
        ("uplot.js", "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f"),
        ("uplot.css", "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04"),
        ("LICENSE.txt", "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd"),
    ],
)
def test_what_others_have_written_is_as_they_published_it(file: str, digest: str):
    """dist/uPlot.iife.min.js, dist/uPlot.min.css and LICENSE of the npm package uplot 1.6.32 (SHA-256)."""
    assert hashlib.sha256((PAGES / "vendor" / file).read_bytes()).hexdigest() == digest


def test_no_page_is_built_from_anything_else():
    """What is served is what is in the repository: plain modules, which need no tool to become pages."""
    kinds = {file.suffix for file in PAGES.rglob("*") if file.is_file() and "vendor" not in file.parts}
    assert kinds == {".html", ".js", ".css", ".svg", ".webmanifest"}
    longest = max(
        len(line) for file in PAGES.glob("js/*.js") for line in file.read_text("utf-8").splitlines()
    )
    assert longest < 400  # nothing is minified


@pytest.mark.parametrize(
    "path",
    [
        "/robot_windows/mine/../../../secret.txt",
        "/robot_windows/mine/%2e%2e/%2e%2e/%2e%2e/secret.txt",
        "/robot_windows/mine/..%2f..%2f..%2fsecret.txt",
        "/robot_windows/mine/..\\..\\..\\secret.txt",
        "/robot_windows/../../secret.txt",
        "/robot_windows//etc/passwd",
        "/robot_windows/mine/%00",
        "/robot_windows/mine",
        "/robot_windows/mine/",
        "/pages/../server.py",
        "/pages/%2e%2e/server.py",
        "/pages//etc/passwd",
        "/bundles/../server.py",
        "/bundles/%2e%2e/files.py",
        "/bundles/workbench",
        "/bundles/nothing.js",
        "/wwi/../../server.py",
        "/etc/passwd",
        "//etc/passwd",
        "/pages",
        "/%ff%fe",
    ],
)
def test_nothing_outside_is_given_away(path: str, windows: Path):
    assert find_file(path, windows) is None


def test_links_lead_nowhere_outside(windows: Path):
    (windows / "mine" / "out.txt").symlink_to(windows.parent.parent / "secret.txt")
    (windows / "out").symlink_to("/etc")
    assert find_file("/robot_windows/mine/out.txt", windows) is None
    assert find_file("/robot_windows/out/passwd", windows) is None


def test_imports_from_the_public_address_are_mapped(windows: Path):
    page = _found("/robot_windows/mine/mine.html", windows)
    text = page.body.decode()
    assert f'"{ADDRESS}": "/wwi/RobotWindow.js"' in text
    assert text.index("importmap") < text.index("w.js")
    assert page.policy == ""


def test_older_pages_get_the_former_function(windows: Path):
    (windows / "mine" / "w.js").write_text("window.robotWindow = webots.window('mine');")
    (windows / "mine" / "mine.html").write_text("<p>no head</p><script src='qwebchannel.js'></script>")
    text = _found("/robot_windows/mine/mine.html", windows).body.decode()
    assert text.startswith('<script src="/wwi/webots.js"></script>')
    assert "importmap" not in text
    assert _found("/robot_windows/mine/qwebchannel.js", windows).body == b""


def test_a_project_may_replace_the_generic_window(windows: Path):
    (windows / "generic").mkdir()
    (windows / "generic" / "generic.html").write_text("own")
    assert b"own" in _found("/robot_windows/generic/generic.html", windows).body
