"""Worlds that no solver can solve well: a seed gives masses, sizes, loops or steps beyond all reason.

python -m tests.bombs.bad_worlds FIRST COUNT steps the worlds of these seeds, each under both laws of
contact, and prints one line for each. It ends with an error if a state is not finite without a message that
names a solid.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from random import Random

from wbridge.wbcore.physics.errors import UnstableError
from wbridge.wbcore.scene.checks import checked
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

HEADER = "#VRML_SIM R2025a utf8\n"
STEPS = 40
LAWS = ("webots", "precise")
NO_NUMBERS = ("nan", "inf", "-inf")
"""What no field accepts: with these often, few worlds would be left."""
MASSES = ("1e-6", "1e6", "1e-12", "1e30", "1e200", "1e300", "1e-300", "0")
SIZES = ("0", "1e-300", "1e-9", "1e6", "-1")
SPEEDS = ("1e6", "1e30", "1e300", "-1e9")
STEPS_MS = ("100", "1000", "1e-300", "0.001", "0")
INERTIA = (
    "0 0 0, 0 0 0",
    "1e-300 1e-300 1e-300, 0 0 0",
    "1 1 -1, 0 0 0",
    "1 1 1, 2 0 0",
    "1 1e6 1, 0 0 0",
)
CONSTANTS = ("1e30", "1e300", "1e-300")
FAULTS = (
    "mass",
    "size",
    "speed",
    "step",
    "inertia",
    "loop",
    "spring",
    "motor",
    "stops",
    "contact",
    "place",
    "gravity",
)
"""What can be wrong. A world has one to three of them; all else is sound."""


class BadWorld:
    """The text of one world."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.faults = set(self.random.sample(FAULTS, self.random.randint(1, 3)))
        self.count = self.random.randint(2, 9)

    def strikes(self, fault: str) -> bool:
        """Whether a fault of this world is at the present place."""
        return fault in self.faults and self.random.random() < 0.4

    def number(self, choices: Sequence[str]) -> str:
        """One of some numbers, or seldom none."""
        return self.random.choice(NO_NUMBERS if self.random.random() < 0.05 else choices)

    def text(self) -> str:
        """The whole world: a robot of several links, and objects that fall on it."""
        step = self.number(STEPS_MS) if "step" in self.faults else self.random.choice(("8", "32"))
        gravity = self.number(CONSTANTS) if "gravity" in self.faults else "9.81"
        info = (
            f"WorldInfo {{ basicTimeStep {step} gravity {gravity} contactProperties [ {self.contact()} ] }}\n"
        )
        floor = "DEF FLOOR Solid { boundingObject Plane { size 50 50 } }\n"
        return f"{HEADER}{info}{floor}{self.robot()}{''.join(map(self.object, range(4)))}"

    def contact(self) -> str:
        """Properties of all contacts."""
        if "contact" not in self.faults:
            return "ContactProperties { }"
        names = ("softERP", "softCFM", "bounce", "bounceVelocity", "coulombFriction")
        fields = [
            f"{name} {self.random.choice(('0', '1', '-1', *CONSTANTS))}"
            for name in names
            if self.random.random() < 0.5
        ]
        return f"ContactProperties {{ {' '.join(fields)} }}"

    def robot(self) -> str:
        """Links in a row, each with a joint to the one before; loops close some of them at a wrong place."""
        link = self.solid("LINK0", "0 0 1", self.link(1) if self.count > 1 else "")
        return f"DEF ROBOT Robot {{ children [ {link} ] {self.body()} }}\n"

    def link(self, index: int) -> str:
        """The joint to a link, with what hangs on it."""
        inner = self.link(index + 1) if index + 1 < self.count else self.loop()
        kind = self.random.choice(("HingeJoint", "SliderJoint", "HingeJoint"))
        fields = "axis 0 1 0 " + ("anchor 0.1 0 0 " if kind == "HingeJoint" else "")
        if self.strikes("spring"):
            fields += f"springConstant {self.number(CONSTANTS)} dampingConstant {self.number(CONSTANTS)} "
        if self.strikes("stops"):
            low, high = self.random.choice(("-1e-300", "-1")), self.random.choice(("1e-300", "1", "-0.5"))
            fields += f"minStop {low} maxStop {high} "
        parameters = "HingeJointParameters" if kind == "HingeJoint" else "JointParameters"
        return (
            f"{kind} {{ jointParameters {parameters} {{ {fields}}} device [ {self.motor(kind, index)} ] "
            f"endPoint {self.solid(f'LINK{index}', '0.2 0 0', inner)} }}"
        )

    def motor(self, kind: str, index: int) -> str:
        """The motor of a joint, which holds its position."""
        rotational = kind == "HingeJoint"
        most = self.number(CONSTANTS) if self.strikes("motor") else "10"
        force = "maxTorque" if rotational else "maxForce"
        return f'{"Rotational" if rotational else "Linear"}Motor {{ name "m{index}" {force} {most} }}'

    def loop(self) -> str:
        """A second way from the last link to the first one, which no pose can close."""
        if "loop" not in self.faults:
            return ""
        anchor = self.random.choice(("5 0 0", "0 0 0", "1e6 0 0", "0 1e-300 3"))
        end = self.random.choice(("LINK0", "LINK1", "<static environment>"))
        return (
            f"HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 0 1 anchor {anchor} }} "
            f'endPoint SolidReference {{ solidName "{end}" }} }}'
        )

    def object(self, index: int) -> str:
        """Something that falls."""
        height = self.number(SPEEDS) if self.strikes("place") else f"{0.3 * index + 0.5}"
        return self.solid(f"OBJECT{index}", f"0.1 0 {height}", "") + "\n"

    def solid(self, name: str, place: str, children: str) -> str:
        """A solid with a shape and physics."""
        velocity = ""
        if self.strikes("speed"):
            velocity = f"linearVelocity {self.number(SPEEDS)} 0 0 angularVelocity 0 {self.number(SPEEDS)} 1 "
        fields = f'translation {place} name "{name}" children [ {children} ] {velocity}{self.body()}'
        return f"DEF {name} Solid {{ {fields} }}"

    def body(self) -> str:
        """A shape and a mass."""
        size = self.number(SIZES) if self.strikes("size") else "0.1"
        shape = self.random.choice(
            (
                f"Box {{ size 0.1 {size} 0.1 }}",
                f"Sphere {{ radius {size} }}",
                f"Capsule {{ radius {size} height 0.1 }}",
                f"Cylinder {{ radius 0.05 height {size} }}",
            )
        )
        mass = self.number(MASSES) if self.strikes("mass") else "1"
        inertia = ""
        if self.strikes("inertia"):
            inertia = f"centerOfMass [ 0 0 0 ] inertiaMatrix [ {self.random.choice(INERTIA)} ]"
        return f"boundingObject {shape} physics Physics {{ density -1 mass {mass} {inertia} }}"


def outcome(seed: int, law: str) -> str:
    """What becomes of a world: "finite", or the error that names its cause.

    Raises:
        AssertionError: a state that is not finite was passed over, or an error names nothing.
    """
    world = checked(load_text(BadWorld(seed).text(), f"bad{seed}.wbt"))
    if world.report.errors:
        return f"refused: {world.report.errors[0].message}"
    with Simulation(world, contacts=law) as simulation:
        try:
            simulation.step(STEPS)
        except UnstableError as error:
            assert any(body.path for body in error.bodies), str(error)
            return f"named: {error}"
        for solid in simulation.physics.solids():
            pose = simulation.physics.solid_pose(solid)
            assert all(map(math.isfinite, (*pose.position, *pose.orientation))), solid.node
    return "finite"


def main(first: int, count: int) -> int:
    """Step the worlds; return the exit code."""
    for seed in range(first, first + count):
        for law in LAWS:
            print(f"{seed} {law}: ", end="", flush=True)
            print(outcome(seed, law)[:200], flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2])))
