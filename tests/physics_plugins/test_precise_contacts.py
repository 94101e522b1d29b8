"""Physics plugins under the law of contact "precise": their forces, contacts and joints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.physics_plugins.projects import WORLD, complete, project, simulation

PRECISE = WORLD.replace("WorldInfo {", 'WorldInfo { info [ "wbridge.contacts=precise" ]')
CONTACTS = """
static dGeomID box, ground; static int count; static dJointFeedback force[10];
void webots_physics_init() { box = dWebotsGetGeomFromDEF("BOX"), ground = dWebotsGetGeomFromDEF("FLOOR"); }
void webots_physics_step() { count = 0; dBodyAddForce(dGeomGetBody(box), 3, 4, 0); }
int webots_physics_collide(dGeomID a, dGeomID b) {
  if (!(a == box && b == ground) && !(b == box && a == ground)) return 0;
  dContact c[10] = {0};
  count = dCollide(a, b, 10, &c[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    c[i].surface.mu = 0.1;
    force[i].f1[0] = force[i].f1[1] = force[i].f1[2] = 0.0 / 0.0;
    dJointID joint =
      dJointCreateContact(dBodyGetWorld(dGeomGetBody(box)), dWebotsGetContactJointGroup(), &c[i]);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    dJointSetFeedback(joint, &force[i]);
  }
  return 1;
}
void webots_physics_step_end() {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += force[i].f1[2];
  dWebotsConsolePrintf("%.4f", sum);
}
"""


def test_contacts_of_a_plugin_bear_the_weight_and_have_a_round_cone(tmp_path: Path):
    """The box is pushed askew with 5 N: m a = F - mu m g, along the force. The feedback is the weight,
    whatever was in its memory."""
    lines: list[str] = []
    with simulation(project(tmp_path, complete(CONTACTS), world=PRECISE), lines) as world:
        world.run(1)
        acceleration = (5 - 0.1 * 2 * 9.81) / 2
        x, y, z = world.node("BOX").linear_velocity
        assert (x, y) == pytest.approx((0.6 * acceleration, 0.8 * acceleration), rel=2e-3)
        assert z == pytest.approx(0, abs=1e-6)
        assert world.solver_fallbacks == 0
    assert float(lines[-1].removeprefix("[probe] ")) == pytest.approx(2 * 9.81, rel=1e-3)


def test_forces_and_joints_of_a_plugin_act(tmp_path: Path):
    """A joint to the world lets the ball swing at a constant distance, a force bears the box."""
    source = """
    static dBodyID box;
    void webots_physics_init() {
      dBodyID ball = dWebotsGetBodyFromDEF("BALL");
      box = dWebotsGetBodyFromDEF("BOX");
      dJointID joint = dJointCreateBall(dBodyGetWorld(ball), 0);
      dJointAttach(joint, ball, 0);
      dJointSetBallAnchor(joint, 0, 0, 2);
    }
    void webots_physics_step() { dBodyAddForce(box, 0, 0, 2 * 2 * 9.81); }
    """
    with simulation(project(tmp_path, complete(source), world=PRECISE)) as world:
        world.run(0.3)
        x, y, z = world.node("BALL").translation
        assert z < 1.9
        assert (x * x + y * y + (z - 2) ** 2) ** 0.5 == pytest.approx(1, abs=2e-3)
        assert world.node("BOX").linear_velocity[2] == pytest.approx(9.81 * world.time, rel=1e-6)
