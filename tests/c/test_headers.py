"""Each header of the C API compiles alone, as C and as C++."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool

INCLUDE = CHECKOUT / "libcontroller" / "include"
HEADERS = sorted(path.relative_to(INCLUDE) for path in INCLUDE.rglob("*.h"))
CXX_INCLUDE = CHECKOUT / "libcontroller" / "cpp" / "include"
CXX_HEADERS = sorted(path.relative_to(CXX_INCLUDE) for path in CXX_INCLUDE.rglob("*.hpp"))
STRICT = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-Wundef", f"-I{INCLUDE}", "-fsyntax-only"]


def compiled(command: list[str], text: str, source: Path) -> str:
    """What the compiler says about a text."""
    source.write_text(text)
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    return done.stderr


@pytest.mark.parametrize(
    ("command", "name"),
    [(["cc", "-std=c11"], "a.c"), (["c++", "-std=c++17"], "a.cpp")],
)
def test_every_header_compiles_alone(command: list[str], name: str, tmp_path: Path):
    require_tool(command[0], "headers are compiled with it")
    sources = [tmp_path / f"{number}-{name}" for number in range(len(HEADERS))]
    for header, source in zip(HEADERS, sources, strict=True):
        source.write_text(f"#include <{header}>\nextern int a;\n")
    # One call of the compiler for all files takes half as long as one for each.
    done = subprocess.run([*command, *STRICT, *sources], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_all_headers_go_together(tmp_path: Path):
    require_tool("cc", "headers are compiled with it")
    text = "".join(f"#include <{header}>\n" for header in HEADERS)
    assert compiled(["cc", "-std=c11", *STRICT], text * 2, tmp_path / "a.c") == ""


def test_arguments_of_functions_without_parameters_are_let_through(tmp_path: Path):
    require_tool("cc", "headers are compiled with it")
    text = (
        "#include <webots/vehicle/driver.h>\n#include <webots/robot.h>\n"
        "int a(void) { wb_robot_init(0); return wbu_driver_step(50); }\n"
    )
    assert compiled(["cc", "-std=c11", *STRICT], text, tmp_path / "a.c") == ""


def test_text_is_printed_in_colors_and_the_console_cleared(tmp_path: Path):
    require_tool("cc", "the program is compiled with it")
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(
        "#include <webots/utils/ansi_codes.h>\n"
        'int main(void) { ANSI_CLEAR_CONSOLE(); ANSI_PRINTF_IN_GREEN("%d", 7); ANSI_PRINTF_IN_RED("a"); '
        "return 0; }\n"
    )
    options = [one for one in STRICT if one != "-fsyntax-only"]
    subprocess.run(["cc", "-std=c11", *options, str(source), "-o", str(program)], check=True)
    printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    assert printed == "\x1b[2J\n\x1b[32m7\x1b[0m\x1b[31ma\x1b[0m"


def test_a_supervisor_s_class_brings_those_of_nodes_and_fields(tmp_path: Path):
    require_tool("c++", "headers are compiled with it")
    text = (
        "#include <webots/Supervisor.hpp>\n"
        'double a(webots::Supervisor *s) { return s->getFromDef("A")->getField("b")->getSFFloat(); }\n'
    )
    assert compiled(["c++", "-std=c++11", *STRICT, f"-I{CXX_INCLUDE}"], text, tmp_path / "a.cpp") == ""


@pytest.mark.parametrize("step", [1, -1], ids=["in order", "in reverse order"])
def test_all_headers_of_classes_go_together(tmp_path: Path, step: int):
    require_tool("c++", "headers are compiled with it")
    text = "".join(f"#include <{header}>\n" for header in CXX_HEADERS[::step])
    command = ["c++", "-std=c++11", *STRICT, f"-I{CXX_INCLUDE}"]
    assert compiled(command, text * 2, tmp_path / "a.cpp") == ""


@pytest.mark.slow
def test_every_header_of_a_class_compiles_alone(tmp_path: Path):
    require_tool("c++", "headers are compiled with it")
    sources = []
    for header in CXX_HEADERS:
        sources.append(tmp_path / f"{header.stem}.cpp")
        sources[-1].write_text(f"#include <{header}>\n")
    command = ["c++", "-std=c++11", *STRICT, f"-I{CXX_INCLUDE}", *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == "" and done.returncode == 0
    assert len(sources) > 30


def test_the_headers_know_nothing_of_a_host():
    system = {
        line.split()[1]
        for header in HEADERS
        for line in (INCLUDE / header).read_text().splitlines()
        if line.startswith("#include") and "webots/" not in line
    }
    assert system <= {"<stdbool.h>", "<string.h>", "<math.h>", "<stdio.h>", "<ode/ode.h>", "<pthread.h>"}


MEMBER = re.compile(r"^  (?:std::vector<.*> |[\w:]+ \*?)(?P<name>\w+);$", re.MULTILINE)
NON_PUBLIC = re.compile(
    r"^(?:private|protected):\n(.*?)(?=^(?:public:|private:|protected:|\};))", re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize("header", CXX_HEADERS, ids=str)
def test_members_that_are_not_public_bear_names_of_the_library(header: Path):
    text = (CXX_INCLUDE / header).read_text()
    names = [found["name"] for part in NON_PUBLIC.findall(text) for found in MEMBER.finditer(part)]
    assert [name for name in names if not name.startswith("wb_member_")] == []


def test_the_names_of_members_are_seen():
    parts = NON_PUBLIC.findall((CXX_INCLUDE / "webots" / "Robot.hpp").read_text())
    assert len([found for part in parts for found in MEMBER.finditer(part)]) == 3


@pytest.mark.parametrize("is_member", [False, True])
def test_classes_derived_from_the_robot_may_use_plain_names(is_member: bool, tmp_path: Path):
    require_tool("c++", "the class is compiled with it")
    names = ("keyboard", "mouse", "joystick", "devices", "tag", "name", "ref", "instance", "nodes", "fields")
    declared = "".join(f"int {name};\n" for name in names)
    used = " ".join(f"{name} = 1;" for name in names)
    inside, outside = (declared, "") if is_member else ("", declared)
    classes = "".join(
        f"struct Mine{base} : public webots::{base} {{\n{inside}  void work() {{ {used} }}\n}};\n"
        for base in ("Robot", "Supervisor", "Driver", "Car")
    )
    headers = "".join(f"#include <{one}>\n" for one in CXX_HEADERS if one.stem != "Sketch")
    source = f"{headers}{outside}{classes}"
    assert compiled(["c++", "-std=c++17", f"-I{CXX_INCLUDE}", *STRICT], source, tmp_path / "a.cpp") == ""
