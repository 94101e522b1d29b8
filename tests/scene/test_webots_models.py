"""Addresses of bundled models that Webots understands as well.

Judge: the addresses that public worlds of Webots declare, for the models in them.
"""

from __future__ import annotations

import re

import pytest

from tests.project.files import CHECKOUT
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.files import file_index
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.webots_models import declared_url

NEW_PROJECT = CHECKOUT / "wbridge" / "projects" / "template" / "worlds" / "arena.wbt"
"""A world that Webots opens as well."""
DECLARED = re.compile(r'EXTERNPROTO "[^"]*/(projects/[^"]+/([^"/]+)\.proto)"')


def test_worlds_for_webots_declare_the_same_places():
    declared = DECLARED.findall(NEW_PROJECT.read_text(encoding="utf-8"))
    assert len(declared) == 5
    assert [declared_url(name) for _, name in declared] == [f"webots://{path}" for path, _ in declared]


def test_every_place_is_that_of_a_bundled_model():
    models = file_index(builtin_directory() / "protos", ".proto")
    urls = {name: declared_url(name) for name in models}
    of_webots = {name: url for name, url in urls.items() if url != f"{name}.proto"}
    assert len(of_webots) > 380
    assert all(re.fullmatch(r"webots://projects/[\w/-]+/[\w-]+\.proto", url) for url in of_webots.values())


@pytest.mark.parametrize("name", ["E-puck", "WoodenBox", "Rock10cm"])
def test_the_address_loads_the_bundled_model(name: str):
    world = load_text(f'#VRML_SIM R2025a utf8\nEXTERNPROTO "{declared_url(name)}"\n{name} {{ }}\n')
    assert list(world.report) == []
    (node,) = world.nodes
    assert node.proto is not None and node.proto.source.path == str(
        file_index(builtin_directory() / "protos", ".proto")[name]
    )


def test_the_advice_for_a_model_that_is_not_declared_is_such_an_address():
    world = load_text("#VRML_SIM R2025a utf8\nE-puck { }\n")
    (advice,) = [str(problem) for problem in world.report]
    assert f'EXTERNPROTO "{declared_url("E-puck")}"' in advice
