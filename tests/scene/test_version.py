"""Releases, what they mean by the same words, and the lines at the top of a file."""

from __future__ import annotations

import pytest

from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.dialect import dialect
from wbridge.wbcore.scene.header import read_source
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.version import Version


def test_releases_are_ordered_as_published() -> None:
    texts = ["V5.0", "V6.0", "V7.2.5", "V8.3.1", "V8.6", "R2018a", "R2018b", "R2022a", "R2023b", "R2025a"]
    versions = [Version.parse(text) for text in texts]
    assert versions == sorted(versions)
    assert [str(version) for version in versions] == texts


@pytest.mark.parametrize("text", ["", "utf8", "R20b", "RX", "-1"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no Webots release"):
        Version.parse(text)


def test_worlds_are_enu_since_r2020b() -> None:
    """With or without a WorldInfo that says nothing about it."""
    for release, expected in (("V8.3.1", "NUE"), ("R2020a", "NUE"), ("R2020b", "ENU"), ("R2021b", "ENU")):
        assert dialect(Version.parse(release)).coordinate_system == expected
        for info in ("", "WorldInfo { }"):
            assert load_text(f"#VRML_SIM {release} utf8\n{info}", "x.wbt").coordinate_system == expected


def test_shapes_and_devices_have_other_axes_since_r2022a() -> None:
    old, new = dialect(Version.parse("R2021b")), dialect(Version.parse("R2022a"))
    assert (old.z_up, new.z_up) == (False, True)
    assert (old.solid_axis, new.solid_axis) == ((0, 1, 0), (0, 0, 1))
    assert (old.view_axis, new.view_axis) == ((0, 0, -1), (1, 0, 0))
    assert old.ray_axis == new.ray_axis == (1, 0, 0)


def test_header_comments_and_declarations() -> None:
    report = Report()
    text = (
        "#VRML_SIM R2023b utf8\n# license: Apache-2.0\n# template language: javascript\n\n"
        'EXTERNPROTO "a/Foo.proto" # why\nIMPORTABLE EXTERNPROTO\n  "b/Bar.proto"\nGroup { }'
    )
    source, header = read_source("x.wbt", text, report)
    assert not list(report)
    assert str(header.version) == "R2023b" and header.tag("template language") == "javascript"
    assert [(e.name, e.url, e.importable) for e in header.externs] == [
        ("Foo", "a/Foo.proto", False),
        ("Bar", "b/Bar.proto", True),
    ]
    assert source.text[header.end :].strip() == "Group { }"


@pytest.mark.parametrize(
    ("text", "severity", "code", "line"),
    [
        ("Group { }", "error", "no-header", 1),
        ("#VRML_SIM X1 utf8\n", "error", "bad-version", 1),
        ("#VRML_SIM R2031a utf8\n", "warning", "new-version", 1),
        ("# mine\n#VRML_SIM R2023b utf8\n", "warning", "late-header", 2),
        ('#VRML_SIM R2023b utf8\nEXTERNPROTO "Foo"\n', "error", "bad-extern", 2),
        ("#VRML_SIM R2023b utf8\nEXTERNPROTO Foo.proto\n", "error", "bad-extern", 2),
    ],
)
def test_problems_at_the_top(text: str, severity: str, code: str, line: int) -> None:
    report = Report()
    read_source("x.wbt", text, report)
    assert [(d.severity, d.code, d.line) for d in report] == [(severity, code, line)]
