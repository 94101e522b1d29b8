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
    HemisphericalSkyDome HingeJointWithBacklash Hokuyo_URG04LX Khepera3_DistanceSensor SquareArena Telephone
    """.split()
)
"""Models of releases before R2018b: names that worlds of these use. Their files are not at hand."""
MESHES = set(
    """
    AltinoBodyMesh Cart CasterTireRubberWheel CrossTireRubberWheel Darwin-op Darwin-opHinge2 Ditch
    LargeResidentialTowerBase LargeResidentialTowerRoof MX430FrontRotorShape MX430RearRotorShape
    MX430ServoShape MercedesBenzSprinterFrontWheel MercedesBenzSprinterWheel NaoChallengeRoom NaoJersey
    OfficeTelephone PandaHand Pi-puck RangeRoverSportSVRWheel ResidentialTowerBase ResidentialTowerFloor
    ResidentialTowerRoof RobotisOp3 RobotisOp3ArmFrameShape RobotisOp3BodyShape RobotisOp3FootShape
    RobotisOp3HeadLEDShape RobotisOp3HeadShape RobotisOp3LongFrameShape RobotisOp3ShiftedFrameShape
    RobotisOp3SquaredFrameShape RobotisOp3StraightFrameShape RobotisOp3TriangleFrameShape RosbotXl ScaraT6
    SmallResidentialTowerFloor SquarePathPioneer3dx TiagoBody TiagoFrontArm TiagoLeftArm TiagoRightArm Tiagopp
    """.split()
)
"""Models of Webots whose facts are not taken yet: parts that hold meshes, and robots of many parts."""


def test_every_model_has_facts_or_a_reason():
    compared = set(FACTS) | set(FACTS_OF_R2018B)
    assert set(FILES) - compared == OURS | FORMER | MESHES
    assert len(OURS) + len(FORMER) + len(MESHES) == len(OURS | FORMER | MESHES)
    assert len(compared & set(FILES)) >= 598
