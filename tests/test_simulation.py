"""The embedding API: load, step, look, save, go back; the same bits every time; what goes wrong is said."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.physics.worlds import FLOOR, NEW, PURE, box, world
from wbridge import wbcore
from wbridge.wbcore import Simulation
from wbridge.wbcore.physics.errors import (
    ExplosionError,
    NotFiniteError,
    StateError,
    UnknownNodeError,
    WorldError,
)
from wbridge.wbcore.scene.load import load_text

ROOT = Path(wbcore.__file__).resolve().parents[1]

CHECKOUT = Path(wbcore.__file__).resolve().parent.parent
LIGHT = "mass 1 density -1"
STEPS = 10000


def busy() -> str:
    """Boxes that tumble onto a floor, a motorized arm and a ball that rolls."""
    boxes = "".join(
        box(
            f"B{i}",
            f"translation {0.3 * i} {0.11 * i} {1 + 0.7 * i} rotation 1 1 0 {0.5 + i}",
            "0.5 0.4 0.3",
            LIGHT,
        )
        for i in range(4)
    )
    end = box("END", "translation 3 0 0.5", "0.1 0.1 0.4", LIGHT)
    arm = (
        'DEF ARM Robot { name "arm" children [ HingeJoint { jointParameters HingeJointParameters '
        f"{{ axis 0 0 1 anchor 2.5 0 0.5 }} device RotationalMotor {{ }} endPoint {end} }} ] }}"
    )
    ball = (
        "DEF BALL Solid { translation -2 0 0.2 linearVelocity 1 0.2 0 boundingObject Sphere { radius 0.2 } "
        "physics Physics { } }"
    )
    return f"WorldInfo {{ basicTimeStep 8 {PURE} }}\n{FLOOR}{boxes}{arm}{ball}"


def make(text: str | None = None, seed: int | None = None) -> Simulation:
    return Simulation(world(text if text is not None else busy()), seed)


def write(folder: Path, text: str) -> Path:
    path = folder / "test.wbt"
    path.write_text(NEW + text, encoding="utf-8")
    return path


def test_a_world_file_is_loaded_and_stepped(tmp_path: Path):
    with Simulation(write(tmp_path, busy())) as s:
        assert (s.time, s.steps, s.step_s) == (0, 0, 0.008)
        s.step()
        assert s.time == 0.008
        s.run(0.8)
        assert s.steps == 101
        assert s.time == pytest.approx(0.808)


def test_a_path_as_text_will_do(tmp_path: Path):
    assert Simulation(str(write(tmp_path, busy()))).steps == 0


def test_a_node_has_a_pose_and_a_velocity():
    s = make(box("A", "translation 1 2 3 rotation 0 0 1 0.5 linearVelocity 1 0 0 angularVelocity 0 0 2"))
    view = s.node("A")
    assert view.translation.tolist() == [1, 2, 3]
    assert view.rotation == pytest.approx(np.array([0, 0, 1, 0.5]))
    assert view.pose[:3, 3].tolist() == [1, 2, 3]
    assert view.pose[0, 0] == pytest.approx(np.cos(0.5))
    assert view.pose[1, 0] == pytest.approx(np.sin(0.5))
    assert view.velocity.tolist() == [1, 0, 0, 0, 0, 2]
    assert view.path == 'A "a"'


def test_an_unknown_node_is_said_with_the_nearest_name():
    with pytest.raises(UnknownNodeError, match="no node DEF BAL in .*did you mean 'BALL'"):
        make().node("BAL")


def test_a_node_in_the_body_of_a_proto_is_said_to_be_hidden():
    """The manual, chapter PROTO: DEF names in a body cannot be seen from outside."""
    s = Simulation(ROOT / "worlds" / "nao.wbt")
    for name in ("HAND_SLOT", "NAO.HAND_SLOT"):
        with pytest.raises(UnknownNodeError, match="HAND_SLOT is in the body of the PROTO instance NaoHand"):
            s.node(name)


def test_a_world_with_errors_is_refused_with_all_of_them(tmp_path: Path):
    path = write(tmp_path, "Solid { nonsense }\nRobot { children [ Nothing { } ] }")
    with pytest.raises(WorldError) as caught:
        Simulation(path)
    assert caught.value.findings
    assert f"{path}:" in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path):
    with pytest.raises(WorldError, match="absent.wbt"):
        Simulation(tmp_path / "absent.wbt")


@pytest.mark.parametrize("duration", [-1.0, float("inf"), float("nan")])
def test_a_duration_must_be_a_time(duration: float):
    with pytest.raises(ValueError, match="duration"):
        make().run(duration)


def test_a_count_must_not_be_negative():
    with pytest.raises(ValueError, match="count"):
        make().step(-1)


def test_two_runs_have_the_same_hash():
    hashes = []
    for _ in range(2):
        s = make()
        s.step(STEPS)
        hashes.append(s.hash())
    assert hashes[0] == hashes[1]
    assert len(hashes[0]) == 16


def test_a_fresh_process_has_the_same_hash(tmp_path: Path):
    path = write(tmp_path, busy())
    code = (
        f"from wbridge.wbcore import Simulation as S; s = S({str(path)!r}); s.step({STEPS}); print(s.hash())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    here = Simulation(path)
    here.step(STEPS)
    assert done.stdout.strip() == here.hash()


def test_stepping_one_by_one_is_the_same_as_many_at_once():
    one, many = make(), make()
    for _ in range(500):
        one.step()
    many.step(500)
    assert one.hash() == many.hash()


def test_reset_leads_to_the_same_bits():
    s = make()
    start = s.hash()
    s.step(STEPS)
    end = s.hash()
    s.reset()
    assert (s.hash(), s.time) == (start, 0)
    s.step(STEPS)
    assert s.hash() == end


def test_a_restored_state_goes_on_with_the_same_bits():
    s = make()
    s.step(STEPS // 2)
    state, middle = s.state(), s.hash()
    s.step(STEPS // 2)
    end = s.hash()
    s.restore(state)
    assert (s.hash(), s.time) == (middle, STEPS // 2 * 0.008)
    s.step(STEPS // 2)
    assert s.hash() == end


def test_a_state_fits_another_simulation_of_the_same_world():
    first, second = make(), make()
    first.run(1.0)
    second.restore(first.state())
    first.run(1.0)
    second.run(1.0)
    assert first.hash() == second.hash()


@pytest.mark.parametrize("damage", ["cut", "bit", "other"])
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(damage: str):
    s = make()
    s.run(0.5)
    state, before = s.state(), s.hash()
    bad = {
        "cut": state[:-9],
        "bit": state[:100] + bytes([state[100] ^ 1]) + state[101:],
        "other": make(box("A")).state(),
    }[damage]
    with pytest.raises(StateError):
        s.restore(bad)
    assert s.hash() == before


def test_two_threads_do_not_disturb_each_other():
    alone = make()
    alone.step(STEPS)
    both = [make(), make()]
    threads = [threading.Thread(target=one.step, args=(STEPS,)) for one in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.hash() for one in both] == [alone.hash()] * 2


def test_the_seed_decides_the_random_numbers():
    first, second, third = make(seed=1), make(seed=1), make(seed=2)
    numbers = [[one.physics.engine.random() for _ in range(5)] for one in (first, second, third)]
    assert numbers[0] == numbers[1] != numbers[2]


def test_reset_takes_added_solids_away_and_does_not_bring_removed_ones_back():
    s = make()
    gone = s.node("B0").node
    s.world.nodes.remove(gone)
    s.physics.removed(gone)
    (new,) = load_text(NEW + box("NEW", "translation 9 9 9"), "more.wbt").nodes
    s.world.nodes.append(new)
    s.physics.added(new)
    s.run(1.0)
    s.reset()
    assert s.time == 0
    assert s.world.find("NEW") is None
    assert s.world.find("B0") is None
    assert s.node("B1").translation == pytest.approx(np.array([0.3, 0.11, 1.7]))
    first = s.hash()
    s.run(1.0)
    end = s.hash()
    s.reset()
    assert s.hash() == first
    s.run(1.0)
    assert s.hash() == end


def test_reset_restores_the_fields_of_the_tree():
    s = make()
    s.run(1.0)
    s.sync()
    assert s.world.find("B1").get("translation") != (0.3, 0.11, 1.7)
    s.reset()
    assert s.world.find("B1").get("translation") == (0.3, 0.11, 1.7)


def test_an_explosion_is_said_with_path_and_values():
    s = make(box("A", physics=LIGHT))
    s.node("A").set_velocity(linear=(2e6, 0, 0))
    with pytest.raises(
        ExplosionError, match=r'A "a" is too fast: position .* velocity 2e\+06 0 .* smaller'
    ) as caught:
        s.step()
    assert caught.value.bodies[0].node is s.node("A").node
    assert caught.value.bodies[0].linear_velocity[0] == 2e6


def test_what_is_not_a_number_any_more_is_said():
    s = make(box("A", physics=LIGHT))
    body, _ = s.physics.carrier(s.node("A").node)
    body.add_force((1e308, 0, 0))
    body.add_force((1e308, 0, 0))
    with pytest.raises(NotFiniteError, match='A "a" is not finite'):
        s.step()


def test_overlap_at_the_start_is_said_with_both_paths_and_the_depth():
    s = make(FLOOR + box("A", "translation 0 0 0.3"))
    (found,) = s.overlaps
    assert found.value == pytest.approx(0.2)
    assert 'A "a" overlaps FLOOR "floor" by 0.2 m' in found.message


def test_a_joint_that_cannot_hold_is_said():
    """A hundred tons on a hair."""
    heavy = box("HEAVY", "translation 0 0 -1", "1 1 1", "mass 1e9 density -1")
    hinge = "HingeJoint { jointParameters HingeJointParameters { anchor 0 0 %s axis 1 0 0 } endPoint %s }"
    light = box(
        "LIGHT",
        f"translation 0 0 0 children [ {hinge % ('-0.5', heavy)} ]",
        "0.1 0.1 0.1",
        "mass 1e-3 density -1",
    )
    s = make(f"Solid {{ children [ {hinge % ('0.5', light)} ] }}")
    s.run(3.0)
    (found, *_) = s.gaps()
    assert "comes apart: its halves are" in found.message
    assert "LIGHT" in found.message


def test_findings_hold_those_of_the_physics():
    s = make(box("A", physics="mass 1 density -1 centerOfMass [ 0 0 0 ] inertiaMatrix [ -1 1 1, 0 0 0 ]"))
    assert any("inertia" in one.message.lower() for one in s.findings)


def test_a_body_without_mass_is_no_body():
    s = make("DEF A Solid { boundingObject Box { size 1 1 1 } physics Physics { mass -1 density -1 } }")
    body, _ = s.physics.carrier(s.node("A").node)
    assert body.mass.mass > 0


def test_importing_the_package_loads_no_physics():
    code = (
        "import sys, wbridge.wbcore; print('numpy' in sys.modules, 'wbridge.wbcore.physics' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_an_overlap_names_the_body_that_moves_first():
    for order in (box("A", "translation 0 0 0.3") + FLOOR, FLOOR + box("A", "translation 0 0 0.3")):
        (found,) = make(order).overlaps
        assert found.message.startswith('A "a" overlaps FLOOR "floor" by 0.2 m')


def test_things_without_physics_may_overlap():
    walls = "".join(f'Robot {{ name "{i}" boundingObject Box {{ size 1 1 1 }} }}' for i in range(2))
    assert make(walls).overlaps == []


def test_many_short_runs_take_as_long_as_one_of_their_sum():
    """0.1 s are 3.125 steps of 32 ms; a hundred times they are 10 s, whatever is saved in between."""
    with make(f"WorldInfo {{ basicTimeStep 32 {PURE} }}\n{FLOOR}") as simulation:
        times = []
        for count in range(100):
            simulation.run(0.1)
            times.append(simulation.time - 0.1 * (count + 1))
            simulation.restore(simulation.state())
        assert max(map(abs, times)) <= 0.016 + 1e-9
        simulation.reset()
        simulation.run(0.1)
        assert simulation.steps == 3
