/* Scales: makes the contacts of the pan itself, measures their forces, and sends the weight by radio.

   A contact joint of step N acts in step N + 1; its force is read after that. Packets are one double: the
   weight (N). */
#include <ode/ode.h>
#include <plugins/physics.h>

#define CHANNEL 1
#define MOST 8 /* contacts */

static dGeomID pan, load;
static dWorldID world;
static dJointFeedback feedbacks[2][MOST]; /* of the contacts that act now, and of new ones */
static int counts[2], now;

void webots_physics_init(void) {
  pan = dWebotsGetGeomFromDEF("PAN");
  load = dWebotsGetGeomFromDEF("LOAD");
  dBodyID body = dWebotsGetBodyFromDEF("LOAD");
  world = body ? dBodyGetWorld(body) : NULL;
  counts[0] = counts[1] = now = 0;
}

void webots_physics_step(void) {}

int webots_physics_collide(dGeomID a, dGeomID b) {
  if (!world || !((dAreGeomsSame(a, pan) && dAreGeomsSame(b, load)) ||
                  (dAreGeomsSame(a, load) && dAreGeomsSame(b, pan))))
    return 0; /* the simulator makes the contacts */
  dContact contacts[MOST];
  const int next = 1 - now, count = dCollide(a, b, MOST, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = 0.5;
    dJointID joint = dJointCreateContact(world, dWebotsGetContactJointGroup(), contacts + i);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    dJointSetFeedback(joint, &feedbacks[next][i]);
  }
  counts[next] = count;
  return 1;
}

void webots_physics_step_end(void) {
  double weight = 0;
  for (int i = 0; i < counts[now]; ++i) weight += fabs((double)feedbacks[now][i].f1[2]);
  dWebotsSend(CHANNEL, &weight, sizeof weight);
  counts[now] = 0;
  now = 1 - now;
}

void webots_physics_cleanup(void) {}
