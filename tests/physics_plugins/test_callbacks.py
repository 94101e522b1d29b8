"""What plugins in C and C++ are called with, and what they can do (manual, chapter 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.physics_plugins.projects import WORLD, complete, project, simulation

HOVER = """
static dBodyID ball;
void webots_physics_init() { ball = dWebotsGetBodyFromDEF("BALL"); }
void webots_physics_step() { dBodyAddForce(ball, 0, 0, 9.81); }
"""


def test_forces_act_on_the_real_body(tmp_path: Path):
    """Newton: a force equal to the weight keeps a ball where it is."""
    with simulation(project(tmp_path, complete(HOVER))) as world:
        world.run(1)
        assert tuple(world.node("BALL").translation) == (1, 0, 2)


def test_a_plugin_in_cpp_needs_no_extern_c(tmp_path: Path):
    with simulation(project(tmp_path, complete(HOVER), ".cpp")) as world:
        world.run(0.1)
        assert tuple(world.node("BALL").translation) == (1, 0, 2)


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_old_plugins_get_world_space_and_joint_group(tmp_path: Path, suffix: str):
    """Until Webots 8, webots_physics_init used its arguments."""
    source = """
    void webots_physics_init(dWorldID world, dSpaceID space, dJointGroupID group) {
      dBodyID box = dWebotsGetBodyFromDEF("BOX");
      dGeomID geom = dWebotsGetGeomFromDEF("BOX");
      dWebotsConsolePrintf("%d %d %d", dBodyGetWorld(box) == world, dGeomGetSpace(geom) == space,
                           dWebotsGetContactJointGroup() == group);
    }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source), suffix), lines):
        assert lines == ["[probe] 1 1 1"]


def test_functions_are_called_in_the_order_of_the_manual(tmp_path: Path):
    """Figure 6.1, with the collision pass where Webots has it: after dWorldStep, for the next step."""
    source = """
    static int called;
    void webots_physics_init() { dWebotsConsolePrintf("init"); }
    void webots_physics_step() { dWebotsConsolePrintf("step %g", dWebotsGetTime()); called = 0; }
    int webots_physics_collide(dGeomID a, dGeomID b) {
      if (!called++) dWebotsConsolePrintf("collide %g", dWebotsGetTime());
      return 0;
    }
    void webots_physics_step_end() { dWebotsConsolePrintf("end %g", dWebotsGetTime()); }
    void webots_physics_cleanup() { dWebotsConsolePrintf("cleanup"); }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source)), lines) as world:
        world.step(2)
    once = ["step 0", "collide 0", "end 0", "step 8", "collide 8", "end 8"]
    assert [one.removeprefix("[probe] ") for one in lines] == ["init", "collide 0", *once, "cleanup"]


def test_contact_joints_of_the_plugin_carry_the_box(tmp_path: Path):
    """The feedback of the joints is the weight: 2 kg * 9.81 m/s^2."""
    source = """
    static dBodyID box; static dGeomID box_geom, floor_geom; static int count;
    static dJointFeedback force[10];
    void webots_physics_init() {
      box = dWebotsGetBodyFromDEF("BOX");
      box_geom = dWebotsGetGeomFromDEF("BOX");
      floor_geom = dWebotsGetGeomFromDEF("FLOOR");
    }
    void webots_physics_step() { count = 0; }
    int webots_physics_collide(dGeomID a, dGeomID b) {
      if (!(dAreGeomsSame(a, box_geom) && dAreGeomsSame(b, floor_geom)) &&
          !(dAreGeomsSame(b, box_geom) && dAreGeomsSame(a, floor_geom))) return 0;
      dContact c[10] = {0};
      count = dCollide(a, b, 10, &c[0].geom, sizeof(dContact));
      for (int i = 0; i < count; ++i) {
        c[i].surface.mode = dContactSoftCFM;
        c[i].surface.mu = 1;
        c[i].surface.soft_cfm = 0.001;
        dJointID joint = dJointCreateContact(dBodyGetWorld(box), dWebotsGetContactJointGroup(), &c[i]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
        dJointSetFeedback(joint, &force[i]);
      }
      return 1;
    }
    void webots_physics_step_end() {
      double sum = 0;
      for (int i = 0; i < count; ++i) sum += force[i].f1[2];
      dWebotsConsolePrintf("%.2f", sum);
    }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source)), lines) as world:
        world.run(1)
        assert world.physics.engine.contacts().depths.size == 0  # none of the world's own
        assert world.node("BOX").translation[2] == pytest.approx(0.05, abs=1e-3)
    assert lines[-1] == "[probe] 19.62"


