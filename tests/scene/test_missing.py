"""Nothing that changes what happens is left out in silence: physics plugins, fields, missing robots."""

from __future__ import annotations

from pathlib import Path

import pytest

from wbridge.wbcore.physics.settings import read_settings
from wbridge.wbcore.scene.load import LoadOptions, load_text
from wbridge.wbcore.scene.missing import missing_robots

HEAD = "#VRML_SIM R2022a utf8\n"
LENIENT = LoadOptions(allow_missing=True)


def test_a_physics_plugin_is_an_error_that_names_it():
    """Manual, WorldInfo: `physics` names a plugin that computes custom forces; results differ without it."""
    (found,) = load_text(f'{HEAD}WorldInfo {{ physics "wind" }}', "p/worlds/a.wbt").report.errors
    assert found.code == "no-plugin"
    assert "'wind'" in found.message
    assert str(Path("p/plugins/physics/wind")) in found.message
    assert "--allow-missing" in found.message


def test_a_world_is_simulated_without_its_plugin_where_that_is_allowed():
    report = load_text(f'{HEAD}WorldInfo {{ physics "wind" }}', options=LENIENT).report
    assert report.errors == []
    assert [one.code for one in report.warnings] == ["no-plugin"]


@pytest.mark.parametrize("name", ["", "<none>"])
def test_no_plugin_is_none(name: str):
    report = load_text(f'{HEAD}WorldInfo {{ physics "{name}" }}').report
    assert [*report.errors, *report.warnings] == []


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('#VRML_SIM V8.3.1 utf8\nWorldInfo { fast2d "enki" }', "WorldInfo.fast2d"),
        ("#VRML_SIM V6.0 utf8\nSolid { physics Physics { orientation 0 1 0 1 } }", "Physics.orientation"),
        (
            f'{HEAD}Robot {{ children [ Radio {{ protocol "x" }} Radio {{ protocol "y" }} ] }}',
            "Radio.protocol",
        ),
    ],
)
def test_a_field_that_does_nothing_is_named_once(text: str, field: str):
    found = [one.message for one in load_text(text).report.warnings if one.code == "ignored-field"]
    assert len(found) == 1
    assert found[0].startswith(f"{field} is ignored: ")


def test_fields_that_do_nothing_may_have_their_defaults():
    text = f'{HEAD}Robot {{ children [ Radio {{ protocol "802.11b" }} ] }}'
    assert load_text(text).report.warnings == []


def test_softness_of_contacts_counts_under_its_old_names():
    """softErp and softCfm until V7.1 (manual 8.3.1, ContactProperties: softERP and softCFM)."""
    contact = "ContactProperties { softErp 0.5 softCfm 0.1 }"
    world = load_text(f"#VRML_SIM V7.0 utf8\nWorldInfo {{ contactProperties [ {contact} ] }}")
    (found,) = read_settings(world).contacts
    assert (found.soft_erp, found.soft_cfm) == (0.5, 0.1)


def test_robots_behind_stand_ins_are_known_by_their_controllers():
    text = f"""{HEAD}
      Unknown {{ name "bob" controller "drive" }}
      Unknown {{ controller "drive" }}
      Unknown {{ controller "<none>" }}
      Unknown {{ }}
    """
    found = missing_robots(load_text(text, options=LENIENT))
    assert found == [("bob", "Unknown", "drive"), ("Unknown", "Unknown", "drive")]


def test_a_model_that_could_not_be_imported_is_reported():
    """EXTERNPROTO with IMPORTABLE: supervisors import such models by name (R2022b)."""
    head = "#VRML_SIM R2023b utf8\n"
    declared = f'{head}IMPORTABLE EXTERNPROTO "https://example.org/Unknown.proto"\n'
    (found,) = load_text(f"{declared}WorldInfo {{ }}").report.warnings
    assert found.code == "missing-importable"
    assert "Unknown" in found.message
    here = f'{head}IMPORTABLE EXTERNPROTO "https://example.org/E-puck.proto"\n'
    assert load_text(f"{here}WorldInfo {{ }}").report.warnings == []
