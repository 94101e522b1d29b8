"""Colors of surfaces against the formulas."""

from __future__ import annotations

from math import cos

import numpy as np
import pytest

from tests.render.formulas import around, attenuation, facets, linear, shown, spot

AHEAD = "DirectionalLight { direction 1 0 0 intensity %s color %s ambientIntensity %s }"
NEAR = 1.0
"""Rounding to whole values, and the driver's arithmetic."""


def material(**fields: object) -> str:
    inner = " ".join(f"{name} {value}" for name, value in fields.items())
    return f"appearance Appearance {{ material Material {{ {inner} }} }}"


def physical(**fields: object) -> str:
    inner = " ".join(f"{name} {value}" for name, value in fields.items())
    return f"appearance PBRAppearance {{ {inner} }}"


@pytest.mark.parametrize("color", [(0.4, 0.7, 1.0), (0.0, 0.5, 0.1), (1.0, 1.0, 1.0)])
def test_the_sky_has_its_color(studio, color):
    """Webots inverts its tone map for the color of the sky."""
    picture = studio.picture(f"Background {{ skyColor [ {color[0]} {color[1]} {color[2]} ] }}")
    assert np.abs(picture - 255 * np.array(color)).max() <= NEAR


def test_the_sky_is_exposed(studio):
    light = -np.log(1 + 1e-9 - 0.5**2.2)
    picture = studio.picture("Background { skyColor [ 0.5 0.5 0.5 ] }", "exposure 2")
    assert np.abs(picture - shown(light, 2)).max() <= NEAR


def test_a_world_without_background_is_black(studio):
    assert not studio.picture("").any()


