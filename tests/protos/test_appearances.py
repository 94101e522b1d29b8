"""Appearances that public worlds name have the fields of Webots' PROTOs of R2021a to R2025a."""

from __future__ import annotations

import pytest

from tests.protos.models import made

COLORED = "colorOverride 1 0 0 textureTransform TextureTransform { } IBLStrength 2"
PLAIN = "textureTransform TextureTransform { } IBLStrength 2"
FIELDS = {
    "CorrugatedPvc": COLORED,
    "DarkParquetry": COLORED,
    "DryMud": PLAIN,
    "Fabric": COLORED,
    "LedStrip": COLORED + " emissiveIntensity 3",
    "MetalStainlessSteelCable": PLAIN,
    "OldPlywood": COLORED,
    "Sand": PLAIN,
    "SlatePavement": COLORED,
}


@pytest.mark.parametrize("name", FIELDS)
def test_an_appearance_has_the_fields_of_webots(name: str):
    look = made(f"{name} {{ {FIELDS[name]} }}\n")
    assert look.get("IBLStrength") == 2
    assert look.get("textureTransform").type == "TextureTransform"
    if FIELDS[name].startswith("color"):
        assert look.get("baseColor") == (1, 0, 0)


def test_the_lamps_of_a_strip_shine():
    assert made("LedStrip { emissiveIntensity 3 }\n").get("emissiveIntensity") == 3
