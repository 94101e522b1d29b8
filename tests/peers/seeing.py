"""A controller that looks, measures and draws, and prints digests of what it sees, one JSON line per step.

It runs with the official library and with this project's, so it may only use what both offer.
"""

import hashlib
import json
import sys
from array import array

from controller import Display, Supervisor

STEPS = int(sys.argv[1])
PIXELS = bytes(range(64)) * 4


def digest(data):
    """A short name of bytes, or of numbers as 32-bit floats."""
    if data is None:
        return None
    return hashlib.sha256(data if isinstance(data, bytes) else array("f", data).tobytes()).hexdigest()[:16]


robot = Supervisor()
step = int(robot.getBasicTimeStep())
camera, finder = robot.getDevice("camera"), robot.getDevice("range-finder")
lidar, display = robot.getDevice("lidar"), robot.getDevice("display")
camera.enable(step)
camera.recognitionEnable(2 * step)
camera.enableRecognitionSegmentation()
finder.enable(2 * step)
lidar.enable(step)
lidar.enablePointCloud()
place = robot.getFromDef("RED").getField("translation")
image = display.imageNew(PIXELS, Display.BGRA, 8, 8)


def told_objects():
    """What the camera recognizes."""
    return [
        [
            one.getId(), one.getModel(), list(one.getPosition()), list(one.getOrientation()),
            list(one.getSize()), list(one.getPositionOnImage()), list(one.getSizeOnImage()),
            [one.getColors()[i] for i in range(3 * one.getNumberOfColors())],
        ]
        for one in camera.getRecognitionObjects()
    ]  # fmt: skip


def told_points():
    """The cloud of the lidar."""
    return [(one.x, one.y, one.z, one.layer, one.time) for one in lidar.getPointCloud()]


print(
    json.dumps(
        {
            "camera": [camera.getWidth(), camera.getHeight(), camera.getFov(), camera.getNear()],
            "zoom": [camera.getMinFov(), camera.getMaxFov(), camera.getFocalLength()],
            "focus": [camera.getFocalDistance(), camera.getMaxFocalDistance()],
            "recognition": [camera.hasRecognition(), camera.hasRecognitionSegmentation()],
            "finder": [finder.getWidth(), finder.getHeight(), finder.getMinRange(), finder.getMaxRange()],
            "lidar": [lidar.getHorizontalResolution(), lidar.getNumberOfLayers(), lidar.getFov()],
            "display": [display.getWidth(), display.getHeight()],
        }
    )
)
for count in range(STEPS):
    if robot.step(step) == -1:
        break
    print(
        json.dumps(
            {
                "picture": digest(bytes(camera.getImage())),
                "segments": digest(camera.getRecognitionSegmentationImage() if count else None),
                "objects": told_objects(),
                "ranges": digest(finder.getRangeImage() if count else None),
                "layers": digest(lidar.getRangeImage()),
                "points": digest([value for point in told_points() for value in point]),
            }
        )
    )
    display.setColor(0x100000 * (count % 16) + 0x00FF40)
    display.fillRectangle(count % 20, 4, 9, 9)
    display.drawLine(0, 31, 31, count % 32)
    display.drawText("ab", 2, 18)
    display.imagePaste(image, 20, count % 24, False)
    place.setSFVec3f([2, 0.4 - 0.02 * count, 0.3])
    if count == 12:
        camera.setFov(0.6)
    if count == 18:
        camera.setFocalDistance(1.0)
        camera.setExposure(1.5)
