// Chooses between ODE's exact and its iterative solver for each island.
#include "solver.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "errors.h"

namespace wb {

namespace {

// Disables bodies for one pass and enables them again, also if ODE throws.
struct Disabled {
  explicit Disabled(const std::vector<dBodyID> &bodies) : bodies(bodies) {
    for (dBodyID b : bodies) dBodyDisable(b);
  }
  ~Disabled() {
    for (dBodyID b : bodies) dBodyEnable(b);
  }
  const std::vector<dBodyID> &bodies;
};

}  // namespace

void Solver::begin() { members_.clear(); }

uint32_t Solver::add_body(const Body &body) {
  const uint32_t number = static_cast<uint32_t>(members_.size());
  members_.push_back({&body, number, 0, body.awake(), false, false});
  return number;
}

void Solver::add_link(const Link &link) {
  const uint32_t one = link.a != kWorld ? link.a : link.b;
  if (one == kWorld) return;
  if (link.a != kWorld && link.b != kWorld) join(link.a, link.b);
  Member &root = members_[find(one)];
  root.rows += link.rows;
  root.jointed |= !link.contact;
}

uint32_t Solver::find(uint32_t member) {
  while (members_[member].root != member) {
    members_[member].root = members_[members_[member].root].root;
    member = members_[member].root;
  }
  return member;
}

// An island is awake if one of its bodies is: this is how ODE wakes bodies.
void Solver::join(uint32_t a, uint32_t b) {
  a = find(a), b = find(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  members_[b].root = a;
  members_[a].rows += members_[b].rows;
  members_[a].awake |= members_[b].awake;
  members_[a].jointed |= members_[b].jointed;
}

void Solver::choose(const ExactLimits &limits) {
  // The exact solver factorizes one matrix per island: its time grows with the cube of the rows.
  const auto cube = [](double rows) { return rows * rows * rows; };
  heaps_.clear();
  for (uint32_t i = 0; i < members_.size(); ++i) {
    Member &m = members_[i];
    if (m.root != i || !m.awake) continue;
    m.large = m.rows > limits.rows;
    if (!m.large && !m.jointed && m.rows > 0) heaps_.push_back(i);
  }
  // std::stable_sort would allocate memory in each step.
  const auto place = [this](uint32_t i) { return std::pair(members_[i].rows, i); };
  std::sort(heaps_.begin(), heaps_.end(), [&](uint32_t x, uint32_t y) { return place(x) < place(y); });
  double left = cube(limits.heap_rows);
  for (uint32_t i : heaps_) {
    left -= cube(members_[i].rows);
    members_[i].large = left < 0;
  }
}

void Solver::count(StepStatistics &statistics) const {
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const Member &m = members_[i];
    if (m.root != i || !m.awake) continue;
    ++statistics.islands;
    statistics.largest_rows = std::max(statistics.largest_rows, m.rows);
    if (m.large) ++statistics.quick_islands;
  }
}

bool Solver::step(const StepContext &context, const ExactLimits &limits) {
  choose(limits);
  count(context.statistics);
  const StepStatistics &counts = context.statistics;
  if (counts.quick_islands == 0) return step_exact(context);
  if (counts.quick_islands == counts.islands) return quick_pass(context);
  return step_both(context);
}

// Threads pay if the islands beside the largest take longer than waking a thread. The time of an island on
// x86-64 is about 0.1 us per row, and with ODE's dense matrix also 0.1 us per thousand of the rows' cube.
uint32_t Solver::worthwhile_threads(const StepContext &context) const {
  constexpr double kWorthwhileUs = 40;
  if (context.threads == 1) return 1;
  const double us_per_cube = context.sparse ? 0 : 1e-4;
  double all = 0, longest = 0;
  uint32_t islands = 0;
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const Member &m = members_[i];
    if (m.root != i || !m.awake || m.large) continue;
    const double rows = m.rows, time = 0.1 * rows + us_per_cube * rows * rows * rows;
    all += time;
    longest = std::max(longest, time);
    ++islands;
  }
  return all - longest < kWorthwhileUs ? 1 : std::min(context.threads, islands);
}

// Includes the sleeping bodies of islands that are awake, because ODE wakes and moves them.
void Solver::remember() {
  const auto copy = [](auto &to, const dReal *from) { std::memcpy(to.data(), from, sizeof(to)); };
  motion_count_ = 0;
  if (motions_.size() < members_.size()) motions_.resize(members_.size());
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const Body &body = *members_[i].body;
    if (!body.awake() && !members_[find(i)].awake) continue;
    Motion &now = motions_[motion_count_++];
    now.body = body.ode;
    now.awake = body.awake();
    copy(now.position, body.position);
    copy(now.orientation, body.quaternion);
    copy(now.linear, body.velocity);
    copy(now.angular, body.spin);
    copy(now.force, body.force);
    copy(now.torque, body.torque);
  }
}

void Solver::go_back() const {
  for (size_t i = 0; i < motion_count_; ++i) {
    const Motion &was = motions_[i];
    was.awake ? dBodyEnable(was.body) : dBodyDisable(was.body);
    dBodySetPosition(was.body, was.position[0], was.position[1], was.position[2]);
    dBodySetQuaternion(was.body, was.orientation.data());
    dBodySetLinearVel(was.body, was.linear[0], was.linear[1], was.linear[2]);
    dBodySetAngularVel(was.body, was.angular[0], was.angular[1], was.angular[2]);
    dBodySetForce(was.body, was.force[0], was.force[1], was.force[2]);
    dBodySetTorque(was.body, was.torque[0], was.torque[1], was.torque[2]);
  }
}

// The exact solver can fail, for example on a stack of equal boxes, and then applies no contact force at all.
// Such a step is undone and repeated by the iterative solver.
bool Solver::step_exact(const StepContext &context) {
  const unsigned long before = context.thread.exact_failures;
  remember();
  const bool ok = exact_pass(context);
  if (context.thread.exact_failures == before) return ok;
  ++context.statistics.fallbacks;
  go_back();
  return quick_pass(context);
}

// If ODE throws on one of several threads, the others still solve their islands, unlike on one thread. Such a
// step is undone and repeated on one thread, which throws at the same place as ever.
bool Solver::exact_pass(const StepContext &context) {
  context.islands.use(worthwhile_threads(context));
  if (context.islands.in_use() > 1) {
    try {
      return context.islands.step_exactly(context.dt);
    } catch (const EngineError &) {
      go_back();
      context.islands.use(1);
    }
  }
  return context.islands.step_exactly(context.dt);
}

// The order of ODE's random numbers depends on the order of the islands, so this pass has one thread.
bool Solver::quick_pass(const StepContext &context) {
  context.islands.use(1);
  return quick_step(context.islands, context.dt, context.seed);
}

// Two passes, each with only its own bodies enabled. Islands share no body, so a pass does not wake bodies of
// the other one.
bool Solver::step_both(const StepContext &context) {
  std::vector<dBodyID> large_ones, small_ones;
  for (uint32_t i = 0; i < members_.size(); ++i)
    if (members_[find(i)].awake && members_[find(i)].large) large_ones.push_back(members_[i].body->ode);
  bool ok;
  {
    Disabled others(large_ones);
    ok = step_exact(context);
    for (const Member &m : members_)
      if (m.body->awake()) small_ones.push_back(m.body->ode);
  }
  Disabled others(small_ones);
  return quick_pass(context) && ok;
}

}  // namespace wb
