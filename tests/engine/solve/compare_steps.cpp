// Steps random scenes with the sparse and with ODE's exact solver from the same states, and compares both
// with the reference in long double, or where that may not be exact enough in the longest numbers that the
// compiler has. Prints one line per scene: seed, step, rows, distances (sparse to ODE, sparse to the
// reference, ODE to it; -1: none), and what the sparse solver did (0 solved, 1 declined, 2 failed). The last
// line has a hash of all states, and the numbers of solutions and of phases. usage: compare_steps FIRST_SEED
// COUNT STEPS MASS_RATIO warm|cold; cold: nothing is kept from the step before
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "config.h"
#include "joints/joint.h"
#include "objects.h"
#include "own_ode/island_step.h"
#include "random_scene.h"
#include "reference.h"
#include "solve/sparse_step.h"
#include "step.h"
#include "util.h"

static int lcp_errors = 0;
static void on_message(int, const char *, va_list) { ++lcp_errors; }

// Elimination in long double can lose half of its digits: farther ones are judged by longer numbers.
static constexpr double kExact = 1e-10;

static std::vector<double> velocities_of(const Scene &scene) {
  std::vector<double> v;
  for (const dBodyID b : scene.bodies) {
    const dReal *linear = dBodyGetLinearVel(b), *angular = dBodyGetAngularVel(b);
    v.insert(v.end(), linear, linear + 3);
    v.insert(v.end(), angular, angular + 3);
  }
  return v;
}

static void add_to(uint64_t &hash, const dxBody *body) {
  for (const dReal *numbers : {body->posr.pos, body->lvel, body->avel})
    for (int i = 0; i < 3; ++i) hash = (hash ^ std::bit_cast<uint64_t>(numbers[i])) * 1099511628211ULL;
}

template <class Real>
static double distance(const std::vector<double> &a, const std::vector<Real> &b, double scale) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double d = std::fabs((double)(a[i] - b[i]));
    if (!(d <= most)) most = d;
  }
  return most / scale;
}

static double scale_of(const std::vector<double> &v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::fabs(x));
  return largest;
}

// What a step should make of the velocities; known: there is only one solution.
struct Exact {
  bool known;
  std::vector<Long> near;
  std::vector<Longest> nearer;  // where `near` may be too far from it

  double distance(const std::vector<double> &v, double scale) const {
    if (!known) return -1;
    return nearer.empty() ? ::distance(v, near, scale) : ::distance(v, nearer, scale);
  }
};

static Exact exact_velocities(const Scene &scene, const std::vector<double> &v) {
  Exact exact;
  exact.known = reference_step(scene.world, scene.bodies, scene.h, exact.near);
  if (exact.known && distance(v, exact.near, scale_of(v)) > kExact)
    exact.known = reference_step(scene.world, scene.bodies, scene.h, exact.nearer);
  return exact;
}

// The same bits: ODE's own functions would normalize the orientation again.
static void copy_state(const Scene &from, const Scene &to) {
  for (size_t i = 0; i < to.bodies.size(); ++i) {
    const dxBody *source = from.bodies[i];
    dxBody *body = to.bodies[i];
    body->posr = source->posr;
    std::copy_n(source->q, 4, body->q);
    std::copy_n(source->lvel, 4, body->lvel);
    std::copy_n(source->avel, 4, body->avel);
  }
}

// Rows of joints use locks that come with the world's memory.
static void give_memory(const Scene &scene) {
  dxWorldProcessIslandsInfo info;
  dxReallocateWorldProcessContext(scene.world, info, scene.h, dxEstimateStepMemoryRequirements);
}

static int sparse_step(wb::SparseStep &solver, const Scene &scene) {
  dxWorldProcessIslandsInfo info;
  dxReallocateWorldProcessContext(scene.world, info, scene.h, dxEstimateStepMemoryRequirements);
  dxWorldProcessMemArena *arena = scene.world->unsafeGetWorldProcessingContext()->ObtainStepperMemArena();
  const dBodyID *bodies = info.GetBodiesArray();
  const dJointID *joints = info.GetJointsArray();
  const unsigned *sizes = info.GetIslandSizes();
  int worst = 0;
  for (size_t i = 0; i < info.GetIslandsCount(); ++i, sizes += 2) {
    arena->ResetState();
    dxStepperProcessingCallContext call(scene.world, scene.h, 1, arena, bodies, joints);
    call.AssignIslandSelection(bodies, joints, sizes[0], sizes[1]);
    const wb::SparseResult result = solver.solve(call, 0);
    if (result != wb::SparseResult::solved) dxStepIsland(&call);
    worst = std::max(worst, (int)result);
    bodies += sizes[0], joints += sizes[1];
  }
  scene.world->unsafeGetWorldProcessingContext()->ReturnStepperMemArena(arena);
  return worst;
}

int main(int argc, char **argv) {
  const uint64_t first = std::strtoull(argv[1], nullptr, 10);
  const int count = std::atoi(argv[2]), steps = std::atoi(argv[3]);
  SceneKind kind;
  kind.mass_ratio = argc > 4 ? std::atof(argv[4]) : 1e3;
  const bool cold = argc > 5 && argv[5][0] == 'c';
  uint64_t hash = 1469598103934665603ULL;
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  dSetMessageHandler(on_message);
  wb::SparseStep solver;
  for (int i = 0; i < count; ++i) {
    const uint64_t seed = first + (uint64_t)i;
    Scene sparse(seed, kind), dense(seed, kind);
    for (int step = 0; step < steps; ++step) {
      copy_state(sparse, dense);
      sparse.prepare();
      for (dxJoint *j = sparse.world->firstjoint; j && cold; j = (dxJoint *)j->next)
        std::fill_n(j->lambda, 6, 0.0);
      dense.prepare();
      const int result = sparse_step(solver, sparse);
      for (dxBody *b = sparse.world->firstbody; b; b = (dxBody *)b->next) add_to(hash, b);
      const std::vector<double> a = velocities_of(sparse);
      give_memory(dense);
      const Exact exact = exact_velocities(dense, a);
      lcp_errors = 0;
      dWorldStep(dense.world, dense.h);
      const std::vector<double> b = velocities_of(dense);
      const double scale = std::max(scale_of(b), 9.81 * sparse.h);
      std::printf("%llu %d %llu %.2e %.2e %.2e %d\n", (unsigned long long)seed, step,
                  (unsigned long long)solver.counts().rows, lcp_errors ? -1 : distance(a, b, scale),
                  exact.distance(a, scale), lcp_errors ? -1 : exact.distance(b, scale), result);
    }
  }
  std::printf("hash %llx %llu %llu\n", (unsigned long long)hash,
              (unsigned long long)solver.counts().solutions, (unsigned long long)solver.counts().phases);
  return 0;
}
