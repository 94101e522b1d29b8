"""Numbers of node types, field types and requests."""

ALL_NODES = """
NoNode Appearance Background Billboard Box CadShape Capsule Color Cone Coordinate Cylinder
DirectionalLight ElevationGrid Fog Group ImageTexture IndexedFaceSet IndexedLineSet Material Mesh Muscle
Normal PBRAppearance Plane PointLight PointSet Pose Shape Sphere SpotLight TextureCoordinate
TextureTransform Transform Viewpoint Robot Accelerometer Altimeter Brake Camera Compass Connector Display
DistanceSensor Emitter GPS Gyro InertialUnit LED Lidar LightSensor LinearMotor Pen PositionSensor
Propeller Radar RangeFinder Receiver RotationalMotor Skin Speaker TouchSensor VacuumGripper BallJoint
BallJointParameters Charger ContactProperties Damping Fluid Focus HingeJoint HingeJointParameters
Hinge2Joint ImmersionProperties JointParameters Lens LensFlare Physics Recognition SliderJoint Slot Solid
SolidReference Track TrackWheel WorldInfo Zoom Microphone Radio
""".split()


def node_types(dialect):  # Pose and VacuumGripper came after R2023a, so all the numbers behind them moved
    return {
        n: i
        for i, n in enumerate(
            n for n in ALL_NODES if dialect != "R2023a" or n not in ("Pose", "VacuumGripper")
        )
    }


FIELD_TYPES = {
    n: i for i, n in enumerate("Bool Int32 Float Vec2f Vec3f Rotation Color String Node".split(), 1)
}
SF, MF = FIELD_TYPES, {n: 16 + i for n, i in FIELD_TYPES.items()}
WIDTH = {3: 1, 4: 2, 5: 3, 6: 4, 7: 3}  # doubles of the numeric types


def requests(protos):
    """code -> layout of the requests to the root device; P marks the proto index that came with R2025a"""
    table = {
        30: "bI",
        31: "h",
        32: "",
        33: "",
        34: "h",
        35: "h",
        36: "h",
        37: "H",
        38: "",
        39: "b",
        40: "b",
        41: "h",
        42: "d",
        43: "d",
        44: "d",
        45: "i",
        46: "H",
        50: "bs",
        51: "s",
        52: "",
        53: "hddduss",
        54: "i",
        55: "",
        56: "i",
        57: "",
        58: "iibbbbs",
        59: "",
        60: "s",
        61: "",
        62: "uuui",
        63: "uui",
        64: "uPub",
        65: "ub",
        66: "udddddd",
        67: "u",
        68: "u",
        69: "uub",
        70: "u",
        71: "udddb",
        72: "uddddddb",
        73: "udddb",
        74: "us",
        75: "us",
        76: "udu",
        77: "u",
        78: "ui",
        80: "ii",
        81: "I",
        82: "b",
        83: "i",
        84: "si",
        85: "i",
        86: "",
        87: "uPsb",
        88: "uPub",
        89: "uui",
        90: "u",
        91: "u",
        92: "uu",
        93: "u",
        94: "ub",
        95: "u",
        96: "u",
        97: "u",
        98: "",
        99: "",
        100: "",
        101: "iibb",
        102: "iib",
        103: "ubb",
    }
    return {code: layout.replace("P", "i" if protos else "") for code, layout in table.items()}
