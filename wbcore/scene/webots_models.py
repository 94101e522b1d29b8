"""Where Webots has the models of which this project has its own: addresses that both understand.

The folders are facts of Webots' releases from R2022b on, as declared in public worlds.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".json")
"""Names of models by folder."""


_CAR = (
    "BmwX5|Bus|CitroenCZero|GreenPowerEVStar|LincolnMKZ|MercedesBenzSprinter|Motorbike|RangeRoverSportSVR|Scooter"
    "|TeslaModel3|ToyotaPrius|Tractor|Truck"
)
_CAR_PART = (
    "Body|Cab|Details|Driver|Frame|Glass|Indicator|Interior"
    "|Lights?|Logo|Mesh|Mirror|Plates|Shape|Windows?|Wiper"
)
_LOOKS = re.compile(
    rf"(?:{_CAR})\w*(?:{_CAR_PART})"
    r"|(?:Car|FanatecCslElite)SteeringWheel|BusStop(?:Bench|Mesh)|PublicToiletMesh|TeapotMesh|SmsUmrrShape"
    r"|Pedestrian(?:Head|Neck|Torso|(?:Left|Right)(?:Foot|Hand|(?:Lower|Upper)(?:Arm|Leg)))"
    r"|(?:Head|Pelvis|[LMU]torso|[LR](?:Clav|Farm|Foot|Hand|Larm|Lglut|Lleg|Lug|Scap|Talus|Uarm|Uglut|Uleg))Mesh"
    r"|(?:Arm[0-5]|Body|Finger|Plate|SubWheel|Wheel)Mesh|(?:Black|BlackMetal|KukaAlpha|KukaBlack|Orange)Appearance"
    r"|(?:Irb4600-40|UR(?:3|5|10)e)Mesh\d+|Thymio2(?:Main|Secondary|Tire|Wheel)IndexedFaceSet|TiagoEyesCap"
    r"|ColorCheckerChart|E-puckFlag|YoubotFlag|Helmet|SphereGrid|VisualArmature"
    r"|(?:Anthony|Robert|Sandra|Sophia)Skin|C3d\w+|DistanceSensorVisualization"
)
"""Models of Webots that are only looked at: shapes that its own models are made of, without any physics."""


def is_look(name: str) -> bool:
    """True for the name of a model of Webots that only draws something: worlds run without it as with it."""
    return _LOOKS.fullmatch(name) is not None


@lru_cache(maxsize=1)
def _folders() -> dict[str, str]:
    folders: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: folder for folder, names in folders.items() for name in names.split()}


def declared_url(name: str) -> str:
    """Return the URL by which a world declares a bundled model, so that Webots finds it as well.

    Args:
        name: of the model, without ".proto".

    Returns:
        an address with the prefix `webots://`, or only the file's name if Webots is not known to have it.
    """
    folder = _folders().get(name)
    return f"{name}.proto" if folder is None else f"webots://{folder}/{name}.proto"
