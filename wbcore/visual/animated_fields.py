"""Fields that animations for browsers show.

Source: the fields that Webots' nodes synchronize with X3D (WbFog.cpp, WbMaterial.cpp, WbLight.cpp etc.), and
that its viewer applies (X3dScene.js). Skies change in `wbridge view` only. Other lists, such as the points of
meshes, are not recorded.
"""

from __future__ import annotations

from wbridge.wbcore.physics.tree import is_frame
from wbridge.wbcore.scene.node import Node

_FRAME = frozenset(["translation", "rotation", "scale"])
_LIGHT = "ambientIntensity castShadows color intensity on "
_BY_TYPE = {
    kind: frozenset(fields.split())
    for kind, fields in {
        "Background": "luminosity skyColor",
        "Box": "size",
        "Capsule": "bottom height radius side top",
        "Cone": "bottom bottomRadius height side",
        "Cylinder": "bottom height radius side top",
        "DirectionalLight": _LIGHT + "direction",
        "ElevationGrid": "thickness xSpacing ySpacing",
        "Fog": "color fogType visibilityRange",
        "IndexedFaceSet": "ccw creaseAngle normalPerVertex",
        "Material": "ambientIntensity diffuseColor emissiveColor shininess specularColor transparency",
        "PBRAppearance": "IBLStrength baseColor emissiveColor emissiveIntensity metalness normalMapFactor "
        "occlusionMapStrength roughness transparency",
        "Plane": "size",
        "PointLight": _LIGHT + "attenuation location radius",
        "Sphere": "radius",
        "SpotLight": _LIGHT + "attenuation beamWidth cutOffAngle direction location radius",
        "TextureTransform": "center rotation scale translation",
    }.items()
}


def animated_fields(node: Node) -> frozenset[str]:
    """Return the fields of a built-in node whose changes animations record."""
    own = _FRAME if is_frame(node) else _BY_TYPE.get(node.type, frozenset())
    return own & node.spec.fields.keys()
