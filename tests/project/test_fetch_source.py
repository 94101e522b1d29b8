"""The source archives that the build fetches: each way to them, and the messages when there is none.

Machines have their own apt-get and apt-helper here, which write and fail as apt's do (apt-get(8)).
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import fetch_source
from scripts.fetch_source import NotFetchedError, Source
from tests.project.files import CHECKOUT

CONTENT = b"an archive"
SOURCE = Source("ode", "ode_1.0.orig.tar.gz", hashlib.sha256(CONTENT).hexdigest())
INDEXES = "http://mirror/debian/\tstable\tmain\nhttp://mirror/debian/\tstable\tcontrib\n"


class Apt:
    """Commands of a machine with one mirror."""

    def __init__(self, pool: bytes | str, package: bytes | str) -> None:
        self.pool = pool
        """The archive in the mirror's pool, or apt-helper's error."""
        self.package = package
        """The archive of the source package, or apt-get's error."""
        self.commands: list[str] = []
        self.indexes = INDEXES

    def __call__(self, *command: str | Path, folder: Path | None = None) -> str:
        words = [str(word) for word in command]
        self.commands.append(" ".join(words))
        if "indextargets" in words:
            return self.indexes
        if "download-file" in words:
            return self._write(self.pool, Path(words[3]))
        if "source" in words:
            assert folder is not None
            return self._write(self.package, folder / SOURCE.archive)
        return ""

    @staticmethod
    def _write(content: bytes | str, target: Path) -> str:
        if isinstance(content, str):
            raise NotFetchedError(content)
        target.write_bytes(content)
        return ""


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Apt]:
    def made(pool: bytes | str = CONTENT, package: bytes | str = CONTENT) -> Apt:
        apt = Apt(pool, package)
        monkeypatch.setattr(fetch_source, "run", apt)
        return apt

    return made


def test_the_pool_of_a_mirror_comes_first_and_the_cache_keeps_the_archive(
    machine: Callable[..., Apt], tmp_path: Path
):
    apt = machine()
    assert fetch_source.fetch(SOURCE, tmp_path).read_bytes() == CONTENT
    address = "http://mirror/debian/pool/main/o/ode/ode_1.0.orig.tar.gz"
    assert any(f"download-file {address} " in one for one in apt.commands)
    apt.commands.clear()
    assert fetch_source.fetch(SOURCE, tmp_path) == tmp_path / SOURCE.archive
    assert apt.commands == []
    assert [one.name for one in tmp_path.iterdir()] == [SOURCE.archive]


def test_the_source_package_is_the_second_way(machine: Callable[..., Apt], tmp_path: Path):
    apt = machine(pool="404  Not Found")
    assert fetch_source.fetch(SOURCE, tmp_path).read_bytes() == CONTENT
    update, source = (one for one in apt.commands if "State::Lists" in one)
    assert update.endswith(" update") and source.endswith(" source --download-only --tar-only ode")


def test_lists_of_sources_name_each_index_once(machine: Callable[..., Apt], tmp_path: Path):
    machine()
    fetch_source.from_source_package(SOURCE, tmp_path)
    assert (tmp_path / "sources.list").read_text() == (
        "deb-src [trusted=yes] http://mirror/debian/ stable main\n"
        "deb-src [trusted=yes] http://mirror/debian/ stable contrib\n"
    )


def test_both_reasons_are_in_one_line(machine: Callable[..., Apt], tmp_path: Path):
    machine(
        pool="Could not resolve 'mirror'", package="You must put some 'deb-src' URIs in your sources.list"
    )
    with pytest.raises(NotFetchedError) as caught:
        fetch_source.fetch(SOURCE, tmp_path)
    assert str(caught.value) == (
        "Could not resolve 'mirror'; You must put some 'deb-src' URIs in your sources.list"
    )


def test_a_changed_archive_is_refused(machine: Callable[..., Apt], tmp_path: Path):
    machine(pool=b"another", package=b"another")
    with pytest.raises(NotFetchedError, match=f"wrong SHA-256 .*; expected {SOURCE.sha256}"):
        fetch_source.fetch(SOURCE, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_copy_in_the_cache_is_fetched_again(machine: Callable[..., Apt], tmp_path: Path):
    machine()
    (tmp_path / SOURCE.archive).write_bytes(b"damaged")
    assert fetch_source.fetch(SOURCE, tmp_path).read_bytes() == CONTENT


def test_lists_without_a_mirror_are_named(machine: Callable[..., Apt], tmp_path: Path):
    machine().indexes = ""
    with pytest.raises(NotFetchedError, match=r"^apt's lists of sources name no mirror$"):
        fetch_source.fetch(SOURCE, tmp_path)


def test_a_system_without_apt_is_told_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotFetchedError, match=r"^this system has no apt-get$"):
        fetch_source.fetch(SOURCE, tmp_path)


def test_the_first_error_of_apt_is_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    program = tmp_path / "apt-get"
    program.write_text(
        "#!/bin/sh\necho 'W: slow' >&2; echo 'E: no network' >&2; echo 'E: more' >&2; exit 100\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(NotFetchedError, match=r"^no network$"):
        fetch_source.run("apt-get", "update")


def test_the_program_prints_the_path_or_one_line(
    machine: Callable[..., Apt], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    machine(pool="no network", package="no network")
    pin, copy = tmp_path / "pin", tmp_path / "copy"
    pin.write_text(" ".join(SOURCE) + "\n")
    copy.write_bytes(CONTENT)
    assert fetch_source.main([str(pin), "--file", str(copy)]) == 0
    assert capsys.readouterr().out == f"{copy}\n"
    copy.write_bytes(b"")
    assert fetch_source.main([str(pin), "--file", str(copy)]) == 1
    assert capsys.readouterr().err.startswith(f"{SOURCE.archive} cannot be had: {copy}: wrong SHA-256 ")


def test_the_pin_of_ode_names_its_release():
    words = (CHECKOUT / "wbcore" / "engine" / "ode" / "source.txt").read_text().split()
    assert words[:2] == ["ode", "ode_0.16.2.orig.tar.gz"]
    assert len(bytes.fromhex(words[2])) == 32