def test_a_ray_of_the_plugin_hits_the_floor(tmp_path: Path):
    """As in the sample of the manual (6.7): the ray looks down from 1.8 m above the floor."""
    source = """
    static dGeomID ray; static double depth;
    void webots_physics_init() {
      ray = dCreateRay(dGeomGetSpace(dWebotsGetGeomFromDEF("BALL")), 5);
      dGeomSetDynamicFlag(ray);
      dGeomRaySet(ray, 1, 0, 1.8, 0, 0, -1);
    }
    void webots_physics_step() { dWebotsConsolePrintf("%.3f", depth); }
    int webots_physics_collide(dGeomID a, dGeomID b) {
      dContactGeom c[1];
      if (a != ray && b != ray) return 0;
      if (dCollide(a, b, 1, c, sizeof(dContactGeom))) depth = c[0].depth;
      return 1;
    }
    void webots_physics_cleanup() { dGeomDestroy(ray); }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source)), lines) as world:
        world.step()
    assert lines == ["[probe] 1.800"]


def test_solids_with_several_geometries_are_spaces(tmp_path: Path):
    """Table 6.1: a Group is a dSimpleSpace; the plugin is asked about it before its geoms."""
    table = """
    DEF TABLE Solid {
      translation 3 0 0.2
      name "table"
      boundingObject Group { children [
        Pose { translation 0.5 0 0 children [ Box { size 0.1 0.1 0.4 } ] }
        Pose { translation -0.5 0 0 children [ Box { size 0.1 0.1 0.4 } ] }
      ] }
      physics Physics { }
    }
    """
    source = """
    static dGeomID table; static int whole, parts;
    void webots_physics_init() { table = dWebotsGetGeomFromDEF("TABLE"); }
    void webots_physics_step() {
      dWebotsConsolePrintf("%d %d, %d whole, %d parts", dGeomIsSpace(table),
                           dSpaceGetNumGeoms((dSpaceID)table), whole, parts);
    }
    int webots_physics_collide(dGeomID a, dGeomID b) {
      if (a == table || b == table) ++whole;
      else if (dSpaceQuery((dSpaceID)table, a) || dSpaceQuery((dSpaceID)table, b)) ++parts;
      return 0;
    }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source), world=WORLD + table), lines) as world:
        world.step()
    assert lines == ["[probe] 1 2, 1 whole, 2 parts"]


def test_the_plugin_is_asked_about_parts_of_one_robot(tmp_path: Path):
    """As in Webots, whether or not the robot collides with itself."""
    machine = """
    DEF MACHINE Robot {
      translation 3 0 1
      boundingObject Sphere { radius 0.1 }
      physics Physics { }
      children [ HingeJoint {
        jointParameters HingeJointParameters { }
        endPoint DEF ARM Solid { boundingObject Sphere { radius 0.05 } physics Physics { } }
      } ]
    }
    """
    source = """
    static dGeomID machine, arm; static int asked;
    void webots_physics_init() {
      machine = dWebotsGetGeomFromDEF("MACHINE");
      arm = dWebotsGetGeomFromDEF("MACHINE.ARM");
    }
    void webots_physics_step() { dWebotsConsolePrintf("%d", asked); }
    int webots_physics_collide(dGeomID a, dGeomID b) {
      asked += (a == machine && b == arm) || (a == arm && b == machine);
      return 0;
    }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source), world=WORLD + machine), lines) as world:
        world.step()
    assert lines == ["[probe] 1"]


def test_joints_of_the_plugin_hold(tmp_path: Path):
    """A ball and socket joint to the world turns the ball into a pendulum of constant length."""
    source = """
    void webots_physics_init() {
      dBodyID ball = dWebotsGetBodyFromDEF("BALL");
      dJointID joint = dJointCreateBall(dBodyGetWorld(ball), 0);
      dJointAttach(joint, ball, 0);
      dJointSetBallAnchor(joint, 0, 0, 2);
    }
    """
    with simulation(project(tmp_path, complete(source))) as world:
        world.run(0.3)
        x, y, z = world.node("BALL").translation
        assert z < 1.9
        assert (x * x + y * y + (z - 2) ** 2) ** 0.5 == pytest.approx(1, abs=2e-3)


def test_what_a_plugin_moves_is_where_it_put_it(tmp_path: Path):
    source = """
    static dBodyID box;
    void webots_physics_init() { box = dWebotsGetBodyFromDEF("BOX"); dBodySetPosition(box, 2, 0, 1); }
    void webots_physics_step_end() { dBodySetPosition(box, 3, 0, 1); }
    """
    with simulation(project(tmp_path, complete(source))) as world:
        assert tuple(world.node("BOX").translation) == (2, 0, 1)
        world.step()
        assert tuple(world.node("BOX").translation) == (3, 0, 1)
        assert world.physics.engine.contacts().depths.size == 0


def test_names_that_do_not_exist_are_null(tmp_path: Path):
    source = """
    void webots_physics_init() {
      dWebotsConsolePrintf("%d %d %d", dWebotsGetBodyFromDEF("NONE") == NULL,
                           dWebotsGetBodyFromDEF("FLOOR") == NULL, dWebotsGetGeomFromDEF("FLOOR") == NULL);
    }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source)), lines):
        assert lines == ["[probe] 1 1 0"]


def test_plugins_that_draw_are_loaded(tmp_path: Path):
    """As in Webots, they are linked without OpenGL."""
    source = """
    void glBegin(unsigned mode);
    void webots_physics_draw(int pass, const char *view) { glBegin(1); }
    """
    with simulation(project(tmp_path, complete(source))) as world:
        world.step()
