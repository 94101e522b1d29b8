"""Steps that a controller makes by itself are those that it makes with the simulator, to the last bit."""

from __future__ import annotations

import gc
import signal
import weakref
from pathlib import Path
from textwrap import dedent

import pytest

from tests.controllers.project import HEADER, STEP_MS, Project, robot
from wbridge.wbcore.controllers.direct_round import Round
from wbridge.wbcore.controllers.direct_stepping import Seat
from wbridge.wbcore.controllers.runner import Outcome, Runner
from wbridge.wbcore.devices.distance_sensor import DistanceSensor
from wbridge.wbcore.physics.errors import UnstableError
from wbridge.wbcore.simulation import Simulation

LIMIT = 120
START = """
import math
from controller import *
robot = ROBOT()
motors = [robot.getDevice(name) for name in ("left", "right")]
sensors = [robot.getDevice(name) for name in ("left sensor", "right sensor", "distance")]
left, right = motors
def say(*values):
    with open("log.txt", "a") as log:
        print(*values, file=log)
def tell():
    say(robot.getTime().hex(), *(one.getValue().hex() for one in sensors))
"""
PLAIN = f"""
for sensor in sensors:
    sensor.enable({STEP_MS})
for motor in motors:
    motor.setPosition(math.inf)
count = 0
while robot.step({STEP_MS}) != -1:
    count += 1
    tell()
    left.setVelocity(3 + sensors[2].getValue())
    right.setVelocity(4 - sensors[0].getValue() / 10)
"""
CONTROLLERS = {
    "all targets": PLAIN,
    "no targets": "for one in sensors: one.enable(16)\nwhile robot.step(16) != -1: tell()\n",
    "no sensors": """
        while robot.step(16) != -1:
            left.setPosition(math.sin(robot.getTime()))
            say(robot.getTime().hex())
    """,
    "now and then": """
        for one in sensors: one.enable(16)
        left.setPosition(math.inf)
        for count in range(200):
            if robot.step(16) == -1: break
            tell()
            if count % 3 == 0: left.setVelocity(count / 20)
            if count % 5 == 0: right.setPosition(count / 20)
    """,
    "several steps at once": """
        for one in sensors: one.enable(16)
        while robot.step(48) != -1:
            tell()
            left.setPosition(2 * math.sin(robot.getTime()))
    """,
    "steps of several lengths": """
        for one in sensors: one.enable(16)
        for count in range(100):
            late = robot.step(16 * (1 + count % 3))
            if late == -1: break
            tell(); say(late)
            left.setPosition(2 * math.sin(robot.getTime()))
    """,
    "sensors of several periods": """
        for one, period in zip(sensors, (16, 48, 40)): one.enable(period)
        while robot.step(16) != -1:
            tell()
            left.setPosition(2 * math.sin(robot.getTime()))
    """,
    "a sensor more, and less": """
        sensors[0].enable(16)
        for count in range(200):
            if robot.step(16) == -1: break
            tell()
            if count == 30: sensors[2].enable(32)
            if count == 60: sensors[2].disable()
            left.setPosition(2 * math.sin(robot.getTime()))
    """,
    "targets that are cut": """
        for one in sensors: one.enable(16)
        left.setPosition(math.inf)
        for count in range(200):
            if robot.step(16) == -1: break
            tell()
            left.setVelocity(count / 5)
    """,
    "other commands between": """
        for one in sensors: one.enable(16)
        left.setPosition(math.inf)
        for count in range(200):
            if robot.step(16) == -1: break
            tell()
            left.setVelocity(count / 50)
            if count % 10 == 0: robot.getDevice("led").set(count)
            if count == 50: left.setPosition(1)
            if count == 60: right.setTorque(0.001)
            if count == 70: right.setControlPID(5, 0.1, 0)
            if count == 90: say(left.getPositionSensor().getName())
    """,
    "two commands for a motor": """
        for one in sensors: one.enable(16)
        while robot.step(16) != -1:
            tell()
            left.setVelocity(1 + math.sin(robot.getTime()))
            left.setPosition(robot.getTime())
    """,
    "begun and ended": """
        for one in sensors: one.enable(16)
        for count in range(200):
            if count % 20 == 7:
                robot.stepBegin(16)
                left.setPosition(count / 50)
                late = robot.stepEnd()
            else:
                late = robot.step(16)
            if late == -1: break
            tell()
            right.setPosition(count / 60)
    """,
}
FLOOR = "Solid { boundingObject Plane { size 20 20 } }\n"


