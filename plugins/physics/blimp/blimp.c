/* A blimp: buoyancy and drag of the hull, and the thrust that its controller asks for by radio.

   Packets of the controller are three floats: forward and upward thrust (N), and torque about the vertical (N
   m). */
#include <ode/ode.h>
#include <plugins/physics.h>
#include <string.h>

#define BUOYANCY 9.81  /* N: carries 1 kg */
#define DRAG 0.8       /* N s^2/m^2 */
#define TURN_DRAG 0.05 /* N m s */

static dBodyID hull;
static float command[3];

void webots_physics_init(void) {
  hull = dWebotsGetBodyFromDEF("BLIMP");
  memset(command, 0, sizeof command);
  if (!hull) dWebotsConsolePrintf("blimp: there is no solid BLIMP with physics\n");
}

void webots_physics_step(void) {
  int size;
  const void *packet = dWebotsReceive(&size);
  if (!hull) return;
  if (size == sizeof command) memcpy(command, packet, sizeof command);
  const dReal *v = dBodyGetLinearVel(hull), *w = dBodyGetAngularVel(hull);
  const dReal drag = -DRAG * dCalcVectorLength3(v);
  dBodyAddForce(hull, drag * v[0], drag * v[1], drag * v[2] + BUOYANCY);
  dBodyAddRelForce(hull, command[0], 0, command[1]);
  dBodyAddTorque(hull, 0, 0, command[2] - TURN_DRAG * w[2]);
}

void webots_physics_cleanup(void) {}
