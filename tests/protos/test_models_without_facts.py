"""Every bundled model is compared with Webots' own, or stands here with the reason why it is not.

The facts are names, types and defaults of fields: those of R2018b and those of later releases.
"""

from __future__ import annotations

from tests.protos.models import FILES
from tests.protos.test_fields_of_later_releases import FACTS
from tests.protos.test_fields_of_releases import FACTS as FACTS_OF_R2018B

OURS = set(
    """
    AsusXtionPro BoxCar BoxCarSimple BoxedSolid CarBody FourWheelRobot Goal HotAirBalloon IntermodalContainer
    IntermodalOfficeContainer Irb4400 KheperaBase Kinova_Gen3_7DOF Lathe Lattice LinkedRobot Loft NaoHand
    NaoLeg NaoV5 PipeBoundingObject Prism RealSenseD435 Rectangle RobotWheel Robotino3Platform Robotino3Webcam
    Robotino3Wheel RoundTree SignPlate SoccerField TinkerbotsFace TurtleBot3Waffle TwoWheelerBody Walls
    """.split()
)
"""Models that Webots has not: helpers of other models, and models that public projects made."""
FORMER = set(
    """
    CheckeredFloor CimentTiles Cloth DARwInOP EPuck EPuck_DistanceSensor EPuck_GroundSensorsModule
    HemisphericalSkyDome HingeJointWithBacklash Hokuyo_URG04LX Khepera3_DistanceSensor SquareArena
    """.split()
)
"""Models of releases before R2018b: names that worlds of these use. Their files are not at hand."""
WHEELS = {"MercedesBenzSprinterFrontWheel", "MercedesBenzSprinterWheel", "RangeRoverSportSVRWheel"}
"""Wheels of cars that hold VehicleWheels in Webots: their files are not at hand."""


def test_every_model_has_facts_or_a_reason():
    compared = set(FACTS) | set(FACTS_OF_R2018B)
    assert set(FILES) - compared == OURS | FORMER | WHEELS
    assert len(OURS) + len(FORMER) + len(WHEELS) == len(OURS | FORMER | WHEELS)
    assert len(compared & set(FILES)) >= 639
