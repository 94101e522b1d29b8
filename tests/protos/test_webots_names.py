"""Models that Webots' releases of R2019a to R2025a have: none of those known here is lost.

The names, in webots_names.txt, are facts: files of its projects in these releases and in its newest
sources.
"""

from __future__ import annotations

from pathlib import Path

from tests.protos.models import FILES

NAMES = set(Path(__file__).with_name("webots_names.txt").read_text().split())
PARTS = """
BusShape BusStopBench BusStopMesh CabinetDoor CabinetDrawer CarSteeringWheel CitroenCZeroBrakeLight
CitroenCZeroFogLight CitroenCZeroHeadLight CitroenCZeroLeftIndicator CitroenCZeroMesh
CitroenCZeroRightIndicator CitroenCZeroTailLight FanatecCslEliteSteeringWheel GreenPowerEVStarFrontWheel
GreenPowerEVStarRearWheel GreenPowerEVStarWheelShape MercedesBenzSprinterFrontWheel MotorbikeBackwardsLight
MotorbikeDriver MotorbikeFrontLight MotorbikeLeftIndicator MotorbikeMesh MotorbikeRightIndicator
NaoLeftWristH21 NaoRightWristH21 PedestrianHead PedestrianLeftFoot PedestrianTorso PublicToiletMesh
ScooterBackwardsLight ScooterDriver ScooterFrontLight ScooterLeftIndicator ScooterMesh ScooterRightIndicator
SmsUmrrShape SpotLeftLeg SpotLeg SpotRightLeg TiagoEyesCap TiagoLeftArm TiagoLeftHey5 TiagoRightArm
TiagoRightHey5 TiagoRobotiqGripper TruckCab TruckFrontLight TruckRearLight TruckTankMesh TruckTrailerMesh
VisualArmature
"""
"""Parts that only Webots' own models are made of."""
SAMPLES = """
C3dBodyRepresentation C3dGroundReactionForce C3dMarker C3dViewer Cart ColorCheckerChart
DistanceSensorVisualization Distributor E-puckFlag Helmet HighwayDrivingBenchmark HumanoidMarathonBenchmark
InvertedPendulumBenchmark Key KeyHole KeyPot LegoInterval LegoWall LinkedWalls LollipopCandy
MazeRunnerBenchmark NXTFeeder NaoChallengeRoom NaoRoom ObstacleAvoidanceBenchmark PickAndPlaceBenchmark
PingPongBallScaled Pit PitEscapeBenchmark RaceStopwatch RoCKInAX01 RoCKInAX06 RoCKInER02 RoCKInShelf
RobotProgrammingBenchmark Shelves SphereGrid SquarePathBenchmark SquarePathPioneer3dx SumoDisplay TeapotMesh
Tray ViewpointControlBenchmark VisualTrackingBenchmark WallFollowingPioneer3dx
"""
"""Models of one sample world or contest each."""
NOT_MADE = """
AnthonySkin BioloidDog Blimp BlueBoat EpsonT6Scara FireBird6 GazCanister Heron Hoap2 Khr2hv LegoLargeMotor
LegoWheel Mantis Microbot MindstormsRover P-Rob3 Pioneer3Gripper Portal QRIO RobertSkin Salamander
SandraSkin Servo Shrimp SimpleVehicle Sojourner SophiaSkin SuctionCup Telemax Tiago++ TiagoOmniBase
TiagoPmb2Base TiagoTitanium Tiagopp TruckTank TruckTankSimple Yamor
"""
"""Models that nobody has made yet: their devices are not known here, or hardly any world names them."""


def test_no_model_of_webots_is_lost():
    left_out = set((PARTS + SAMPLES + NOT_MADE).split())
    assert NAMES - set(FILES) == left_out
    assert len(NAMES & set(FILES)) >= 540
