"""Fields that a supervisor sets to anything: sensors go on, and say what they use instead."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.devices.rig import Rig, rig
from wbridge.wbcore.scene.values import VecArray

AROUND = (
    "Solid { radarCrossSection 1 translation 5 0 0 boundingObject Box { } "
    "children [ Shape { geometry Box { size 1 1 1 } } ] } DEF LIGHT PointLight { }"
)
FLOATS = [math.nan, math.inf, -math.inf, -5.0, 0.0, 1e308, 1e-320]
VALUES: dict[str, list[Any]] = {
    "SFFloat": FLOATS,
    "SFInt32": [-5, 0, 10**6, 2**31 - 1],
    "SFString": ["", "x"],
    "SFColor": [(math.nan,) * 3, (1e300,) * 3, (-1.0, 0.0, 0.0)],
    "MFVec3f": [
        VecArray(3, []),
        VecArray(3, [(math.nan,) * 3]),
        VecArray(3, [(0, 0, 0), (0, 1, 0), (0, 2, 0)]),
        VecArray(3, [(1, 1, 0), (-1, 0, 0)]),
        VecArray(3, [(0, 0, 1e300), (math.inf, 1, 0)]),
        VecArray(3, [(0, 0, 0), (1e308, 1, 0)]),
    ],
}
FIELDS = {
    "DistanceSensor": "lookupTable numberOfRays aperture gaussianWidth resolution type redColorSensitivity",
    "LightSensor": "lookupTable colorFilter resolution",
    "TouchSensor": "type lookupTable resolution",
    "Radar": "minRange maxRange horizontalFieldOfView verticalFieldOfView cellDistance cellSpeed rangeNoise "
    "speedNoise angularNoise antennaGain frequency transmittedPower minDetectableSignal minRadialSpeed",
    "GPS": "accuracy noiseCorrelation resolution speedNoise speedResolution",
    "Gyro": "lookupTable resolution",
    "Accelerometer": "lookupTable resolution",
    "InertialUnit": "noise resolution",
    "Compass": "lookupTable resolution",
    "Altimeter": "accuracy noiseCorrelation resolution",
}


def make(kind: str, more: str = "") -> Rig:
    r = rig(
        f'DEF D {kind} {{ name "d" {more} boundingObject Box {{ }} }}',
        AROUND,
        "boundingObject Box { } physics Physics { }",
        "gravity 0",
    )
    r.enable("d")
    r.step()
    return r


def set_all(r: Rig, def_name: str, names: str) -> None:
    for name in names.split():
        field = r.node(def_name).field(name)
        before = field.value
        for value in VALUES[field.spec.type]:
            r.set(def_name, name, value)
            r.step()
        r.set(def_name, name, before)
    r.step()


@pytest.mark.parametrize("kind", FIELDS)
def test_sensors_go_on_with_any_value(kind: str):
    set_all(make(kind), "D", FIELDS[kind])


@pytest.mark.parametrize("kind", ["generic", "infra-red", "sonar", "laser"])
def test_distance_sensors_of_all_types_go_on(kind: str):
    r = make("DistanceSensor", f'type "{kind}" numberOfRays 3 aperture 1 lookupTable [ 0 0 0 9 9 0 ]')
    expected = r["d"].get_value()
    set_all(r, "D", FIELDS["DistanceSensor"])
    assert r["d"].get_value() == pytest.approx(expected)


def test_light_sensors_go_on_with_any_light():
    r = make("LightSensor", "occlusion TRUE")
    set_all(r, "LIGHT", "intensity ambientIntensity color")
    for value in ((math.nan,) * 3, (math.inf,) * 3, (0.0, 0.0, 0.0), (-1.0, 0.0, 0.0)):
        for name in ("location", "attenuation"):
            r.set("LIGHT", name, value)
            r.step()
    assert not math.isnan(r["d"].get_sampling_period())


def test_what_is_used_instead_is_told_once(caplog: pytest.LogCaptureFixture):
    r = make("DistanceSensor", 'numberOfRays 3 aperture 1 type "sonar"')
    for _ in range(2):
        r.set("D", "aperture", 100.0)
        r.step()
    text = 'ROBOT "robot" > D "d": aperture is 100; allowed: 0 to 6.28319; 1.5708 is used'
    assert caplog.text.count(text) == 1
