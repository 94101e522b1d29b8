"""A reader of Webots' animations that follows the rules of Webots' viewer, as a judge of what we write.

Source: resources/web/wwi of Webots R2023b: Parser.js for the elements and the values of absent attributes,
Animation.js for the frame of a time (elapsed time / basicTimeStep) and for what frames add up to.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ABSENT: dict[str, dict[str, str]] = {
    one.tag: dict(one.attrib)
    for one in ElementTree.fromstring("""<absent>
<Transform translation="0 0 0" rotation="0 0 1 0" scale="1 1 1"/>
<Viewpoint fieldOfView="0.785398" exposure="1" bloomThreshold="21" zNear="0.1" zFar="2000"
    followSmoothness="nan" ambientOcclusionRadius="2"/>
<Shape castShadows="false" isPickable="true"/>
<Box size="2 2 2"/>
<Sphere radius="1" ico="false" subdivision="1"/>
<Cone bottomRadius="1" height="2" subdivision="32" side="true" bottom="true"/>
<Cylinder radius="1" height="2" subdivision="32" side="true" bottom="true" top="true"/>
<Capsule radius="1" height="2" subdivision="32" side="true" bottom="true" top="true"/>
<Plane size="1 1"/>
<IndexedFaceSet ccw="true" creaseAngle="0" normalPerVertex="true"/>
<ElevationGrid xDimension="0" yDimension="0" xSpacing="1" ySpacing="1" thickness="1"/>
<DirectionalLight on="true" color="1 1 1" direction="0 0 -1" intensity="1" ambientIntensity="0"
    castShadows="false"/>
<PointLight on="true" attenuation="1 0 0" color="1 1 1" intensity="1" location="0 0 0" radius="100"
    ambientIntensity="0" castShadows="false"/>
<SpotLight on="true" attenuation="1 0 0" beamWidth="0.785" color="1 1 1" cutOffAngle="0.785"
    direction="0 0 -1" intensity="1" location="0 0 0" radius="100" ambientIntensity="0"
    castShadows="false"/>
<Fog color="1 1 1" visibilityRange="0" fogType="LINEAR"/>
<Background skyColor="0 0 0" luminosity="1"/>
<Material ambientIntensity="0.2" diffuseColor="0.8 0.8 0.8" specularColor="0 0 0" emissiveColor="0 0 0"
    shininess="0.2" transparency="0"/>
<PBRAppearance baseColor="1 1 1" transparency="0" roughness="0" metalness="1" IBLStrength="1"
    normalMapFactor="1" occlusionMapStrength="1" emissiveColor="0 0 0" emissiveIntensity="1"/>
<ImageTexture repeatS="true" repeatT="true" filtering="4"/>
<TextureTransform center="0 0" rotation="0" scale="1 1" translation="0 0"/>
</absent>""")
}
"""What the viewer takes for attributes that an element does not have."""
ELEMENTS = ABSENT.keys() | set(
    "WorldInfo Billboard Group IndexedLineSet PointSet Mesh Appearance Coordinate TextureCoordinate Normal "
    "Color".split()
)
"""The elements that the viewer reads."""
OTHER_NAMES = {"zNear": "near", "zFar": "far"}


class Player:
    """An animation, read as Webots' viewer does."""

    def __init__(self, page: Path) -> None:
        scene = ElementTree.parse(page.with_suffix(".x3d")).getroot().find("Scene")
        assert scene is not None
        self.elements = {one.attrib["id"]: one for one in scene.iter() if "id" in one.attrib}
        self.tags = {one.tag for one in scene.iter()} - {"Scene"}
        for one in self.elements.values():
            assert one.get("USE", one.attrib["id"]) in self.elements
        self.data: dict[str, Any] = json.loads(page.with_suffix(".json").read_text())

    def value(self, identifier: str, name: str) -> str:
        """Return what the viewer takes for an attribute."""
        element = self.elements[identifier]
        return element.get(name, ABSENT[element.tag][name])

    def at(self, time_ms: float) -> dict[int, dict[str, str]]:
        """Return the fields that the viewer has set after `time_ms` of playing, by node."""
        last = int(time_ms // self.data["basicTimeStep"])
        found: dict[int, dict[str, str]] = {}
        for frame in self.data["frames"][: last + 1]:
            for update in frame.get("updates", []):
                found.setdefault(update["id"], {}).update(update)
        return found
