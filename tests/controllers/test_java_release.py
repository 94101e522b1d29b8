"""The release of Java that a class needs, and that of an installation.

Judge: the Java Virtual Machine Specification (class files of Java 8 have the major version 52, of 17 the
version 61), and the file `release` of OpenJDK.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from wbridge.wbcore.controllers.java_release import needed_by, release_of
from wbridge.wbcore.controllers.program_types import CannotStart
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni
from wbridge.wbcore.controllers.search import find_program


def class_file(major: int) -> bytes:
    return b"\xca\xfe\xba\xbe\0\0" + major.to_bytes(2, "big") + b"\0" * 8


@pytest.mark.parametrize(("major", "release"), [(52, 8), (61, 17), (65, 21)])
def test_a_class_states_its_release(tmp_path: Path, major: int, release: int):
    file = tmp_path / "c.class"
    file.write_bytes(class_file(major))
    with zipfile.ZipFile(tmp_path / "c.jar", "w") as archive:
        archive.write(file, "c.class")
    assert needed_by(file, "c") == needed_by(tmp_path / "c.jar", "c") == release


@pytest.mark.parametrize("content", [b"", b"PK", b"\xca\xfe\xba"])
def test_what_is_no_class_has_none(tmp_path: Path, content: bytes):
    for name in ("c.class", "c.jar"):
        (tmp_path / name).write_bytes(content)
        assert needed_by(tmp_path / name, "c") is None


@pytest.fixture
def java(tmp_path: Path) -> Path:
    program = tmp_path / "jdk" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "jdk" / "release").write_text('IMPLEMENTOR="X"\nJAVA_VERSION="17.0.15"\n')
    return program


def test_an_installation_states_its_release(java: Path):
    assert release_of(str(java)) == 17
    (java.parents[1] / "release").write_text('JAVA_VERSION="1.8.0_292"\n')
    assert release_of(str(java)) == 8
    (java.parents[1] / "release").unlink()
    assert release_of(str(java)) is None
    assert release_of(str(java / "absent")) is None


def test_a_jar_of_a_newer_java_is_refused_with_both_releases(tmp_path: Path, java: Path):
    (tmp_path / "c").mkdir()
    with zipfile.ZipFile(tmp_path / "c" / "c.jar", "w") as archive:
        archive.writestr("c.class", class_file(65))
    ini = RuntimeIni(tmp_path / "runtime.ini", f"[java]\nCOMMAND = {java}\n")
    ini.apply({})
    program = find_program("c", [tmp_path])
    with pytest.raises(
        CannotStart, match="was compiled for Java 21, and .*/java is Java 17; compile it again"
    ):
        program.type.command(program, ini, {})