def wheel(name: str, y: float) -> str:
    """A wheel with motor and sensor."""
    return f"""HingeJoint {{
      jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0 {y} 0 }}
      device [ RotationalMotor {{ name "{name}" }} PositionSensor {{ name "{name} sensor" }} ]
      endPoint Solid {{
        translation 0 {y} 0 rotation 1 0 0 1.5707963 name "{name} wheel"
        boundingObject Cylinder {{ radius 0.03 height 0.01 }} physics Physics {{ }}
      }}
    }}"""


def rover(name: str = "rover", fields: str = "", children: str = "", noise: str = "0") -> str:
    """A robot with two wheels and a distance sensor."""
    return robot(
        name,
        "drives",
        f"""translation 0 0 0.031 {fields}
        boundingObject Group {{ children [ Box {{ size 0.1 0.08 0.03 }} ] }} physics Physics {{ }}""",
        f"""{wheel("left", 0.05)} {wheel("right", -0.05)} LED {{ name "led" }}
        DistanceSensor {{ name "distance" translation 0.06 0 0 rotation 0 1 0 0.2
          lookupTable [ 0 0 {noise}, 0.5 1 {noise} ] }} {children}""",
    )


def log_of(project: Project) -> Path:
    """What the controllers of the rovers say."""
    return project.folder / "controllers" / "drives" / "log.txt"


class Made:
    """What came of a run."""

    def __init__(self, project: Project, attended: bool, limit: int, inline: bool = True) -> None:
        """
        Args:
            project: with a world.
            attended: somebody looks at each step, so that the controller makes none by itself.
            limit: most steps.
            inline: False: controllers run as processes.
        """
        log = log_of(project)
        log.write_text("")
        with project.runner(limit, inline=inline) as runner:
            counted = Counted(runner) if inline else None
            if attended:
                runner.on_step = lambda simulation: None
            self.outcome: Outcome = runner.run()
            self.hash = runner.simulation.hash()
            self.state = runner.simulation.state()
        self.by_itself = counted.steps if counted is not None else 0
        self.log = log.read_text()


class Counted:
    """Counts the steps that a controller makes by itself."""

    def __init__(self, runner: Runner) -> None:
        assert runner.controllers.direct_stepping is not None
        self._stepping = runner.controllers.direct_stepping

    @property
    def steps(self) -> int:
        return self._stepping.steps_alone


def write(project: Project, code: str, *robots: str, kind: str = "Robot") -> None:
    """A world with a floor, and the controller of the rover."""
    start = START.replace("ROBOT", kind)
    project.write(*(robots or [rover()]), header=HEADER + FLOOR, drives=start + dedent(code))


@pytest.mark.parametrize("code", CONTROLLERS.values(), ids=CONTROLLERS.keys())
def test_steps_are_the_same(project: Project, code: str, monkeypatch: pytest.MonkeyPatch):
    """Judge: the same run with packets."""
    write(project, code)
    alone, attended = Made(project, False, LIMIT), Made(project, True, LIMIT)
    assert attended.by_itself == 0 < alone.by_itself
    monkeypatch.setattr(Seat, "open", lambda *args: None)
    packets = Made(project, True, LIMIT)
    assert packets.log.count("0x") >= LIMIT / 4
    for other in (alone, attended):
        assert other.log == packets.log
        assert (other.hash, other.state, other.outcome) == (packets.hash, packets.state, packets.outcome)


