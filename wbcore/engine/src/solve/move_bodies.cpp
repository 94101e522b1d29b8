// Moves bodies by their velocities at the end of a step, as ODE's own solvers do.
#include <algorithm>

#include "body_kernels.h"
#include "read_island.h"
#include "util.h"

namespace wb::solve {
namespace {

// Of all others, ODE turns by finite angles or changes velocities: it moves them itself.
bool moves_plainly(const dxBody *b) {
  constexpr unsigned kSpecial =
      dxBodyFlagFiniteRotation | dxBodyMaxAngularSpeed | dxBodyLinearDamping | dxBodyAngularDamping;
  return !(b->flags & kSpecial) && !b->moved_callback;
}

struct Spare {
  double position[3], rotation[12], orientation[4], velocity[3], spin[3];
};

void put_in_lane(dxBody *b, MotionBatch &batch, size_t lane) {
  batch.position[lane] = b->posr.pos, batch.rotation[lane] = b->posr.R, batch.orientation[lane] = b->q;
  batch.velocity[lane] = b->lvel, batch.spin[lane] = b->avel;
}

void leave_lane(Spare &spare, MotionBatch &batch, size_t lane) {
  batch.position[lane] = spare.position, batch.rotation[lane] = spare.rotation;
  batch.orientation[lane] = spare.orientation;
  batch.velocity[lane] = spare.velocity, batch.spin[lane] = spare.spin;
}

// The geoms' spaces have locks if islands are solved on several threads.
void note_motion(dxBody *b) {
  dxWorldProcessContext *context = b->world->unsafeGetWorldProcessingContext();
  for (dxGeom *geom = b->geom; geom; geom = dGeomGetBodyNext(geom)) {
    context->LockForStepbodySerialization();
    dGeomMoved(geom);
    context->UnlockForStepbodySerialization();
  }
}

// In the order of the bodies, which is the order in which spaces list what has moved.
void move_some(dxBody *const *bodies, size_t count, double h) {
  Spare spare = {};
  MotionBatch batch;
  for (size_t lane = 0; lane < kMostLanes; ++lane)
    lane < count &&moves_plainly(bodies[lane]) ? put_in_lane(bodies[lane], batch, lane)
                                               : leave_lane(spare, batch, lane);
  body_kernels().move(batch, h);
  for (size_t lane = 0; lane < count; ++lane) {
    dxBody *b = bodies[lane];
    moves_plainly(b) ? note_motion(b) : dxStepBody(b, h);
    for (int k = 0; k < 3; ++k) b->facc[k] = b->tacc[k] = 0;
  }
}

}  // namespace

void write_bodies(const IslandParts &parts, double h, const Equations &eq) {
  for (const Node &n : eq.nodes)
    for (int k = 0; k < 3; ++k) {
      n.body->lvel[k] += h * n.a[k];
      n.body->avel[k] += h * n.a[3 + k];
    }
  for (size_t at = 0; at < parts.body_count; at += kMostLanes)
    move_some(parts.bodies + at, std::min(kMostLanes, parts.body_count - at), h);
}

}  // namespace wb::solve
