"""Buildings, containers and animals that public worlds name: fields, extents and colors of Webots' own.

Judge: the bounding objects and fields of Webots' PROTOs of R2019b to R2025a, turned to z up.
"""

from __future__ import annotations

import pytest

from tests.protos.models import findings, load, made, parts, pose

EXTENTS = {
    "OldResidentialBuilding": (29.1, 12.2, 11),
    "SmallResidentialBuilding": (28.2, 10, 8.5),
    "ModernSuburbanHouse": (13.8, 11.3, 8.5),
    "SuburbanHouse": (6.2, 13.39, 6),
    "MotelReception": (4.8, 6.3, 4.2),
    "IntermodalContainer": (12.192, 2.438, 2.6),
    "IntermodalOfficeContainer": (12.192, 2.438, 2.6),
    "Barn": (9, 7.26, 5.7),
}
"""Length, width and height in m of the largest box."""
FIELDS = {
    "Barn": "scale 0.2",
    "Cow": 'color 1 0.5 0.5 patchColor "black"',
    "Horse": "colorBody 1 0 0 colorHair 0 1 0",
    "IntermodalOfficeContainer": "primaryColor 0 0 1 secondaryColor 1 1 1",
    "OldResidentialBuilding": 'type "light grey" enableBoundingObject FALSE',
    "ResidentialBuildingWithRoundFront": 'type "orange"',
    "Sheep": "color 0 0 0",
    "Silo": "radius 2 height 9 roofHeight 1 enableBoundingObject FALSE locked TRUE",
    "SharpGP2Y0A02YK0F": 'model "mine"',
    "SharpGP2Y0A41SK0F": 'model "mine"',
    "SharpGP2Y0A710K0F": 'model "mine"',
    "SmallResidentialBuilding": 'type "red"',
    "StripBuilding": "length 30 randomSeed 3 enableBoundingObject FALSE",
    "YoubotFlag": "textureURL [ ] locked TRUE",
}
"""Values that are not the defaults."""


@pytest.mark.parametrize("name", EXTENTS)
def test_it_is_as_large_as_the_original(name: str):
    boxes = [tuple(box.get("size")) for box in parts(made(f"{name} {{\n}}\n"), "Box")]
    assert max(boxes, key=lambda size: size[0] * size[1] * size[2]) == pytest.approx(EXTENTS[name])


@pytest.mark.parametrize("name", FIELDS)
def test_it_has_the_fields_of_the_original(name: str):
    assert findings(load(f"{name} {{\n  {FIELDS[name]}\n}}\n")) == []


@pytest.mark.parametrize(
    ("name", "floors", "size"),
    [("ResidentialTower", 3, (9.5, 8.2, 15.7)), ("SmallResidentialTower", 2, (7.2, 5.4, 8.75))],
)
def test_a_tower_grows_with_its_floors(name: str, floors: int, size: tuple[float, float, float]):
    tower = made(f"{name} {{\n  numberOfFloors {floors}\n}}\n")
    assert tuple(parts(tower.get("boundingObject"), "Box")[0].get("size")) == pytest.approx(size)


def test_a_silo_is_as_high_as_its_field_says():
    (hull,) = parts(made("Silo {\n  radius 2\n  height 9\n}\n").get("boundingObject"), "Cylinder")
    assert (hull.get("radius"), hull.get("height")) == (2, 9)


@pytest.mark.parametrize("length", [30, 100])
def test_a_strip_is_as_long_as_asked_and_no_building_more(length: float):
    strip = made(f"StripBuilding {{\n  length {length}\n}}\n")
    widths = {29.1: 11.84, 20: 12.19, 28.2: 9.67, 9.5: 8.14, 7.2: 5.42}
    lengths = []
    for one in parts(strip, "Solid"):
        if one.get("name").startswith("building("):
            box = parts(one.get("boundingObject"), "Box")[0]
            lengths.append(widths[round(box.get("size")[0], 3)])
    assert sum(lengths[:-1]) < length <= sum(lengths)
    assert [one.get("name") for one in parts(strip, "Solid")[1:]] == [
        f"building({k})" for k in range(len(lengths))
    ]
    assert all(pose(one, strip)[0][0] < 0 for one in parts(strip, "Solid")[1:])


@pytest.mark.parametrize("name", ["LargeResidentialTower", "FastFoodRestaurant", "SimpleTwoFloorsHouse"])
def test_a_building_of_a_model_town_is_scaled(name: str):
    """As a world of R2025a has towers of 0.05: all lengths, visible and colliding, times `scale`."""
    sizes = []
    for scale in (1, 0.05):
        bounding = load(f"{name} {{\n  scale {scale}\n}}\n").nodes[0].root.get("boundingObject")
        boxes = parts(bounding.use_of or bounding, "Box")
        sizes.append([box.get("size") for box in boxes])
    full, small = sizes
    assert full and len(full) == len(small)
    for large, reduced in zip(full, small, strict=True):
        assert reduced == pytest.approx([length * 0.05 for length in large])