@pytest.mark.parametrize("name", ["several steps at once", "sensors of several periods", "all targets"])
def test_steps_are_the_same_when_the_simulator_looks_often(
    project: Project, monkeypatch: pytest.MonkeyPatch, name: str
):
    write(project, CONTROLLERS[name])
    attended = Made(project, True, 1000)
    monkeypatch.setattr("wbridge.wbcore.controllers.runner.LOOK_S", 2e-3)
    alone = Made(project, False, 1000)
    assert alone.by_itself > 0
    assert (alone.log, alone.hash) == (attended.log, attended.hash)


def test_late_answers_say_so(project: Project):
    code = """
        for one in sensors: one.enable(16)
        while True:
            late = robot.step(25)
            if late == -1: break
            tell(); say(late)
            left.setPosition(2 * math.sin(robot.getTime()))
    """
    write(project, code)
    alone, attended = Made(project, False, LIMIT), Made(project, True, LIMIT)
    assert "7" in alone.log.splitlines(), "25 ms take 32"
    assert (alone.log, alone.hash) == (attended.log, attended.hash)


def test_nearly_all_steps_of_a_usual_controller(project: Project):
    write(project, PLAIN)
    made = Made(project, False, 2000)
    assert made.by_itself > 1900


SPECIAL = {
    "battery": {"fields": "battery [ 1000 1000 10 ]"},
    "connector": {"children": "Connector { }"},
}


@pytest.mark.parametrize("special", SPECIAL.values(), ids=SPECIAL.keys())
def test_special_robots_are_attended_to(project: Project, special: dict[str, str]):
    write(project, PLAIN, rover(**special))
    alone, attended = Made(project, False, LIMIT), Made(project, True, LIMIT)
    assert alone.by_itself == 0
    assert (alone.log, alone.hash) == (attended.log, attended.hash)


def test_a_supervisor_is_attended_to(project: Project):
    write(project, PLAIN, rover(fields="supervisor TRUE"), kind="Supervisor")
    assert Made(project, False, LIMIT).by_itself == 0


def test_two_robots_step_together(project: Project):
    code = "for _ in range(60): robot.step(16)\n"
    write(project, code, rover("a"), rover("b", "translation 1 0 0.031"))
    made = Made(project, False, LIMIT)
    assert (made.by_itself, made.outcome.steps) == (59, 60)


def test_a_robot_without_a_controller_does_not_disturb(project: Project):
    idle = (
        rover("b").replace('"drives"', '"<none>"').replace("translation 0 0 0.031", "translation 1 0 0.031")
    )
    write(project, PLAIN, rover("a"), idle)
    alone, attended = Made(project, False, LIMIT), Made(project, True, LIMIT)
    assert alone.by_itself > 0
    assert (alone.log, alone.hash) == (attended.log, attended.hash)


@pytest.mark.parametrize("every", [2, 7, 50])
def test_who_looks_now_and_then_sees_the_step_that_has_just_ended(project: Project, every: int):
    write(project, PLAIN)
    seen: list[tuple[int, bytes, int]] = []
    with project.runner(LIMIT, inline=True) as runner:

        def look(simulation: Simulation) -> None:
            seen.append((simulation.steps, simulation.state(), runner.steps))

        runner.on_step, runner.look_every = look, every
        runner.run()
    said = log_of(project).read_text()
    log_of(project).unlink()
    wanted: list[tuple[int, bytes, int]] = []
    with project.runner(LIMIT, inline=True) as runner:

        def look_often(simulation: Simulation) -> None:
            if runner.steps % every == 0:
                wanted.append((simulation.steps, simulation.state(), runner.steps))

        runner.on_step = look_often
        runner.run()
    assert [steps for steps, *_ in seen] == list(range(0, LIMIT + 1, every))
    assert seen == wanted
    assert said == log_of(project).read_text()


