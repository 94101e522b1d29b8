"""Controllers in Java: `wbridge run` compiles and runs them with the classes of Webots' API.

Judge: the tables of Java classes in the manual of Webots 8.3.1, chapter 8.2; the positions and texts that the
world file states; the formula of a turning joint.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.languages.running import simulate
from wbridge.libcontroller.java_building import need_java_library

pytestmark = pytest.mark.languages

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
DEF BALL Solid { translation 1 2 3 children [ Shape { geometry Sphere { radius 0.1 } } ] }
Robot {
  name "robot" controller "seer" supervisor TRUE controllerArgs [ "one two" "three" ]
  children [
    GPS { name "gps" }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "motor" } PositionSensor { name "angle" } ]
      endPoint Solid { physics Physics { } boundingObject Sphere { radius 0.1 } }
    }
    DistanceSensor { name "ds" lookupTable [ 0 1000 0, 0.1 1000 0.1, 0.2 400 0 ] }
    Receiver { name "receiver" }
  ]
}
Robot { name "sender" controller "sender" children [ Emitter { name "emitter" } ] }
"""
SEER = """
import com.cyberbotics.webots.controller.*;

public class seer extends Supervisor {
  public static void main(String[] args) {
    seer robot = new seer();
    int step = (int) Math.round(robot.getBasicTimeStep());
    System.out.println(args.length + " " + args[0]);
    Motor motor = (Motor) robot.getDevice("motor");
    System.out.println(motor == robot.getMotor("motor") && motor == robot.getDeviceByIndex(1));
    PositionSensor angle = motor.getPositionSensor();
    angle.enable(step);
    Receiver receiver = robot.getReceiver("receiver");
    receiver.enable(step);
    motor.setPosition(Double.POSITIVE_INFINITY);
    motor.setVelocity(2);
    Keyboard keyboard = robot.getKeyboard();
    for (int i = 0; i < 32 && robot.step(step) != -1; ++i) {
      switch (keyboard.getKey()) {
        case Keyboard.UP: case Robot.KEYBOARD_DOWN: throw new RuntimeException();
        default:
      }
    }
    System.out.printf(java.util.Locale.ROOT, "%.2f%n", angle.getValue());
    System.out.println(new String(receiver.getData()));
    Node ball = robot.getFromDef("BALL");
    System.out.println(java.util.Arrays.toString(ball.getField("translation").getSFVec3f()));
    ball.getField("translation").setSFVec3f(new double[] {4, 5, 6});
    robot.step(step);
    System.out.println(java.util.Arrays.toString(ball.getPosition()) + (ball == robot.getFromDef("BALL")));
    System.out.println(java.util.Arrays.toString(((DistanceSensor) robot.getDevice("ds")).getLookupTable()));
    System.out.println(robot.getDevice("nothing"));
  }
}
"""
SENDER = """
import com.cyberbotics.webots.controller.*;

public class sender {
  public static void main(String[] args) {
    Robot robot = new Robot();
    Emitter emitter = robot.getEmitter("emitter");
    while (robot.step(16) != -1)
      emitter.send(Helper.text().getBytes());
  }
}
"""
CAR_WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 10 }
Floor { size 500 500 }
TeslaModel3 { translation 0 0 0.37 controller "seer" }
"""
CAR = """
import com.cyberbotics.webots.controller.vehicle.*;

