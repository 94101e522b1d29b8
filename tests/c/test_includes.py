"""Headers bring what Webots' own bring (include/controller of cyberbotics/webots, in includes.toml)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.c.test_headers import CXX_INCLUDE, INCLUDE, compiled
from tests.conftest import require_tool

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OFFICIAL = tomllib.loads(Path(__file__).with_name("includes.toml").read_text("utf-8"))
PATTERN = re.compile(r"^#include [<\"]([^>\"]+)[>\"]", re.MULTILINE)


def brought(header: str) -> set[str]:
    """All that a header includes, directly or not."""
    seen: set[str] = set()
    waiting = [header]
    while waiting:
        name = waiting.pop()
        for folder in (INCLUDE, CXX_INCLUDE):
            if name not in seen and (folder / name).is_file():
                waiting += PATTERN.findall((folder / name).read_text("utf-8"))
        seen.add(name)
    return seen


def lacking(language: str) -> dict[str, list[str]]:
    """What Webots' headers include and ours do not, by header."""
    found = {
        header: [one for one in wanted if one not in brought(header)]
        for header, wanted in OFFICIAL[language].items()
    }
    return {header: names for header, names in found.items() if names}


def test_each_header_of_c_includes_what_that_of_webots_does():
    assert lacking("c") == {}


def test_each_header_of_classes_includes_what_that_of_webots_does():
    assert lacking("cpp") == {}


def test_controllers_that_include_no_header_of_the_system_compile(tmp_path: Path):
    """types.h brings <math.h> to C, ansi_codes.h <stdio.h>, Robot.hpp <iostream>."""
    require_tool("cc", "headers are compiled with it")
    require_tool("c++", "headers are compiled with it")
    c = (
        "#include <webots/compass.h>\n#include <webots/utils/ansi_codes.h>\n"
        'void a(const double *n) { printf("%g", atan2(n[0], n[2]) / M_PI); }\n'
    )
    cpp = (
        "#include <webots/Robot.hpp>\n#include <webots/Display.hpp>\n#include <webots/Field.hpp>\n"
        "webots::ImageRef *a(webots::Display *d, webots::Field *f) {\n"
        "  std::cout << f->getSFNode()->getDef() << std::endl;\n  return d->imageCopy(0, 0, 1, 1);\n}\n"
    )
    assert compiled(["cc", f"-I{INCLUDE}", "-Werror", "-fsyntax-only"], c, tmp_path / "a.c") == ""
    both = [f"-I{INCLUDE}", f"-I{CXX_INCLUDE}"]
    assert compiled(["c++", "-std=c++11", *both, "-fsyntax-only"], cpp, tmp_path / "a.cpp") == ""