@pytest.mark.parametrize(
    ("end", "code"),
    [("raise SystemExit(3)", 3), ("1 / 0", 1), ("robot.step(10 ** 30)", None), ("del robot", 0)],
    ids=["exit", "exception", "number", "end"],
)
def test_controllers_end_as_ever(project: Project, end: str, code: int | None):
    """Larger numbers are cut to the longest duration, and this run does not reach the end of such a step."""
    write(project, f"left.setPosition(1)\nfor _ in range(50): robot.step(16)\n{end}\n")
    alone, attended = Made(project, False, LIMIT), Made(project, True, LIMIT)
    assert alone.outcome == attended.outcome
    assert alone.by_itself > 0
    assert [one.exit_code for one in alone.outcome.controllers] == ([] if code is None else [code])


def test_physics_that_break_down_are_told(project: Project):
    code = """
        left.setPosition(math.inf)
        while True:
            try:
                robot.step(16)
            except Exception:
                say("not its business")
            left.setVelocity(1e5 * robot.getTime())
    """
    slider = """SliderJoint {
      jointParameters JointParameters { axis 0 0 1 }
      device [ LinearMotor { name "left" maxVelocity 1e9 maxForce 1e12 } ]
      endPoint Solid { boundingObject Sphere { } physics Physics { } }
    }"""
    write(project, code, robot("slides", "drives", children=slider))
    problems = []
    for attended in (False, True):
        with pytest.raises(UnstableError) as problem:
            Made(project, attended, 100_000)
        problems.append(str(problem.value))
    assert problems[0] == problems[1]
    assert log_of(project).read_text() == ""


def test_what_the_engine_cannot_sample_is_measured_at_the_end_of_the_step(project: Project):
    write(project, PLAIN)

    def blind(simulation: Simulation) -> None:
        device = next(iter(simulation.robots)).device("distance")
        assert isinstance(device, DistanceSensor)
        if simulation.steps == 30:
            device.removed()  # its rays

    logs = []
    for every in (1, 30):
        log_of(project).unlink(missing_ok=True)
        with project.runner(LIMIT, inline=True) as runner:
            runner.on_step, runner.look_every = blind, every
            runner.run()
        logs.append((log_of(project).read_text(), runner.simulation.hash()))
    assert logs[0] == logs[1]


SENSORS = """
  DistanceSensor { name "red" type "infra-red" translation 0.06 0.01 0 resolution 0.01
    lookupTable [ 0 0 0.1, 0.5 1 0.05 ] }
  DistanceSensor { name "fan" type "sonar" numberOfRays 3 aperture 0.3 translation 0.06 0 0
    lookupTable [ 0 0 0.1, 0.5 1 0.05 ] }
  DistanceSensor { name "light" type "laser" translation 0.06 0 0 lookupTable [ 0 0 0, 0.5 1 0.2 ] }
"""
WALL = """Solid { translation 0.4 0 0 name "wall" boundingObject Box { size 0.1 1 1 } children [
  Shape { appearance PBRAppearance { baseColor 0.5 0 0 } geometry Box { size 0.1 1 1 } } ] }
"""
NOISY = """
    led = robot.getDevice("led")
    sensors += [robot.getDevice(name) for name in ("red", "fan", "light")]
    for one, period in zip(sensors, (16, 16, 32, 16, 48, 40)): one.enable(period)
    left.setPosition(math.inf)
    for count in range(200):
        if robot.step(16) == -1: break
        tell()
        led.set(count // 7 % 2)
        left.setVelocity(1 + math.sin(robot.getTime()))
"""


def test_noise_and_lights_do_not_end_direct_steps(project: Project):
    """The random numbers are drawn in the same order, so that hash and values have the same bits."""
    write(project, NOISY, rover(noise="0.1", children=SENSORS) + WALL)
    alone, attended = Made(project, False, LIMIT), Made(project, True, LIMIT)
    assert alone.by_itself > LIMIT / 2
    assert (alone.log, alone.hash, alone.state) == (attended.log, attended.hash, attended.state)