@pytest.mark.parametrize("exposure", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("value", [0.02, 0.3, 1.0])
def test_emitted_light(middle, value, exposure):
    shape = material(diffuseColor="0 0 0", emissiveColor=f"{value} 0 1")
    red, green, blue = middle(shape, camera=f"exposure {exposure}")
    assert red == pytest.approx(shown(linear(value), exposure), abs=NEAR)
    assert (green, blue) == (0, pytest.approx(shown(1, exposure), abs=NEAR))


def test_a_shape_without_appearance_is_white_in_any_light(middle):
    assert middle("") == pytest.approx((shown(1),) * 3, abs=NEAR)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_ambient_light_of_all_lights_is_added(middle, share):
    shape = material(diffuseColor="0.8 0.5 0.2", ambientIntensity=share)
    lights = AHEAD % (0, "1 1 1", 0.5) + AHEAD % (0, "1 0.5 0", 0.25)
    sums = (0.75, 0.625, 0.5)
    wanted = [shown(linear(share * c) * s) for c, s in zip((0.8, 0.5, 0.2), sums, strict=True)]
    assert middle(shape, lights) == pytest.approx(wanted, abs=NEAR)


@pytest.mark.parametrize("angle", [0.0, 0.6, 1.2, 1.6])
def test_diffuse_light_falls_with_the_cosine(middle, angle):
    light = f"DirectionalLight {{ direction {cos(angle)} 0 {-np.sin(angle)} intensity 0.9 color 1 0.5 0.25 }}"
    shape = material(diffuseColor="0.8 0.8 0.8", ambientIntensity=0)
    arriving = 0.9 * max(cos(angle), 0) * linear(0.8)
    wanted = [shown(arriving * c) for c in (1, 0.5, 0.25)]
    assert middle(shape, light) == pytest.approx(wanted, abs=NEAR)


@pytest.mark.parametrize("shininess", [0.1, 0.5])
@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_highlights_have_128_times_the_shininess_as_exponent(middle, angle, shininess):
    light = f"DirectionalLight {{ direction {cos(angle)} 0 {-np.sin(angle)} intensity 0.5 }}"
    shape = material(diffuseColor="0 0 0", specularColor="0.6 0.6 0.6", shininess=shininess)
    wanted = shown(0.5 * linear(0.6) * cos(angle / 2) ** (128 * shininess))
    assert middle(shape, light)[0] == pytest.approx(wanted, abs=2)


@pytest.mark.parametrize("terms", [(1, 0, 0), (0, 0, 1), (0.5, 0.2, 0.3)])
def test_point_lights_are_attenuated(middle, terms):
    light = f"PointLight {{ location 0.5 0 0 attenuation {terms[0]} {terms[1]} {terms[2]} intensity 0.7 }}"
    wanted = shown(0.7 * attenuation(terms, 1.499) * linear(0.9))
    assert middle(material(diffuseColor="0.9 0.9 0.9"), light)[1] == pytest.approx(wanted, abs=NEAR)


@pytest.mark.parametrize(("radius", "is_lit"), [(1.4, False), (1.6, True)])
def test_point_lights_end_at_their_radius(middle, radius, is_lit):
    light = f"PointLight {{ location 0.5 0 0 attenuation 1 0 0 radius {radius} }}"
    assert (middle(material(), light)[0] > 0) is is_lit


@pytest.mark.parametrize("angle", [0.1, 0.3, 0.4, 0.6])
def test_spot_lights_fade_between_beam_and_cut_off(middle, angle):
    light = (
        f"SpotLight {{ location 0 0 0 direction {cos(angle)} {np.sin(angle)} 0 beamWidth 0.2 cutOffAngle 0.5 "
        "attenuation 1 0 0 }"
    )
    wanted = shown(spot(angle, 0.2, 0.5) * linear(0.8))
    assert middle(material(diffuseColor="0.8 0.8 0.8"), light)[0] == pytest.approx(wanted, abs=NEAR)


def test_lights_that_are_off_give_no_light(middle):
    assert middle(material(), "DirectionalLight { direction 1 0 0 ambientIntensity 1 on FALSE }") == (0, 0, 0)


@pytest.mark.parametrize("roughness", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("metalness", [0.0, 1.0])
@pytest.mark.parametrize("angle", [0.2, 1.0])
def test_physically_based_surfaces(middle, roughness, metalness, angle):
    """A directional light; its intensity counts twice in diffuse light, as in Webots' shader."""
    light = f"DirectionalLight {{ direction {cos(angle)} 0 {-np.sin(angle)} intensity 1.5 }}"
    shape = physical(baseColor="0.7 0.7 0.7", roughness=roughness, metalness=metalness, IBLStrength=0)
    toward = np.array([-cos(angle), 0, np.sin(angle)])
    back = np.array([-1.0, 0, 0])
    matt, mirrored = facets(linear(0.7), roughness, metalness, back, toward, back)
    assert middle(shape, light)[1] == pytest.approx(shown(1.5 * (1.5 * matt + mirrored)), abs=2)


@pytest.mark.parametrize("roughness", [0.1, 0.4, 0.9])
@pytest.mark.parametrize("metalness", [0.0, 1.0])
def test_the_sky_lights_physically_based_surfaces(middle, roughness, metalness):
    shape = physical(baseColor="0.8 0.8 0.8", roughness=roughness, metalness=metalness)
    wanted = shown(0.5 * around(linear(0.8), roughness, metalness, 0.999, 0.6))
    sky = "Background { skyColor [ 0.6 0.6 0.6 ] luminosity 0.5 }"
    assert middle(shape, sky)[0] == pytest.approx(wanted, abs=2)


def test_physically_based_surfaces_emit_light_as_given(middle):
    shape = physical(baseColor="0 0 0", emissiveColor="0.2 0 0.1", emissiveIntensity=3, IBLStrength=0)
    assert middle(shape) == pytest.approx((shown(0.6), 0, shown(0.3)), abs=NEAR)


@pytest.mark.parametrize("kind", ["LINEAR", "EXPONENTIAL", "EXPONENTIAL2"])
def test_fog_hides_with_distance(middle, kind):
    fog = f'Fog {{ color 0.2 0.4 0.8 visibilityRange 5 fogType "{kind}" }}'
    share = 1.999 / 5
    left = {"LINEAR": 1 - share, "EXPONENTIAL": np.exp(-share), "EXPONENTIAL2": np.exp(-(share**2))}[kind]
    hidden = (1 - left) ** 2.2
    shape = material(diffuseColor="0 0 0", emissiveColor="1 1 1")
    wanted = [shown(1 + hidden * (c - 1)) for c in (0.2, 0.4, 0.8)]
    assert middle(shape, fog) == pytest.approx(wanted, abs=NEAR)


@pytest.mark.parametrize("transparency", [0.25, 0.8])
def test_what_is_behind_shines_through(middle, transparency):
    """Light is mixed, not displayed values."""
    shape = material(diffuseColor="0 0 0", emissiveColor="1 0 0", transparency=transparency)
    behind = (
        "Solid { translation 3 0 0 children [ Shape { appearance Appearance { material Material { "
        "diffuseColor 0 0 0 emissiveColor 0 1 0 } } geometry Box { size 0.1 9 9 } } ] }"
    )
    wanted = (shown(1 - transparency), shown(transparency), 0)
    assert middle(shape, behind) == pytest.approx(wanted, abs=NEAR)


def test_fully_transparent_shapes_are_not_drawn(middle):
    assert middle(material(emissiveColor="1 1 1", transparency=1)) == (0, 0, 0)


def test_many_lights_of_all_kinds_add_up(middle):
    """More than vertices hand over to fragments."""
    strength, places = 0.02, [0.2 + 0.1 * k for k in range(6)]
    terms = (1, 0, 1)
    lights = (AHEAD % (strength, "1 1 1", 0)) * 6
    for x in places:
        fields = f"location {x} 0 0 intensity {strength} attenuation {terms[0]} {terms[1]} {terms[2]}"
        lights += f"PointLight {{ {fields} }} SpotLight {{ {fields} direction 1 0 0 }}"
    away = [1.999 - x for x in places]
    arriving = strength * (6 + 2 * sum(attenuation(terms, distance) for distance in away))
    wanted = shown(arriving * linear(0.8))
    shape = material(diffuseColor="0.8 0.8 0.8", ambientIntensity=0)
    assert middle(shape, lights) == pytest.approx((wanted,) * 3, abs=NEAR)


def test_more_lights_than_pictures_show(studio, caplog):
    studio.picture((AHEAD % (0.01, "1 1 1", 0)) * 49)
    assert "49 lights light surfaces; pictures show the first 48" in caplog.text


def test_the_yellow_of_a_road_has_the_color_that_controllers_look_for(studio):
    """Judge: {95, 187, 203} (blue, green, red), the reference color in the controller of Webots' city sample,
    which accepts a sum of differences below 30."""
    road = (
        "TexturedBackground { } TexturedBackgroundLight { } "
        "Solid { translation 1 0 -0.5 children [ Shape { appearance PBRAppearance { "
        "baseColor 0.85 0.75 0.3 roughness 1 metalness 0 } geometry Plane { size 20 20 } } ] }"
    )
    lowest = studio.picture(road, "rotation 0 1 0 0.2")[-1]
    assert np.abs(lowest - (203, 187, 95)).sum(axis=1).max() < 30
