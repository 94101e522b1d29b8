"""xacro files are programs, which run within bounds of their own.

Judges: the library xacro in this process; getrusage(2) and setrlimit(2).
"""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
import xacro

from wbridge.wbcore.importers import xacro_worker
from wbridge.wbcore.importers.xacro_files import XacroError, expand_xacro

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
DOUBLING = '<xacro:macro name="m0" params=""><link/></xacro:macro>' + "".join(
    f'<xacro:macro name="m{k + 1}" params="">{f"<xacro:m{k}/>" * 2}</xacro:macro>' for k in range(29)
)
"""Macros that call the former one twice: 2^29 links."""


def written(folder: Path, body: str) -> Path:
    """A xacro file."""
    path = folder / "arm.xacro"
    path.write_text(f"{HEAD}{body}</robot>")
    return path


def problem(path: Path) -> str:
    """Why a file cannot be expanded."""
    with pytest.raises(XacroError) as raised:
        expand_xacro(path, {})
    return str(raised.value)


def test_a_file_is_expanded_as_by_the_library(tmp_path: Path):
    body = (
        '<xacro:arg name="n" default="1"/><xacro:property name="a" value="$(arg n)"/><link name="l${a * 2}"/>'
    )
    path = written(tmp_path, body)
    expected = xacro.process_file(str(path), mappings={"n": "4"}).toxml(encoding="utf-8")
    assert b'"l8"' in expected and expand_xacro(path, {"n": "4"}) == expected


def test_modules_of_the_folder_in_which_somebody_works_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("xacro", "wbridge", "yaml"):
        (tmp_path / f"{name}.py").write_text('raise RuntimeError("a stranger\'s module")')
    monkeypatch.chdir(tmp_path)
    assert b"<link" in expand_xacro(written(tmp_path, '<link name="l"/>'), {})


def test_macros_without_end_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(xacro_worker, "LONGEST_S", 1)
    said = problem(written(tmp_path, DOUBLING + "<xacro:m29/>"))
    assert said.endswith("the file took longer than the allowed 1 s; does a macro never end?")


@pytest.mark.parametrize("size", [10**9, 10**12])
def test_an_expression_that_needs_memory_is_ended(tmp_path: Path, size: int):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    text = f'<xacro:property name="a" value="${{len(\'x\' * {size})}}"/><link name="l${{a}}"/>'
    said = problem(written(tmp_path, text))
    assert said.endswith("the file needs more than the allowed 512 MB of memory")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak <= max(before, xacro_worker.MOST_MEMORY // 1024)


def test_what_a_file_prints_cannot_change_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    expand_xacro(written(tmp_path, "<link name=\"l${xacro.warning('\\x1b[2J')}\"/>"), {})
    said = capsys.readouterr().err
    assert "\\x1b[2J" in said and "\x1b" not in said


def test_an_error_names_the_file_and_the_library(tmp_path: Path):
    said = problem(written(tmp_path, '<link name="${unknown}"/>'))
    assert said.startswith(f"{tmp_path / 'arm.xacro'}: xacro: ") and "unknown" in said