def test_a_signal_ends_the_run(project: Project):
    code = PLAIN.replace("count += 1", "count += 1\n    if count == 100: signal.raise_signal(signal.SIGINT)")
    write(project, f"import signal\n{code}")
    with project.runner(None, inline=True) as runner:
        counted = Counted(runner)
        former = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            outcome = runner.run()
        finally:
            signal.signal(signal.SIGINT, former)
    assert (outcome.status, outcome.steps, runner.simulation.steps) == (130, 100, 100)
    assert counted.steps > 0


def test_a_world_that_was_left_is_not_kept(project: Project):
    write(project, PLAIN)
    with project.runner(LIMIT, inline=True) as runner:
        counted = Counted(runner)
        runner.run()
        left = weakref.ref(runner.simulation)
        del runner.simulation, runner.lockstep
        runner.server.sessions = []
    assert counted.steps > 0
    gc.collect()
    assert left() is None


def test_whoever_has_no_use_for_it_is_left_alone(project: Project, monkeypatch: pytest.MonkeyPatch):
    code = """
        for count in range(2000):
            robot.step(16)
            robot.setCustomData(str(count))
    """
    write(project, code)
    opened: list[int] = []
    find = Seat._stepper_for

    def count(*args: object) -> object:
        opened.append(1)
        return find(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(Seat, "_stepper_for", count)
    with project.runner(1000, inline=True) as runner:
        runner.run()
    assert 1 <= len(opened) < 1000 / 20


def crowd(project: Project, *names: str) -> None:
    """Noisy rovers before a wall, each with one of the controllers, in folders of their own."""
    robots = [
        rover(f"r{n}", f"translation 0 {n / 2} 0.031", SENSORS, "0.1")
        .replace("translation 0 0 0.031 ", "")
        .replace('"drives"', f'"drives{n}"')
        for n in range(len(names))
    ]
    write(project, "", *robots, WALL)
    start = START.replace("ROBOT", "Robot").replace('"log.txt"', '"../drives/log.txt"')
    for n, name in enumerate(names):
        code = {**CONTROLLERS, "noise": NOISY, "modules": MODULES}[name]
        folder = log_of(project).parent.parent / f"drives{n}"
        folder.mkdir()
        (folder / f"drives{n}.py").write_text(start + dedent(code))
        (folder / "own.py").write_text("values = []")


MODULES = """
    import os, sys
    for one in sensors: one.enable(16)
    for count in range(200):
        if robot.step(16) == -1: break
        if count == 20: import own
        if count > 20: own.values.append(count); say(own.values)
        if count == 40: os.chdir("..")
        if count == 60: os.environ["WBRIDGE_SEED"] = robot.getName()
        say(os.environ.get("WBRIDGE_SEED"))
        tell(); say(robot.getName(), sys.argv, sys.path[0], os.getcwd(), __name__)
        say(sys.modules["__main__"].__dict__ is globals(), Robot.created is robot)
        left.setPosition(math.sin(robot.getTime()))
""".replace('os.chdir("..")', 'os.chdir("../drives0")')


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["all targets"] * 3, marks=pytest.mark.slow),
        ["noise"] * 3,
        pytest.param(["other commands between"] * 2, marks=pytest.mark.slow),
        ["several steps at once", "all targets", "sensors of several periods"],
        ["steps of several lengths", "a sensor more, and less", "targets that are cut"],
        ["modules", "modules", "all targets"],
    ],
    ids=lambda names: ", ".join(dict.fromkeys(names)),
)
def test_several_robots_step_as_with_packets(
    project: Project, monkeypatch: pytest.MonkeyPatch, names: list[str]
):
    """Judge: the same run with packets. In the others, the controllers make rounds with or without steps, or
    shared steps."""
    crowd(project, *names)
    alone, rounds = Made(project, False, LIMIT), Made(project, True, LIMIT)
    assert rounds.by_itself == 0 < alone.by_itself
    monkeypatch.setattr(Round, "run", lambda *args: None)
    shared = Made(project, True, LIMIT)
    monkeypatch.setattr(Seat, "open", lambda *args: None)
    packets = Made(project, True, LIMIT)
    assert packets.log.count("0x") > LIMIT
    for other in (alone, rounds, shared):
        assert other.log == packets.log
        assert (other.hash, other.state, other.outcome) == (packets.hash, packets.state, packets.outcome)


