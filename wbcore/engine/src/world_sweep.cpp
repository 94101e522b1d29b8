// Continuous collision: fast bodies stop at surfaces that they would pass within one step. ODE tests only the
// poses at the ends of steps, so thin or small bodies would fall through meshes, boxes and height fields.
#include <algorithm>

#include "colliders.h"
#include "world.h"

namespace wb {
namespace {

constexpr double kMostPlaces = 1000;  // positions tested within one step
constexpr int kHalvings = 4;          // bisections between two positions, to find the point of contact

}  // namespace

// A body that moves farther in a step than its thickness, and the pairs of geoms in which it may collide.
struct World::Mover {
  uint32_t body;
  Vec3 way, end;  // of the center of mass
  double half;    // half the thickness of its thinnest geom (m)
  std::vector<const Pair *> pairs;
};

// Bodies with joints are excluded because stopping one would tear the joint. With a pair callback, the
// callback decides.
std::vector<World::Mover> World::fast_bodies() {
  std::vector<Mover> found;
  for (uint32_t slot : awake_ones().bodies) {
    const Body &b = bodies[slot];
    if (b.kind != BodyKind::dynamic || !b.joints.empty() || !b.awake()) continue;
    const Vec3 way = Vec3{b.velocity[0], b.velocity[1], b.velocity[2]} * settings_.dt;
    double half = HUGE_VAL;
    for (uint32_t g : b.geoms) half = std::min(half, geoms[g].half_thickness);
    if (dot(way, way) <= half * half) continue;
    found.push_back({slot, way, {b.position[0], b.position[1], b.position[2]}, half, {}});
  }
  return found;
}

void World::stop_fast_bodies() {
  if (on_pair) return;
  std::vector<Mover> movers = fast_bodies();
  if (movers.empty()) return;
  std::vector<uint32_t> mover_of(bodies.extent(), kNone);
  for (uint32_t i = 0; i < movers.size(); ++i) mover_of[movers[i].body] = i;
  for (Pair &pair : list_pairs())
    for (uint32_t body : {geoms[pair.a].body, geoms[pair.b].body}) {
      if (body == kNone || mover_of[body] == kNone) continue;
      Mover &mover = movers[mover_of[body]];
      if (may_hit(mover, pair)) mover.pairs.push_back(&pair);
    }
  bool stopped = false;
  for (const Mover &mover : movers)
    if (!mover.pairs.empty()) stopped |= stop_at_surface(mover);
  if (!stopped) return;
  for (uint32_t slot : frames())
    if (bodies[slot].parent != kNone) place_frame(slot);
}

// Whether the swept bounds of the body's geom meet those of the other one. Planes are excluded: they stop
// everything below them.
bool World::may_hit(const Mover &mover, Pair &pair) {
  const Geom &a = geoms[pair.a], &b = geoms[pair.b];
  const Geom &own = a.body == mover.body ? a : b, &other = a.body == mover.body ? b : a;
  if (!other.bounded()) return false;
  if (pair.version != rules_version_) judge(pair);
  if (pair.verdict != Verdict::contact) return false;
  return own.bounds.merged({own.bounds.low - mover.way, own.bounds.high - mover.way}).overlaps(other.bounds);
}

// Tests positions so close together that the center is still outside at the first contact.
bool World::stop_at_surface(const Mover &mover) {
  const double places = std::min(std::ceil(norm(mover.way) / mover.half), kMostPlaces);
  double from = 0, to = 0;
  for (double k = 1; k <= places && to == 0; ++k)
    for (const Pair *pair : mover.pairs)
      if (hits(mover, *pair, k / places)) {
        from = (k - 1) / places, to = k / places;
        break;
      }
  for (int i = 0; i < kHalvings && to > 0; ++i) {
    const double middle = (from + to) / 2;
    const bool hit = std::any_of(mover.pairs.begin(), mover.pairs.end(),
                                 [&](const Pair *pair) { return hits(mover, *pair, middle); });
    (hit ? to : from) = middle;
  }
  move_along(mover, to > 0 ? to : 1);
  if (to == 0) return false;
  take_back_fall(mover.body, 1 - to);
  geoms_moved(bodies[mover.body]);
  for (uint32_t g : bodies[mover.body].geoms) update_bounds(g);
  refresh_row(mover.body);
  return true;
}

// The stopped body loses the rest of the step, in which gravity must not accelerate it. Otherwise a thin body
// at rest, which falls farther than its thickness in a step, bounces forever at g dt / (1 + bounce).
void World::take_back_fall(uint32_t body, double share) {
  const Body &b = bodies[body];
  const double g = norm(settings_.gravity);
  if (g == 0 || !dBodyGetGravityMode(b.ode)) return;
  const Vec3 down = settings_.gravity * (1 / g), v{b.velocity[0], b.velocity[1], b.velocity[2]};
  const double less = std::min(dot(v, down), share * g * settings_.dt);
  if (less <= 0) return;
  const Vec3 slower = v - down * less;
  dBodySetLinearVel(b.ode, slower[0], slower[1], slower[2]);
}

void World::move_along(const Mover &mover, double share) {
  const Vec3 p = mover.end - mover.way * (1 - share);
  dBodySetPosition(bodies[mover.body].ode, p[0], p[1], p[2]);
}

// Whether it is in contact there, and would have its center behind the surface at the end of the step.
bool World::hits(const Mover &mover, const Pair &pair, double share) {
  const Geom &a = geoms[pair.a], &b = geoms[pair.b];
  const bool first = a.body == mover.body;
  const Vec3 rest = mover.way * (1 - share);
  const Geom &own = first ? a : b, &other = first ? b : a;
  if (!Box{own.bounds.low - rest, own.bounds.high - rest}.overlaps(other.bounds)) return false;
  move_along(mover, share);
  collide_geoms(a, b, found_);
  return std::any_of(found_.begin(), found_.end(), [&](const dContactGeom &c) {
    const double outward = dot({c.normal[0], c.normal[1], c.normal[2]}, rest) * (first ? 1 : -1);
    return c.depth - outward > own.half_thickness;
  });
}

}  // namespace wb