public class seer {
  public static void main(String[] args) {
    System.out.println(Driver.isInitialisationPossible());
    Car car = new Car();
    car.setCruisingSpeed(36);
    car.setIndicator(Driver.INDICATOR_LEFT);
    switch (car.getType()) {
      case Car.TRACTION: case Car.PROPULSION: System.out.println("two wheels"); break;
      case Car.FOUR_BY_FOUR: System.out.println("four wheels"); break;
    }
    while (car.step() != -1 && car.getTime() < 8)
      ;
    System.out.printf(java.util.Locale.ROOT, "%.0f %.3f%n", car.getCurrentSpeed(), car.getWheelbase());
    System.out.println(Driver.getDriverInstance().getIndicator() == Driver.INDICATOR_LEFT);
    System.out.println(car.getControlMode() == Driver.SPEED);
  }
}
"""
HELPER = 'class Helper { static String text() { return "hello"; } }'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    require_tool("javac", "controllers in Java are compiled with it")
    require_tool("swig", "the library for Java is generated with it")
    need_java_library()  # not within the time limit of a run
    sources = {"seer/seer.java": SEER, "sender/sender.java": SENDER, "sender/Helper.java": HELPER}
    for name, text in sources.items():
        (tmp_path / "controllers" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "controllers" / name).write_text(text)
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds" / "a.wbt").write_text(WORLD)
    return tmp_path


def test_controllers_are_compiled_and_run(project: Path):
    done = simulate(project, "--duration", "0.6")
    assert done.stdout.splitlines()[:8] == [
        "2 one two",
        "true",
        "1.02",  # 2 rad/s for 32 steps of 16 ms
        "hello",
        "[1.0, 2.0, 3.0]",
        "[4.0, 5.0, 6.0]true",
        "[0.0, 1000.0, 0.0, 0.1, 1000.0, 0.1, 0.2, 400.0, 0.0]",
        "null",
    ], done.stdout + done.stderr
    assert "building" in done.stderr
    assert "building" not in simulate(project, "--duration", "0.6").stderr


def test_a_jar_runs_with_the_options_of_runtime_ini(project: Path):
    folder = project / "controllers" / "seer"
    simulate(project, "--steps", "1")
    subprocess.run(["jar", "cf", "seer.jar", "seer.class"], cwd=folder, check=True)
    for name in ("seer.class", "seer.java"):
        (folder / name).unlink()
    (folder / "runtime.ini").write_text("[java]\nCOMMAND = java\nOPTIONS = -Xmx64m -Dwho=me\n")
    assert "[4.0, 5.0, 6.0]true" in simulate(project, "--duration", "0.6").stdout


def test_errors_of_the_compiler_end_the_command_with_them(project: Path):
    (project / "controllers" / "seer" / "seer.java").write_text(SEER.replace("getBasicTimeStep", "getStep"))
    done = simulate(project)
    assert done.returncode == 2
    assert "seer.java:7: error: cannot find symbol" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_exception_is_the_controllers_own(project: Path):
    (project / "controllers" / "seer" / "seer.java").write_text(
        'public class seer { public static void main(String[] a) { throw new RuntimeException("oh"); } }'
    )
    done = simulate(project, "--duration", "0.1", "--fail-on-controller-error")
    assert done.returncode == 1
    assert "java.lang.RuntimeException: oh" in done.stderr and "seer.java:1" in done.stderr


def test_cars_are_driven_with_the_classes_of_the_vehicle_library(project: Path):
    (project / "worlds" / "a.wbt").write_text(CAR_WORLD)
    (project / "controllers" / "seer" / "seer.java").write_text(CAR)
    done = simulate(project, "--duration", "10")
    said = done.stdout.splitlines()
    assert said[:5] == ["true", "two wheels", "36 2.940", "true", "true"], done.stdout + done.stderr


def test_a_class_in_a_package_is_refused(project: Path):
    (project / "controllers" / "seer" / "seer.java").write_text("package deep;\n" + SEER)
    done = simulate(project)
    assert done.returncode == 2
    assert "a controller's class has the name of its folder and no package" in done.stderr


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("Accelerometer", "enable disable getSamplingPeriod getValues"),
        (
            "Camera",
            "COLOR RANGE_FINDER BOTH getImage imageGetRed pixelGetGrey getRangeImage rangeImageGetDepth",
        ),
        ("DifferentialWheels", "setSpeed getLeftEncoder setEncoders getMaxSpeed getSpeedUnit"),
        (
            "Display",
            "RGB RGBA ARGB BGRA drawPolygon imageCopy imagePaste imageLoad imageNew imageSave imageDelete",
        ),
        ("Emitter", "CHANNEL_BROADCAST send getChannel setRange getBufferSize"),
        ("Field", "SF_BOOL MF_STRING getSFRotation setMFVec3f importMFNodeFromString removeMFNode getCount"),
        ("Motion", "isValid play stop setLoop setReverse isOver getDuration getTime setTime"),
        ("Motor", "ROTATIONAL LINEAR setControlPID enableForceFeedback getTorqueFeedback setTorque getType"),
        ("Node", "NO_NODE ROBOT TOUCH_SENSOR getContactPoint getStaticBalance setVelocity resetPhysics"),
        (
            "Robot",
            "MODE_SIMULATION KEYBOARD_END KEYBOARD_ALT getServo keyboardGetKey setData getControllerName",
        ),
        ("Servo", "ROTATIONAL LINEAR setMotorForce setControlP enablePosition getMotorForceFeedback"),
        ("Supervisor", "MOVIE_READY getRoot simulationRevert loadWorld saveWorld movieGetStatus setLabel"),
    ],
)
def test_classes_have_the_members_of_the_manual(name: str, members: str):
    require_tool("javap", "shows the classes")
    command = [
        "javap",
        "-cp",
        str(need_java_library()),
        "-public",
        f"com.cyberbotics.webots.controller.{name}",
    ]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    have = {one.split("(")[0].split()[-1].rstrip(";") for one in listed.splitlines() if ";" in one}
    assert set(members.split()) <= have