ADDS = """
    from controller import Supervisor
    robot = Supervisor()
    children = robot.getRoot().getField("children")
    for count in range(40):
        if count % 5 == 1: children.importMFNodeFromString(-1, BALL.replace("HERE", str(10 + count)))
        robot.step(16)
"""
BALL = "Solid { translation HERE 0 1 boundingObject Sphere { radius 0.1 } physics Physics { } }"


def test_an_answer_belongs_to_the_step_that_asked(project: Project, monkeypatch: pytest.MonkeyPatch):
    """A supervisor adds bodies, so that a controller gets another stepper between a step and its answer.

    Judge: the same run with packets."""
    adds = 'Robot { name "s" supervisor TRUE controller "adds" }'
    start = START.replace("ROBOT", "Robot")
    project.write(
        rover(), adds, header=HEADER + FLOOR, drives=start + PLAIN, adds=f"BALL = {BALL!r}\n" + dedent(ADDS)
    )
    shared = Made(project, False, LIMIT)
    monkeypatch.setattr(Seat, "open", lambda *args: None)
    monkeypatch.setattr(Round, "run", lambda *args: None)
    packets = Made(project, False, LIMIT)
    assert shared.log.count("0x") > 40
    assert (shared.log, shared.hash) == (packets.log, packets.hash)


CALLS = """
    import inspect
    class Number(float): pass
    def attempt(function, *args, **kwargs):
        try:
            say(function.__name__, args, function(*args, **kwargs))
        except Exception as error:
            say(function.__name__, args, type(error))  # texts are those of a function in C
    def newest():
        say(*((one.getTargetPosition(), one.getVelocity()) for one in motors))
        say([one.getValue() for one in sensors])
    sensor = sensors[0]
    for call in (left.setPosition, left.setVelocity, sensor.getValue):
        say(inspect.getdoc(call), call.__name__, call.__qualname__, [*inspect.signature(call).parameters])
    newest()
    sensor.enable(16)
    values = 1.0, 2, True, Number(1.5), "3", "a", None, math.nan, -1.0, math.inf, -2.0, -math.inf
    for count, value in enumerate(values):
        attempt(left.setVelocity, value); attempt(right.setPosition, value); newest()
        if count % 2: attempt(left.setPosition, value)
        late = robot.step(16)
        say(late, left.getTargetPosition()); newest()
        if count % 3 == 0: right.setTorque(0.01)
        if count == 5: sensor.disable(); attempt(sensor.getValue); sensor.enable(32)
    attempt(left.setPosition); attempt(left.setPosition, 1.0, 2.0); attempt(left.setVelocity, velocity=1.0)
    attempt(sensor.getValue, 1); attempt(sensor.getValue, x=1)
    left.setPosition(0.5); left.setPosition(0.25); left.setVelocity(1.0)
    left.getPositionSensor(); newest()  # a query sends the commands
    for _ in range(5): robot.step(16); newest()
"""


def test_direct_calls_do_what_those_of_a_process_do(project: Project, capfd: pytest.CaptureFixture[str]):
    """Judge: the same run as a process."""
    write(project, CALLS)
    native = Made(project, False, LIMIT)
    said = capfd.readouterr()
    process = Made(project, False, LIMIT, inline=False)
    assert native.log == process.log
    assert native.log.count("nan") > 3
    assert said == capfd.readouterr()
    for words in ("wb_motor_set_velocity", "(NaN)", "negative 'velocity'", "wb_position_sensor_get_value"):
        assert words in said.err
    assert (native.hash, native.state, native.outcome) == (process.hash, process.state, process.outcome)
