"""Vector environments of the sample arm: time relative to plain ODE, one environment in a process, MuJoCo
and PyBullet.

The process environment is what Webots has: a Gymnasium environment in a supervisor's program, and the
simulator in another process; both block while they wait for each other, as Webots and its library do. Those
of wbridge spin, which is measured, too. MuJoCo and PyBullet have the same bodies and motors; MuJoCo steps its
copies on two threads by `mujoco.rollout`, PyBullet has one world in each of two processes. Install them with
`pip install pybullet mujoco`; without them these cases are absent.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.bench_peers import module
from benchmarks.case import Case, Cost, Reading, compare
from benchmarks.checkout import BENCHMARKS, CHECKOUT
from benchmarks.plain import PlainWorld
from benchmarks.yardsticks import ECHO, echo
from wbridge.wbfleet.gym import RobotVectorEnv, VectorTask

WORLD = CHECKOUT / "worlds" / "arm.wbt"
PROGRAM = BENCHMARKS / "controllers" / "arm_environment" / "arm_environment.py"
COPIES, THREADS, STEP_MS = 128, 2, 16
JOINTS = ["*sensor"]
"""What is observed: as in the other simulators, the position sensors, not the GPS at the tip."""
SLICE_S, SLICES = 0.005, 400
"""The fastest slice is the one least disturbed by other processes."""


class Reach(VectorTask):
    """Keep the joints near the middle."""

    def judge_all(self, observations: Any, actions: Any) -> tuple[Any, Any]:
        """Return the rewards."""
        return -np.square(observations).sum(axis=1, dtype=float), np.zeros(len(observations), np.bool_)


def rate(step: Any, copies: int) -> float:
    """Environment steps per second in the fastest slice."""
    best = 0.0
    for _ in range(SLICES):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SLICE_S:
            step()
            count += copies
        best = max(best, count / (time.perf_counter() - start))
    return best


@cache
def vector_rate() -> float:
    """Steps per second of the vector environment."""
    env = RobotVectorEnv(WORLD, Reach, COPIES, threads=THREADS, step_ms=STEP_MS, observations=JOINTS)
    env.reset(seed=1)
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(16)]
    turns = iter(range(10**9))
    try:
        return rate(lambda: env.step(actions[next(turns) // 8 % 16]), COPIES)
    finally:
        env.close()


@cache
def process_rate(spins: bool) -> float:
    """Steps per second of an environment in a process of its own; `spins`: it does not block at once."""
    text = WORLD.read_text().replace("DEF ARM Robot {", "DEF ARM Robot {\n  supervisor TRUE")
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "worlds" / "arm.wbt"
        world.parent.mkdir()
        world.write_text(text.replace('"../protos', f'"{CHECKOUT / "protos"}'))
        command = [
            sys.executable,
            "-m",
            "wbridge",
            "run",
            str(world),
            "--controller",
            str(PROGRAM),
            "--quiet",
        ]
        environment = os.environ | ({} if spins else {"WBRIDGE_SPIN": "0"})
        done = subprocess.run(
            command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=True
        )
    return float(json.loads(done.stdout)["steps per second"])


@cache
def mujoco_rate() -> float:
    """Steps per second of copies of the arm in MuJoCo, with velocity motors and the same rewards."""
    mujoco, rollout = module("mujoco"), module("mujoco.rollout")
    model = mujoco.MjModel.from_xml_string(ARM)
    data = [mujoco.MjData(model) for _ in range(THREADS)]
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros((COPIES, size))
    mujoco.mj_getState(model, data[0], state[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state[:] = state[0]
    actions, task = np.random.default_rng(1).uniform(-2, 2, (COPIES, 1, 3)), Reach()
    with rollout.Rollout(nthread=THREADS) as made:

        def step() -> None:
            nonlocal state
            found, _ = made.rollout(model, data, state, actions)
            state = found[:, -1].copy()
            task.judge_all(state[:, 1:4].astype(np.float32), actions[:, 0])

        return rate(step, COPIES)


@cache
def pybullet_rate() -> float:
    """Steps per second of the arm in PyBullet, in one process; its vector environments are processes."""
    p = module("pybullet")
    if not p.isConnected():
        p.connect(p.DIRECT)
    p.resetSimulation()
    p.setGravity(0, 0, -9.81)
    p.setTimeStep(STEP_MS / 1000)
    shapes = [p.createCollisionShape(p.GEOM_BOX, halfExtents=one) for one in HALVES]
    arm = p.createMultiBody(
        0, -1, basePosition=(0, 0, 0), linkMasses=MASSES, linkCollisionShapeIndices=shapes,
        linkVisualShapeIndices=[-1] * 3, linkPositions=[(0, 0, 0), (0, 0, 0.2), (0.3, 0, 0)],
        linkOrientations=[(0, 0, 0, 1)] * 3, linkInertialFramePositions=CENTERS,
        linkInertialFrameOrientations=[(0, 0, 0, 1)] * 3, linkParentIndices=[0, 1, 2],
        linkJointTypes=[p.JOINT_REVOLUTE] * 3, linkJointAxis=[(0, 0, 1), (0, -1, 0), (0, -1, 0)],
    )  # fmt: skip
    actions = np.random.default_rng(1).uniform(-2, 2, (1024, 3)).tolist()
    turns = iter(range(10**9))

    def step() -> None:
        given = actions[next(turns) // 8 % 1024]
        p.setJointMotorControlArray(
            arm, [0, 1, 2], p.VELOCITY_CONTROL, targetVelocities=given, forces=[20] * 3
        )
        p.stepSimulation()
        np.array([one[0] for one in p.getJointStates(arm, [0, 1, 2])], np.float32)

    return rate(step, 1)


HALVES = ((0.04, 0.04, 0.09), (0.17, 0.025, 0.025), (0.125, 0.02, 0.02))
"""Half sizes (m) of column, upper arm and forearm."""
CENTERS = ((0, 0, 0.1), (0.15, 0, 0), (0.125, 0, 0))
MASSES = (0.9, 0.85, 0.4)
"""kg"""
ARM = f"""<mujoco><option timestep="{STEP_MS / 1000}" integrator="implicitfast"/>
<default><joint armature="0.01"/></default><worldbody>
<body><joint name="a" axis="0 0 1"/><geom type="box" pos="0 0 0.1" size="0.04 0.04 0.09" mass="0.9"/>
<body pos="0 0 0.2"><joint name="b" axis="0 -1 0"/>
<geom type="box" pos="0.15 0 0" size="0.17 0.025 0.025" mass="0.85"/>
<body pos="0.3 0 0"><joint name="c" axis="0 -1 0"/>
<geom type="box" pos="0.125 0 0" size="0.125 0.02 0.02" mass="0.4"/>
</body></body></body></worldbody><actuator>
<velocity joint="a" kv="20" forcerange="-20 20"/><velocity joint="b" kv="20" forcerange="-20 20"/>
<velocity joint="c" kv="20" forcerange="-20 20"/></actuator></mujoco>"""


@cache
def plain_rate() -> float:
    """Steps per second of an arm of plain ODE, with 7 motors."""
    plain, steps = PlainWorld("arm", 1), 100
    fastest = min(plain.seconds(steps) for _ in range(SLICES))
    plain.close()
    return steps / fastest


def echo_rate() -> float:
    """Echoes of another process per second."""
    return 1 / min(echo() for _ in range(SLICES))


def times(own: Cost, yardstick: Cost) -> Reading:
    """Microseconds of a step, from steps per second."""
    return compare(1e6 / own(), 1e6 / yardstick())


def cases() -> list[Case]:
    """The vector environment, relative to the others."""
    process, spinning = partial(process_rate, False), partial(process_rate, True)

    def case(name: str, own: Cost, other: Cost, limit: float, yardstick: str) -> Case:
        return Case(name, partial(times, own, other), limit, "us", yardstick)

    title, single = f"step of one of {COPIES} arms in a process", "one environment in a process"
    return [
        case(title, vector_rate, plain_rate, 2, "plain ODE, 7 motors"),
        case(f"step of {single}", process, echo_rate, 45, ECHO),
        case(f"{title}, beside {single}", vector_rate, process, 0.07, single),
        case(f"{title}, beside {single} that spins", vector_rate, spinning, 0.25, f"{single} that spins"),
        case(f"{title}, beside MuJoCo", vector_rate, mujoco_rate, 1.5, "MuJoCo"),
        case(f"{title}, beside PyBullet", vector_rate, lambda: THREADS * pybullet_rate(), 2, "PyBullet"),
    ]
